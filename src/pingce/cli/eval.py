"""`pingce eval`: the main job. Rankings: QRELS RUN…; predictions: one or more tables with labels and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.group import OUTPUT, SEPARATOR, Command, files_argument, lang_option, with_default
from pingce.cli.prediction_options import PREDICTION_NAMES, prediction_options
from pingce.evidence.policies import CHOICES
from pingce.inputs.tables import input_format_help

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pingce.scores import Scores

FORMATS = ("table", "json", "jsonl", "csv", "tsv", "md", "latex", "trec")
POLICY_HELP = {
    "missing": Text("A judged query the run does not answer.", "预测没有回答的已标注查询。"),
    "extra": Text("A query of the run without judgements.", "没有标注的预测查询。"),
    "undefined": Text("A query for which a metric is undefined.", "指标没有定义的查询。"),
    "ties": Text("Equal scores in a list.", "列表中的同分条目。"),
    "score_type": Text(
        "Scores are rounded to this type before ties are looked for.", "判断并列之前，先把分数取为该类型。"
    ),
    "duplicates": Text("An item twice in one query.", "同一查询中重复的条目。"),
    "nan": Text("A score that is not a number.", "不是数字的分数。"),
    "identical": Text(
        "An item whose id is that of its query (BEIR drops it).", "编号与查询相同的条目（BEIR 会去掉）。"
    ),
    "summation": Text("How the mean over queries is summed.", "对查询求和的方式。"),
}


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "eval",
        params=[
            files_argument("QRELS RUN... | PREDICTIONS..."),
            *eval_options(),
            *scale_options(),
            *prediction_options(),
            *policy_options(),
            lang_option(),
        ],
        callback=evaluate,
        help=str(
            Text(
                "Score rankings (QRELS RUN..., the truth first) or predictions (tables with columns for labels and scores, classes, or numbers). Files: TREC, CSV, TSV, JSONL, JSON, Parquet, Feather; .gz, .bz2, .zst too; a folder or a quoted pattern of them; - is standard input.",
                "给排序结果打分（QRELS RUN...，真值在前），或给预测打分（含标签与分数、类别或数值列的表）。文件格式：TREC、CSV、TSV、JSONL、JSON、Parquet、Feather，可为 .gz、.bz2、.zst，也可以是文件夹或加引号的模式；- 表示标准输入。",
            )
        ),
        epilog="pingce eval qrels.txt bm25.run dense.run -m 'ndcg@10,ap(norm=min)@100' -f md    "
        "pingce eval preds.parquet --label click --score pctr --group user_id",
    )


def eval_options() -> list[click.Parameter]:
    """The options that are not policies."""
    said = [
        (["-m", "--metrics"], {"multiple": True}, Text("Metrics, by comma or repeated.", "指标，可用逗号分隔或重复给出。")),
        (["--convention"], {"metavar": "TOOL"}, Text("Score as this tool does, e.g. trec_eval, ranx, sklearn (pingce conventions lists them).", "按该工具的定义打分，例如 trec_eval、ranx、sklearn（pingce conventions 可列出全部）。")),
        (["--conventions"], {"metavar": "TOOL,TOOL..."}, Text("The same under several tools' definitions, with the cause of each difference.", "按多个工具的定义分别打分，并指出每处差异的原因。")),
        (["--worst"], {"type": click.IntRange(min=1), "metavar": "N"}, Text("Also list the N queries or groups with the lowest values, ready to explain.", "同时列出数值最低的 N 个查询或分组，可直接讲解。")),
        (["-v", "--verbose"], {"is_flag": True}, Text("The full definition of each number below the table.", "在表格下方给出每个数字的完整定义。")),
        (["-k"], {"type": click.IntRange(min=1), "default": None}, Text("Cut-off for names without @k.", "未写 @k 的指标的截断位置。")),
        (["-q", "--per-query", "--per-group", "--per-class", "per_query"], {"is_flag": True}, Text("Also the value of each query, group or class.", "同时给出每个查询、分组或类别的值。")),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default a table, or by -o's suffix.", "输出格式；默认为表格，或由 -o 的后缀决定。")),
        OUTPUT,
        (["-p", "--places"], {"type": click.IntRange(min=-1, max=30), "default": 4}, Text("Decimals in tables; -1: all.", "表格的小数位数；-1 表示全部。")),
        (["--input-format"], {}, input_format_help()),
        SEPARATOR,
        (["--columns"], {"multiple": True, "metavar": "ROLE=NAME"}, Text("Columns by role: query=uid,item=iid,grade=g,score=s,rank=r,weight=w; run.query=…, exclude.item=… for one table; by number where there is no header (run.score=3); rank=order: rows are in order.", "按角色指定列：query=uid,item=iid,grade=g,score=s,rank=r,weight=w；run.query=…、exclude.item=… 只用于一张表；没有表头时用列号（run.score=3）；rank=order 表示各行已排好序。")),
        (["--encoding"], {}, Text("Encoding of text files, e.g. gb18030; by default UTF-8.", "文本文件的编码，例如 gb18030；默认 UTF-8。")),
        (["--exclude"], {"metavar": "FILE"}, Text("Pairs (query, item) taken out of the runs before ranking, e.g. items already seen.", "排序前从预测中去掉的（查询，条目）对，例如已看过的条目。")),
        (["--query-weight"], {"metavar": "FILE"}, Text("How much each query counts in a mean: query and weight.", "各查询在均值中的权重：query 与 weight 两列。")),
        (["--by"], {"multiple": True, "metavar": "COLUMN | FILE:COLUMN | activity"}, Text("The same for parts of the data: a column of the predictions, for rankings a column of a table with a query column, or deciles: activity, for rankings also popularity. Repeat for several.", "同时给出各部分数据的结果：预测表的一列；排序则为含查询列的表中的一列；或按十分位：activity，排序还可用 popularity。可重复给出。")),
        (["--min-n"], {"type": click.IntRange(min=0), "default": 20}, Text("Slices smaller than this have no interval.", "小于此数的切片不给出区间。")),
        (["--explain-numbers"], {"is_flag": True}, Text("Also say in words what the numbers mean.", "同时用文字说明这些数字的含义。")),
        (["--bom"], {"is_flag": True}, Text("Begin a CSV or TSV file with a byte-order mark, for Excel.", "在 CSV、TSV 文件开头写入字节序标记，便于 Excel 打开。")),
        (["--escape-formulas"], {"is_flag": True}, Text("In CSV and TSV, put ' before cells that a spreadsheet would compute.", "在 CSV、TSV 中，为电子表格会当作公式计算的单元格加上前缀 '。")),
        (["--threads"], {"type": click.IntRange(min=1)}, Text("Threads; by default all cores, or PINGCE_THREADS.", "线程数；默认用全部核心，或 PINGCE_THREADS。")),
        (["--quiet"], {"is_flag": True}, Text("No notes and counts on stderr.", "不在 stderr 输出说明与计数。")),
    ]  # fmt: skip
    return [
        click.Option(names, help=str(text) if default is None else with_default(text, default), **settings)  # type: ignore[arg-type]
        for names, settings, text in said
        for default in [{"-p": 4, "--min-n": 20}.get(names[0])]
    ]


def scale_options() -> list[click.Parameter]:
    """For files that are larger than memory."""
    said = [
        (["--memory"], {"metavar": "SIZE"}, Text("Files that would take more than this are streamed, e.g. 2GB; by default a quarter of the memory there is.", "超过此大小的输入将流式读取，例如 2GB；默认为内存的四分之一。")),
        (["--engine"], {"type": click.Choice(("local", "spark")), "default": "local"}, Text("Where rows are read and counted: here, or by Spark (Parquet, CSV, TSV, JSON lines).", "在何处读取与计数：本机，或 Spark（Parquet、CSV、TSV、JSON Lines）。")),
        (["--master"], {"metavar": "URL"}, Text("The Spark cluster: spark://…, yarn, sc://… (Connect); by default local[*].", "Spark 集群：spark://…、yarn、sc://…（Connect）；默认 local[*]。")),
        (["--tmpdir"], {"metavar": "DIR"}, Text("Where temporary files go, if any are needed; by default the system's place.", "需要临时文件时的存放位置；默认为系统的临时文件夹。")),
        (["--bins"], {"type": click.IntRange(min=2, max=1 << 24), "metavar": "N"}, Text("Put scores into N cells, N / 512 for every doubling of the score: bounded memory, and a bound of the error beside auc, pr_auc and ks; 1048576 makes it 0.0001 or so of auc.", "把分数归入 N 个箱，分数每翻一倍占 N / 512 个：内存有界，auc、pr_auc、ks 旁给出误差界；N 取 1048576 时 auc 的误差界约为 0.0001。")),
    ]  # fmt: skip
    return [click.Option(names, help=str(text), **settings) for names, settings, text in said]  # type: ignore[arg-type]


def policy_options() -> list[click.Parameter]:
    """The policies of rankings."""
    options: list[click.Parameter] = [
        click.Option(
            ["-l", "--relevant"],
            default="1",
            help=with_default(
                Text("Grade from which an item is relevant, or any.", "从该等级起算相关，或 any（凡标注皆相关）。"), 1
            ),
        ),
        click.Option(
            ["-J", "--judged-only"],
            is_flag=True,
            help=str(Text("Drop unjudged items first (trec_eval -J).", "先去掉未标注的条目（trec_eval -J）。")),
        ),
    ]
    return options + [
        click.Option(
            ["--" + name.replace("_", "-")],
            type=click.Choice(CHOICES[name]),
            default=CHOICES[name][0],
            help=with_default(text, CHOICES[name][0]),
        )
        for name, text in POLICY_HELP.items()
    ]


RANKING_ONLY = (
    *(name for name in POLICY_HELP if name != "undefined"),
    "relevant",
    "judged_only",
    "exclude",
    "query_weight",
    "columns",
    "k",
)
"Options that mean nothing to predictions."


def evaluate(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, write; the scores of each run or model go back to the caller."""
    return scored(files, options, said_options(click.get_current_context()))


def scored(
    files: tuple[str, ...],
    options: dict[str, Any],
    said: set[str],
    present: Callable[..., Mapping[str, Scores]] | None = None,
) -> Mapping[str, Scores]:
    """Runs or predictions, by what the command line says; `present` may do something else with what was read."""
    options |= {"files": files}
    options |= {name: None for name in (*POLICY_HELP, "relevant", "judged_only") if name not in said}
    predictions = len(files) == 1 or bool(said & set(PREDICTION_NAMES))
    if options["task"] == "ranking":
        predictions = False
    refused = said & set(RANKING_ONLY if predictions else PREDICTION_NAMES) - {"task"}
    if refused:
        raise _out_of_place(min(refused), predictions=predictions)
    if options.get("engine") == "spark" or options.get("master"):
        from pingce.cli.spark_jobs import score_on_spark

        return score_on_spark(files, options, said, predictions=predictions, present=present)
    if predictions:
        from pingce.cli.prediction_jobs import score_predictions

        return score_predictions(files, options, present)
    if len(files) == 1:
        raise click.MissingParameter(param_type="argument", param_hint="RUN...")
    from pingce.cli.rankings import score_runs

    return score_runs(files, options, present)


def said_options(context: click.Context) -> set[str]:
    """Options that stood on the command line."""
    given = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) is given}


def _out_of_place(name: str, *, predictions: bool) -> InputError:
    option = "-k" if name == "k" else "--" + name.removesuffix("_column").replace("_", "-")
    if predictions:
        return InputError(
            f"{option} is for rankings (QRELS RUN...), not for predictions",
            f"{option} 只用于排序（QRELS RUN...），不用于预测表",
        )
    if name in INTERVAL_NAMES:
        return no_ranking_intervals(option)
    return InputError(
        f"{option} is for predictions (tables with labels and scores), not for rankings",
        f"{option} 只用于预测表（含标签与分数），不用于排序",
    )


INTERVAL_NAMES = ("ci", "samples", "seed")
"Options of confidence intervals."


def no_ranking_intervals(option: str) -> InputError:
    """Rankings alone have no intervals; comparisons do."""
    return InputError(
        f"{option}: rankings have no confidence intervals here yet; leave it out. pingce compare QRELS RUN RUN... gives an interval "
        "for each run and for each difference. If these are predictions, say which columns hold the labels and the scores with "
        "--label and --score (or --true and --pred)",
        f"{option}：此处排序尚无置信区间，请去掉该选项。pingce compare QRELS RUN RUN... 给出各预测及其差异的区间。若为预测表，"
        "请用 --label 与 --score（或 --true 与 --pred）指明标签列与分数列",
    )
