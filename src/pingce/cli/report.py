"""`pingce report`: one HTML file about one or several runs or models."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError, one_line
from pingce.base.text import Text
from pingce.cli.compare import CORRECTIONS, TESTS
from pingce.cli.eval import POLICY_HELP, RANKING_ONLY, eval_options, policy_options, said_options
from pingce.cli.group import Command, files_argument, lang_option, with_default
from pingce.cli.prediction_options import PREDICTION_NAMES, prediction_options

if TYPE_CHECKING:
    from pingce.cli.jobs import Job
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.material import Material
    from pingce.scores import Scores

_ABSENT = {
    "conventions": None,
    "worst": None,
    "explain_numbers": False,
    "verbose": False,
    "per_query": False,
    "out_format": "table",
    "places": 4,
    "bom": False,
    "escape_formulas": False,
}
"Options of `pingce eval` that a page does not have, as they are there when nobody gives them."
_SHARED = ("ci", "samples", "seed")
_COMPARING = ("test", "correction", "ci", "samples", "seed")


def build() -> click.Command:
    """The command, in the language in force."""
    own = {option.name for option in _options()}
    options = [*eval_options(), *prediction_options(), *policy_options()]
    taken = [option for option in options if option.name not in (*_ABSENT, *own)]
    return Command(
        "report",
        params=[files_argument("QRELS RUN... | PREDICTIONS..."), *_options(), *taken, lang_option()],
        callback=write,
        help=str(
            Text(
                "Write one HTML file about runs (QRELS RUN...) or models (tables with labels and scores, classes, or numbers): interactive, offline, at most 1 MB, in both languages.",
                "把多份排序结果（QRELS RUN...）或多个模型（含标签与分数、类别或数值的表）写成一个 HTML 文件：可交互、离线可用、不超过 1 MB、中英文皆备。",
            )
        ),
        epilog="pingce report qrels.txt bm25.run dense.run -o report.html    "
        "pingce report preds.parquet --label click --score old --score new --group user_id -o report.html",
    )


def _options() -> list[click.Parameter]:
    said: list[tuple[list[str], dict[str, Any], Text, Any]] = [
        (["-o", "--output"], {"type": click.Path(dir_okay=False, path_type=Path), "default": Path("report.html")}, Text("The file: .html, .htm or no suffix; others are refused.", "要写入的文件：后缀为 .html、.htm 或没有后缀；其他后缀会被拒绝。"), "report.html"),
        (["--title"], {}, Text("What stands at the top of the page.", "页面顶部的标题。"), None),
        (["--baseline"], {"metavar": "NAME"}, Text("What the others are compared with; by default the first.", "作为比较对象的模型；默认为第一个。"), None),
        (["--test"], {"type": click.Choice(TESTS), "default": "permutation"}, Text("The paired test over queries.", "对查询的配对检验。"), "permutation"),
        (["--correction"], {"type": click.Choice(CORRECTIONS), "default": "holm"}, Text("For the number of comparisons.", "按比较次数校正。"), "holm"),
        (["--ci"], {"type": float, "default": 0.95, "metavar": "SHARE"}, Text("Confidence of intervals; of predictions, said here it also gives intervals of slices, which take longer.", "区间的置信水平；对预测表，写明此项则各切片也给出区间，耗时较长。"), 0.95),
        (["--samples"], {"type": int}, Text("Random draws.", "随机抽取的次数。"), None),
        (["--seed"], {"type": int, "default": 0}, Text("The same seed gives the same bits.", "相同的种子得到完全相同的结果。"), 0),
    ]  # fmt: skip
    return [
        click.Option(names, help=str(text) if default is None else with_default(text, default), **settings)
        for names, settings, text, default in said
    ]


def write(files: tuple[str, ...], **options: Any) -> None:
    """Read, score, compare, write."""
    said = said_options(click.get_current_context())
    options |= _ABSENT | {"files": files}
    options |= {name: None for name in (*POLICY_HELP, "relevant", "judged_only") if name not in said}
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.write import report_path

    report_path(options["output"])
    # Refuses what makes no sense before anything is read.
    settings = ComparisonSettings(**{"confidence" if name == "ci" else name: options[name] for name in _COMPARING})
    of_predictions = set(PREDICTION_NAMES) - set(_SHARED)
    if options["task"] != "ranking" and (said & of_predictions or len(files) == 1):
        _refuse(said & set(RANKING_ONLY), Text("predictions", "预测表"))
        _predictions(files, options, settings, explicit="ci" in said)
    else:
        _refuse(said & of_predictions - {"task"}, Text("rankings", "排序"))
        _rankings(files, options, settings)


def _refuse(names: set[str], of: Text) -> None:
    for name in sorted(names)[:1]:
        option = "-k" if name == "k" else "--" + name.removesuffix("_column").replace("_", "-")
        raise InputError(f"{option} has no meaning for {of.en}; leave it out", f"{option} 对{of.zh}没有意义；请去掉")


def _rankings(files: Sequence[str], options: Mapping[str, Any], settings: ComparisonSettings) -> None:
    if len(files) == 1:
        raise click.MissingParameter(param_type="argument", param_hint="RUN...")
    from pingce.cli.jobs import refuse_stdin_twice
    from pingce.cli.progress import Progress
    from pingce.cli.rankings import ranking_request, slicing_of
    from pingce.html.call import rankings
    from pingce.inputs.titles import short_names
    from pingce.request import Intervals
    from pingce.run.data import RankingData

    qrels, *runs = files
    refuse_stdin_twice([*files, options["exclude"], options["query_weight"]])
    resampling = Intervals(settings.confidence, settings.draws, settings.seed)
    request = ranking_request({**options, "resampling": resampling})
    data = RankingData(qrels, None, options["exclude"], options["query_weight"], slicing_of(options))
    with Progress() as progress:
        progress.at(Text(f"reading and scoring {', '.join(files)}", f"正在读取并评测 {'、'.join(files)}"))
        material = rankings(request, data, dict(zip(short_names(runs), runs, strict=True)))
        _finish(material, options, settings, progress)


def _predictions(
    files: Sequence[str], options: dict[str, Any], settings: ComparisonSettings, *, explicit: bool
) -> None:
    from pingce.cli.prediction_jobs import score_predictions
    from pingce.cli.progress import Progress
    from pingce.html.material import Material

    if options["group"] and not options["by"]:
        options["by"] = ("activity",)

    def present(job: Job, _: Any, __: Any, ___: Any, *notes: Text) -> Mapping[str, Scores]:
        if len(job.models) > 1 and not explicit:  # a comparison has its own intervals; those of slices cost more
            job = replace(job, request=replace(job.request, intervals=replace(job.request.intervals, ci=None)))
        scores = job.scores()
        with Progress() as progress:
            _finish(Material(next(iter(scores.values())).task, scores, sources=files), options, settings, progress)
        return scores

    score_predictions(files, options, present)


def _finish(material: Material, options: Mapping[str, Any], settings: ComparisonSettings, progress: Any) -> None:
    from pingce.html.call import compared, quietly
    from pingce.html.write import write_report

    with quietly():
        progress.at(Text("comparing", "正在比较"))
        whole = compared(material, options["baseline"], settings, options["title"])
        progress.at(Text(f"writing {options['output']}", f"正在写出 {options['output']}"))
        path = write_report(whole, options["output"])
    if not options["quiet"]:
        size = path.stat().st_size / 1000
        said = Text(f"{path}: {size:.0f} kB; open it in a browser", f"{path}：{size:.0f} kB；请用浏览器打开")
        sys.stderr.write(one_line(str(said)) + "\n")
