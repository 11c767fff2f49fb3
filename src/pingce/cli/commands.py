"""The commands: what each says of itself, takes, and gives for an example. Its code is imported when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.cli.group import Command, complete_value
from pingce.cli.options import CURVES, parameters
from pingce.inputs.tables import FORMATS


@dataclass(frozen=True)
class Page:
    """The help of a command, its arguments, and the function that does the work."""

    text: Text
    code: str
    "The module of this package, and the function in it."
    arguments: tuple[click.Argument, ...] = ()
    examples: tuple[str | Text, ...] = ()
    options: str = ""
    "The function of the module that makes its options, where they are not in the table."


def _named(_: click.Context, __: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Files, each of which may be NAME=FILE: then the model in it has that name."""
    from pingce.inputs.titles import all_titled

    return all_titled(words)


def _argument(name: str, metavar: str, **settings: Any) -> click.Argument:
    return click.Argument([name], metavar=metavar, shell_complete=complete_value, **settings)


def _files(metavar: str) -> click.Argument:
    return _argument("files", metavar, nargs=-1, required=True, callback=_named)


def _optional(metavar: str) -> click.Argument:
    return _argument("name", metavar, required=False)


_BOTH = _files("QRELS RUN... | PREDICTIONS...")
_FORMATS = tuple(each.name.capitalize() if each.magic else each.name.upper() for each in FORMATS)
PAGES = {
    "eval": Page(
        Text(f"Score rankings (QRELS RUN..., the truth first) or predictions (tables with columns for labels and scores, classes, or numbers). Files: {', '.join(_FORMATS)}; .gz, .bz2, .zst too; a folder or a quoted pattern of them; - is standard input.", f"给排序结果打分（QRELS RUN...，真值在前），或给预测打分（含标签与分数、类别或数值列的表）。文件格式：{'、'.join(_FORMATS)}，可为 .gz、.bz2、.zst，也可以是文件夹或加引号的模式；- 表示标准输入。"),
        "eval:evaluate", (_BOTH,),
        (
            "pingce eval qrels.txt bm25.run dense.run -m 'ndcg@10,ap(norm=min)@100' -f md",
            "pingce eval preds.parquet --label click --score pctr --group user_id",
            "pingce eval preds.csv --true y --pred y_hat",
        ),
    ),
    "eval-factors": Page(
        Text("Score a model by its vectors: every user ranks the whole catalogue, exactly, and ranks are counted without a score matrix. USERS and ITEMS have a vector a row: .npy, .safetensors (FILE#TENSOR), Parquet or Feather with a column of lists.", "按向量给模型打分：每个用户对整个目录精确排序，名次由计数得到，不生成分数矩阵。USERS 与 ITEMS 每行一个向量：.npy、.safetensors（FILE#张量名）、含列表列的 Parquet 或 Feather。"),
        "factors:evaluate", (_argument("user_file", "USERS"), _argument("item_file", "ITEMS")),
        ("pingce eval-factors users.npy items.npy --truth test.parquet --exclude train.parquet -m ndcg@10,recall@50",),
        options="factors:factor_options",
    ),
    "compare": Page(
        Text("Compare runs (QRELS RUN RUN..., matched by query id) or models (one table with a --score or --pred column each, or a file each, whose rows --id matches): differences to the baseline, intervals, corrected p, and letters for significantly better than. JSON files that pingce eval -q -f json wrote stand for runs; of them alone no QRELS is needed.", "比较多份排序结果（QRELS RUN RUN...，按查询编号对齐）或多个模型（一张表，每个模型一列 --score 或 --pred；或每个模型一个文件，用 --id 对齐各行）：与基线之差、区间、校正后的 p，以及表示“显著优于”的字母。pingce eval -q -f json 写出的 JSON 可代替预测；若全是 JSON，则不需要 QRELS。"),
        "compare:compare", (_files("QRELS RUN RUN... | PREDICTIONS..."),),
        (
            "pingce compare qrels.txt bm25.run dense.run --baseline bm25 -m ndcg@10,mrr",
            "pingce compare preds.parquet --label click --score old --score new --group user_id",
            "pingce compare new=a/preds.parquet old=b/preds.parquet --label click --score pctr --id row_id",
        ),
    ),
    "similar": Page(
        Text("Put two runs side by side: rank-biased overlap (truncated, ext, min), overlap@k, Jaccard@k, Kendall's tau of the common items, as means over the queries of both, and the queries that changed most. Queries of only one run are counted and left out.", "对照两份排序结果：RBO（truncated、ext、min 三种）、overlap@k、Jaccard@k、共同条目的 Kendall τ，在两边共有的查询上求均值，并列出变化最大的查询。只在一边出现的查询会计数，不计入均值。"),
        "pairs:show_similarity", (_files("RUN RUN"),),
        ("pingce similar old.run new.run -k 5,10 --worst 20", "pingce similar exact.run ann.run -f json"),
    ),
    "fuse": Page(
        Text("Fuse two or more runs into one, by ranks or by scores, as ranx does. --tune looks for weights (or k of rrf) on a grid and says how good they are on queries that the search did not see.", "把两份或更多排序结果融合为一份，可按名次或按分数，定义与 ranx 相同。--tune 在网格上搜索权重（或 rrf 的 k），并给出在未参与搜索的查询上的数值。"),
        "pairs:write_fusion", (_files("RUN RUN..."),),
        ("pingce fuse bm25.run dense.run -o fused.run", "pingce fuse bm25.run dense.run --method wsum --tune qrels.txt -m ndcg@10 -o fused.parquet"),
    ),
    "split": Page(
        Text("Split a log of interactions (user, item, time) into train and test, the same on every machine: by a lasting hash, or by time. Each part is written with all its columns.", "把交互日志（用户、条目、时间）划分为训练集与测试集，在任何机器上结果相同：按持久的哈希或按时间。各部分保留全部列。"),
        "protocols:write_split", (_argument("file", "FILE"),),
        ("pingce split ratings.csv --how last --validation 1 -o parts", "pingce split log.parquet --how time --at 2026-01-01 --time ts -o parts"),
    ),
    "leak": Page(
        Text("Look for what leaks from a test into the training data: pairs of test that train has, rows older than train, pairs that stand twice; and users and items that train does not have.", "检查测试数据是否泄漏到训练数据中：训练集已有的测试对、早于训练数据的行、重复的对；并统计训练集没有的用户与条目。"),
        "protocols:show_leaks", (_argument("train", "TRAIN"), _argument("test", "TEST")),
        ("pingce leak train.csv test.csv --time ts --strict",),
    ),
    "curve": Page(
        Text(f"The curve of a model: KIND is one of {', '.join(CURVES)}. FILEs are tables with columns for labels and scores, for qini and uplift also for treatments; several --score columns or FILEs are several models, drawn in one figure. -o x.csv, .tsv, .json, .md, .png or .svg.", f"画出或列出模型的曲线：KIND 可为 {'、'.join(CURVES)}。FILE 是含标签列与分数列的表，qini 与 uplift 还需干预列；多个 --score 列或多个 FILE 即多个模型，画在同一张图中。-o 可为 x.csv、.tsv、.json、.md、.png 或 .svg。"),
        "curve:show", (_argument("kind", "KIND", type=click.Choice(tuple(CURVES))), _files("FILE...")),
        (
            "pingce curve roc preds.parquet --label click --score pctr --threshold 0.5 -o roc.svg",
            "pingce curve qini trial.parquet --label visit --score uplift --treatment treated -o qini.svg",
        ),
    ),
    "check": Page(
        Text("Judge rankings, predictions or saved scores (pingce eval -f json) by rules, for continuous integration. Exit code: 0 all passed, 1 a check failed, 2 something could not be judged.", "按规则检查排序、预测或已保存的分数（pingce eval -f json），供持续集成使用。退出码：0 全部通过，1 有检查未通过，2 有检查无法判断。"),
        "check:check", (_argument("files", "QRELS RUN... | PREDICTIONS... | SCORES.json...", nargs=-1, required=True),),
        (
            "pingce check qrels.txt new.run --min ndcg@10=0.40 --baseline base.json --max-drop ndcg@10=0.5%",
            "pingce check qrels.txt new.run --baseline base.json --non-inferior ndcg@10=0.002 --changes",
        ),
    ),
    "report": Page(
        Text("Write one HTML file about runs (QRELS RUN...) or models (tables with labels and scores, classes, or numbers): interactive, offline, at most 1 MB, in both languages.", "把多份排序结果（QRELS RUN...）或多个模型（含标签与分数、类别或数值的表）写成一个 HTML 文件：可交互、离线可用、不超过 1 MB、中英文皆备。"),
        "report:write", (_BOTH,),
        (
            "pingce report qrels.txt bm25.run dense.run -o report.html",
            "pingce report preds.parquet --label click --score old --score new --group user_id -o report.html",
        ),
    ),
    "metrics": Page(
        Text("List all metrics; with NAME explain one, for every task that has it. Aliases and Chinese names are found.", "列出全部指标；给出 NAME 则讲解其一，凡有该指标的任务都会列出。别名与中文名都可以查。"),
        "catalogue:show_metrics", (_optional("[NAME]"),),
        ("pingce metrics ndcg", Text("pingce metrics precision", "pingce metrics 查准率")),
    ),
    "explain": Page(
        Text("Work out a number step by step: for one query of a ranking (QRELS RUN --query ID), for predictions (a table with columns for labels and scores, classes, or numbers), or for numbers written here (--grades, --labels and --scores, --true and --pred).", "一步一步讲清一个数字：排序中的某个查询（QRELS RUN --query 编号），预测（含标签与分数、类别或数值列的表），或直接写出的数字（--grades，--labels 与 --scores，--true 与 --pred）。"),
        "explain:show", (_argument("metric", "METRIC"), _argument("files", "[QRELS RUN | PREDICTIONS]", nargs=-1)),
        (
            "pingce explain ndcg@5 --grades 3,2,3,0,1",
            "pingce explain ndcg@10 qrels.txt bm25.run --query q17 --against ranx",
            "pingce explain auc --labels 1,0,1,0 --scores .9,.8,.7,.1",
        ),
    ),
    "sql": Page(
        Text("Print the query that computes METRIC in a database, ties included: auc, gauc, logloss, decisions at a threshold, errors of numbers, and precision, recall, hit rate, MRR, MAP, (N)DCG of rankings. It gives one row, the value and what it stands on; nothing is sent anywhere.", "打印在数据库中计算 METRIC 的查询，并列也按定义处理：auc、gauc、logloss、按阈值的判定、数值误差，以及排序的精确率、召回率、命中率、MRR、MAP、(N)DCG。查询给出一行：数值及其依据；不会向任何地方发送数据。"),
        "sql:print_query", (_argument("metric", "METRIC"),),
        ("pingce sql gauc --dialect hive --table ads.log --label click --score pctr --group uid", "pingce sql ndcg@10 --dialect spark --qrels truth --run run_v2 --query qid --item docno"),
    ),
    "conventions": Page(
        Text("List the tools whose numbers pingce reproduces; with TOOL show what its metrics mean, with METRIC what each tool means by it.", "列出 pingce 能复现其数值的工具；给出 TOOL 则说明它的各个指标，给出 METRIC 则说明各工具如何定义该指标。"),
        "catalogue:show_conventions", (_optional("[METRIC|TOOL]"),),
        (
            "pingce conventions ndcg",
            "pingce conventions ranx",
            "pingce eval QRELS RUN -m ndcg@10 --conventions trec_eval,ranx",
        ),
    ),
    "trec_eval": Page(
        Text("Print what trec_eval prints, with its options: for the measures official, set, all_trec (those pingce has), P, recall, success, map, map_cut, gm_map, Rprec, bpref, recip_rank, iprec_at_recall, 11pt_avg, ndcg, ndcg_cut, relative_P, utility, num_*, set_* and, in version 10, rbp. Files: four-column qrels and a six-column run; - is standard input.", "按 trec_eval 的选项输出与之相同的内容，支持的指标： official set all_trec （其中 pingce 具备的部分） P recall success map map_cut gm_map Rprec bpref recip_rank iprec_at_recall 11pt_avg ndcg ndcg_cut relative_P utility num_* set_* ，以及版本 10 的 rbp 。 文件：四列的 qrels 与六列的预测；- 表示标准输入。"),
        "trec_eval:print_measures", (_argument("qrels", "QRELS"), _argument("run", "RUN")),
        ("pingce trec_eval -c -q -m map -m ndcg_cut.5,10 -m iprec_at_recall.0.1 qrels.txt bm25.run",),
        options="trec_options:trec_options",
    ),
    "ndeval": Page(
        Text("Print what ndeval prints: novelty and diversity measures of TREC's web tasks as CSV, with its options. Files: qrels with a subtopic in the second column (topic subtopic docno judgment) and a six-column run; - is standard input.", "按 ndeval 的选项输出与之相同的内容：TREC 网页任务的新颖性与多样性指标，CSV 格式。文件：第二列为子主题的 qrels（topic subtopic docno judgment）与六列的预测；- 表示标准输入。"),
        "ndeval:print_measures", (_argument("qrels", "QRELS"), _argument("run", "RUN")),
        ("pingce ndeval -traditional -alpha 0.5 qrels.txt bm25.run",),
        options="ndeval:ndeval_options",
    ),
    "demo": Page(
        Text("Score rankings, click predictions, classes and numbers that come with pingce, and say what the numbers mean. Nothing is written unless --report or --data asks for it.", "给随附的排序、点击预估、分类与数值预测打分，并说明这些数字的含义。除非用 --report 或 --data 要求，否则不写任何文件。"),
        "demo:show", (),
        ("pingce demo", "pingce demo --report .", "pingce demo --data demo-data"),
        options="demo:options",
    ),
    "doctor": Page(
        Text("Say what this installation has and lacks.", "检查安装情况。"),
        "doctor:examine", (),
        ("pingce doctor",),
    ),
    "completion": Page(
        Text("Print what makes a shell complete the words of pingce at the tab key: commands, options and their values, metrics, tools, columns of the table that stands on the line.", "输出让 shell 用 Tab 键补全 pingce 命令行的脚本：命令、选项及其取值、指标、工具，以及命令行上那张表的列名。"),
        "completion:print_script", (_argument("shell", "bash|zsh|fish", type=click.Choice(("bash", "zsh", "fish"))),),
        (
            "source <(pingce completion bash)",
            "pingce completion bash > ~/.local/share/bash-completion/completions/pingce",
            "pingce completion zsh > ~/.zfunc/_pingce",
            "pingce completion fish > ~/.config/fish/completions/pingce.fish",
        ),
    ),
}  # fmt: skip


def build(name: str) -> Command:
    """A command, in the language in force."""
    page = PAGES[name]
    options: Sequence[click.Parameter] = _function(page.options)() if page.options else parameters(name)

    def call(**values: Any) -> Any:
        return _function(page.code)(**values)

    return Command(name, page.text, [*page.arguments, *options], call, [str(line) for line in page.examples])


def _function(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"pingce.cli.{module}"), name)
