"""`pingce compare`: several runs or models on the same data, and which differences are real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.eval import POLICY_HELP, RANKING_ONLY, eval_options, policy_options, said_options
from pingce.cli.group import Command, files_argument, lang_option, with_default
from pingce.cli.prediction_options import PREDICTION_NAMES, prediction_options

if TYPE_CHECKING:
    from pingce.scores import Scores

FORMATS = ("table", "json", "csv", "tsv", "md", "latex")
TESTS = ("permutation", "t", "wilcoxon", "sign")
CORRECTIONS = ("holm", "bonferroni", "bh", "none")
_ABSENT = {"conventions": None, "worst": None, "explain_numbers": False}
"Options of `pingce eval` that a comparison does not have, as they are there when nobody gives them."
_SHARED = ("ci", "samples", "seed")
"Options of predictions that mean something for rankings too, here."


def build() -> click.Command:
    """The command, in the language in force."""
    own = {option.name for option in _options()}
    options = [*eval_options(), *prediction_options(), *policy_options()]
    taken = [option for option in options if option.name not in (*_ABSENT, *own)]
    return Command(
        "compare",
        params=[files_argument("QRELS RUN RUN... | PREDICTIONS..."), *_options(), *taken, lang_option()],
        callback=compare,
        help=str(
            Text(
                "Compare runs (QRELS RUN RUN..., matched by query id) or models (one table with a --score or --pred column each, or a file each, whose rows --id matches): differences to the baseline, intervals, corrected p, and letters for significantly better than. JSON files that pingce eval -q -f json wrote stand for runs; of them alone no QRELS is needed.",
                "比较多份排序结果（QRELS RUN RUN...，按查询编号对齐）或多个模型（一张表，每个模型一列 --score 或 --pred；或每个模型一个文件，用 --id 对齐各行）：与基线之差、区间、校正后的 p，以及表示“显著优于”的字母。pingce eval -q -f json 写出的 JSON 可代替预测；若全是 JSON，则不需要 QRELS。",
            )
        ),
        epilog="pingce compare qrels.txt bm25.run dense.run --baseline bm25 -m ndcg@10,mrr    "
        "pingce compare preds.parquet --label click --score old --score new --group user_id    "
        "pingce compare new=a/preds.parquet old=b/preds.parquet --label click --score pctr --id row_id",
    )


def _options() -> list[click.Parameter]:
    said = [
        (["--baseline"], {"metavar": "NAME"}, Text("What the others are compared with; by default the first.", "作为比较对象的模型；默认为第一个。"), None),
        (["--test"], {"type": click.Choice(TESTS), "default": "permutation"}, Text("The paired test over queries; of rows each metric has its own.", "对查询的配对检验；按行的指标各有其检验。"), "permutation"),
        (["--correction"], {"type": click.Choice(CORRECTIONS), "default": "holm"}, Text("For the number of comparisons.", "按比较次数校正。"), "holm"),
        (["--ci"], {"type": float, "default": 0.95, "metavar": "SHARE"}, Text("Confidence of intervals; what is left is the level of significance.", "区间的置信水平；其余部分即显著性水平。"), 0.95),
        (["--samples"], {"type": int}, Text("Random draws of each kind; by default 100000 permutations, 10000 bootstrap draws of queries, 1000 of rows.", "每种随机抽取的次数；默认置换 100000 次，按查询自助抽样 10000 次，按行自助抽样 1000 次。"), None),
        (["--seed"], {"type": int, "default": 0}, Text("The same seed gives the same bits.", "相同的种子得到完全相同的结果。"), 0),
        (["--pairwise"], {"is_flag": True}, Text("Also each model against each.", "同时给出两两比较。"), None),
        (["-q", "--per-query", "--per-group", "per_query"], {"is_flag": True}, Text("Also the value of each query or group under each model, and its difference to the baseline.", "同时给出每个查询或分组在各模型下的值，以及与基线之差。"), None),
        (["-v", "--verbose"], {"is_flag": True}, Text("More columns, and the full definition of each number.", "更多列，以及每个数字的完整定义。"), None),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default a table, or by -o's suffix.", "输出格式；默认为表格，或由 -o 的后缀决定。"), None),
    ]  # fmt: skip
    return [
        click.Option(names, help=str(text) if default is None else with_default(text, default), **settings)  # type: ignore[arg-type]
        for names, settings, text, default in said
    ]


def compare(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, compare, write; the scores of each run or model go back to the caller."""
    from pingce.cli.compare_output import Comparing
    from pingce.comparison.settings import ComparisonSettings
    from pingce.request import Intervals

    said = said_options(click.get_current_context())
    settings = ComparisonSettings(*(options.pop(name) for name in ("test", "correction", "ci", "samples", "seed")))
    options |= {name: None for name in (*POLICY_HELP, "relevant", "judged_only") if name not in said}
    options |= _ABSENT | dict.fromkeys(_SHARED) | {"files": files}
    options["resampling"] = Intervals(settings.confidence, settings.draws, settings.seed)
    task = Comparing(settings, options)
    of_predictions = set(PREDICTION_NAMES) - set(_SHARED)
    if options["task"] != "ranking" and (said & of_predictions or (len(files) == 1 and not task.saved(files))):
        return _compare_predictions(files, task, said)
    refused = said & of_predictions - {"task"}
    if refused:
        raise _out_of_place(min(refused), "rankings")
    return task.runs(files)


def _compare_predictions(files: Sequence[str], task: Any, said: set[str]) -> Mapping[str, Scores]:
    from pingce.cli.prediction_jobs import score_predictions

    refused = said & {*RANKING_ONLY, "test"}
    if refused:
        raise _out_of_place(min(refused), "predictions")
    task.options["paired"] = True
    return score_predictions(files, task.options, task.models)


def _out_of_place(name: str, of: str) -> InputError:
    option = "-k" if name == "k" else "--" + name.removesuffix("_column").replace("_", "-")
    zh = {"rankings": "排序", "predictions": "预测表"}[of]
    return InputError(f"{option} has no meaning for {of}; leave it out", f"{option} 对{zh}没有意义；请去掉")
