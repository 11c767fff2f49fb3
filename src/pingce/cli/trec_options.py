"""Options of `pingce trec_eval`: those of trec_eval, with its spelling."""

from __future__ import annotations

from typing import Any

import click

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.cli.group import complete_value
from pingce.cli.options import with_default
from pingce.conventions.trec_measures import VERSIONS

_OTHER_OPTIONS = {
    "-D": ("--Debug_level", "0"),
    "-T": ("--Results_format", "trec_results"),
    "-o": (None, ""),
    "-v": (None, ""),
}
"Options of trec_eval that pingce does not have: the long spelling (none: a flag), and the value that changes nothing."

_OTHER_FORMATS = {
    "qrels_jg": "map_avgjg, P_avgjg, Rprec_mult_avgjg",
    "prefs": "prefs_*",
    "qrels_prefs": "prefs_*",
}
"Forms of judgements that only measures read which pingce does not have, and those measures."


def trec_options() -> list[click.Parameter]:
    """Those that pingce has, and those that it refuses with a reason."""
    positive = click.IntRange(min=1)
    options: list[tuple[list[str], dict[str, Any], Text]] = [
        (["-q", "--query_eval_wanted", "topics"], {"is_flag": True}, Text("Also the values of each topic.", "同时输出每个查询的值。")),
        (["-n", "--nosummary", "no_summary"], {"is_flag": True}, Text("Leave out the values over all topics.", "不输出全体查询的汇总值。")),
        (["-c", "--complete_rel_info_wanted", "complete"], {"is_flag": True}, Text("Judged topics that the run does not answer count 0; without it version 9 leaves them out, and version 10 refuses them.", "预测未回答的已标注查询计 0；不给出时，版本 9 不计入，版本 10 报错。")),
        (["-l", "--level_for_rel", "level"], {"type": click.IntRange(min=0), "default": 1}, Text("Grade from which a document is relevant.", "从该等级起算相关。")),
        (["-M", "--Max_retrieved_per_topic", "depth"], {"type": click.IntRange(min=0)}, Text("Only the best N documents of each topic.", "每个查询只取最好的 N 个文档。")),
        (["-J", "--Judged_docs_only", "judged_only"], {"is_flag": True}, Text("Drop unjudged documents first.", "先去掉未标注的文档。")),
        (["-N", "--Number_docs_in_coll", "collection"], {"type": positive}, Text("Documents in the collection; accepted, but no measure here uses it.", "文档总数；可以给出，但这里没有用到它的指标。")),
        (["-m", "--measure", "measures"], {"multiple": True, "metavar": "MEASURE[.PARAMS]"}, Text("A measure or a set of them; may be repeated.", "指标或一组指标，可重复给出。")),
        (["-Z", "--Zscore", "zscores"], {"metavar": "FILE"}, Text("Print how many standard deviations each value lies from the mean that FILE has for its topic and measure; a line of FILE: topic measure mean deviation.", "输出各值与 FILE 中该查询、该指标的均值相差几个标准差；FILE 每行为：查询 指标 均值 标准差。")),
        (["-R", "--Rel_info_format"], {"default": "qrels", "hidden": True, "expose_value": False, "callback": _refuse_format}, Text("The form of the judgements: qrels.", "标注的格式：qrels。")),
        (["--version"], {"type": click.Choice(VERSIONS), "default": VERSIONS[0]}, Text("Whose output: 9 has single-precision scores, prints answered topics only, and rounds recall levels up; 10 has double-precision scores, and rounds to the nearest.", "按哪个版本输出：版本 9 的分数为单精度，只输出已回答的查询，召回点向上取整；版本 10 的分数为双精度，召回点四舍五入。")),
    ]  # fmt: skip
    absent = Text("An option of trec_eval that pingce does not have.", "pingce 没有的 trec_eval 选项。")
    hidden = {"hidden": True, "expose_value": False, "callback": _refuse_option}
    for short, (long, _) in _OTHER_OPTIONS.items():
        options.append(([short, *([long] if long else [])], hidden | {"is_flag": long is None}, absent))
    return [
        click.Option(names, help=_help(text, more), shell_complete=complete_value, **more)
        for names, more, text in options
    ]


def _help(text: Text, more: dict[str, Any]) -> str:
    default = "official" if "multiple" in more else more.get("default")
    return str(text if default is None else with_default(text, default))


def _refuse_option(_: click.Context, option: click.Parameter, value: Any) -> None:
    short = option.opts[0]
    if value and value != _OTHER_OPTIONS[short][1]:
        raise InputError(
            f"{short}: trec_eval has this option, pingce trec_eval does not (see pingce trec_eval --help)",
            f"{short}：trec_eval 有此选项，pingce trec_eval 没有（参见 pingce trec_eval --help）",
        )


def _refuse_format(_: click.Context, __: click.Parameter, value: str) -> None:
    if value in _OTHER_FORMATS:
        readers = _OTHER_FORMATS[value]
        raise InputError(
            f"-R {value}: of trec_eval's measures only {readers} read such judgements, and pingce does not have them; every other measure reads -R qrels",
            f"-R {value}：trec_eval 中只有 {readers} 读取这种标注，而 pingce 没有这些指标；其他指标都读取 -R qrels",
        )
    if value != "qrels":
        hint = did_you_mean(value, ("qrels", *_OTHER_FORMATS))
        raise InputError(
            f"-R {value}: trec_eval has no such form of judgements{hint.en}; give -R qrels",
            f"-R {value}：trec_eval 没有这种标注格式{hint.zh}；请写 -R qrels",
        )
