"""`pingce ndeval`: what ndeval prints for the same words, to the byte, from pingce's own evidence and metrics."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any, cast

import click

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.jobs import refuse_stdin_twice
from pingce.cli.options import with_default
from pingce.cli.progress import Progress, doing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pingce.evidence.ranking.evidence import RankingEvidence
    from pingce.inputs import Rows
    from pingce.inputs.ids import IntIds, StringIds

_CUTOFFS = (5, 10, 20)
_COLUMNS = {
    **{f"ERR-IA@{k}": f"err_ia(alpha={{alpha}})@{k}" for k in _CUTOFFS},
    **{f"nERR-IA@{k}": f"nerr_ia(alpha={{alpha}})@{k}" for k in _CUTOFFS},
    **{f"alpha-DCG@{k}": f"alpha_dcg(alpha={{alpha}})@{k}" for k in _CUTOFFS},
    **{f"alpha-nDCG@{k}": f"alpha_ndcg(alpha={{alpha}})@{k}" for k in _CUTOFFS},
    "NRBP": "nrbp(alpha={alpha},beta={beta})",
    "nNRBP": "nnrbp(alpha={alpha},beta={beta})",
    "MAP-IA": "ap_ia",
    **{f"P-IA@{k}": f"p_ia@{k}" for k in _CUTOFFS},
    **{f"strec@{k}": f"subtopic_recall@{k}" for k in _CUTOFFS},
}
"What stands at the top of a column, and the metric in it."
_OTHER_OPTIONS = ("-baseline", "-riskAlpha")


def ndeval_options() -> list[click.Parameter]:
    """Those of ndeval, with its spelling; those for runs against a baseline are refused."""
    share = click.FloatRange(0, 1)
    options: list[tuple[list[str], dict[str, Any], Text]] = [
        (["-alpha", "alpha"], {"type": share, "default": 0.5}, Text("How much less a subtopic is worth each time it was served.", "子主题每被满足一次，其后的价值减少多少。")),
        (["-beta", "beta"], {"type": share, "default": 0.5}, Text("Patience of the reader, for NRBP.", "读者的耐心，用于 NRBP。")),
        (["-traditional", "traditional"], {"is_flag": True}, Text("Order lists by score, then by docno; without it by the column of ranks.", "按分数、再按 docno 排序；不给出时按名次列排序。")),
        (["-c", "complete"], {"is_flag": True}, Text("The mean is over all judged topics, not only those answered.", "对全部已标注的查询取平均，而不只是有回答的。")),
        (["-M", "depth"], {"type": click.IntRange(min=1)}, Text("Only the first N documents of each topic.", "每个查询只取前 N 个文档。")),
        (["-a", "every"], {"is_flag": True, "hidden": True, "expose_value": False}, Text("Accepted, as by ndeval; it changes nothing.", "可以给出，与 ndeval 一样没有作用。")),
    ]  # fmt: skip
    absent = Text("An option of ndeval that pingce does not have.", "pingce 没有的 ndeval 选项。")
    hidden = {"hidden": True, "expose_value": False, "callback": _refuse_option}
    options += [([name], hidden, absent) for name in _OTHER_OPTIONS]
    return [click.Option(names, help=_help(text, more), **more) for names, more, text in options]


def _help(text: Text, more: dict[str, Any]) -> str:
    return str(with_default(text, more["default"]) if "default" in more else text)


def _refuse_option(_: click.Context, option: click.Parameter, value: Any) -> None:
    if value is not None:
        raise InputError(
            f"{option.opts[0]}: ndeval has this option, pingce ndeval does not; pingce compare compares runs",
            f"{option.opts[0]}：ndeval 有此选项，pingce ndeval 没有；比较多份预测请用 pingce compare",
        )


def print_measures(qrels: str, run: str, **options: Any) -> None:
    """Read, score, print."""
    refuse_stdin_twice([qrels, run])
    from pingce.evidence.policies import Policies
    from pingce.evidence.ranking.compute import evidence_piece
    from pingce.inputs.columns import Reading

    with Progress():
        doing(Text(f"reading {qrels}", f"正在读取 {qrels}"))
        truth = _numbered(Reading(input_format="trec", subtopics=True).read(qrels, "truth"))
        doing(Text(f"reading {run}", f"正在读取 {run}"))
        columns = None if options["traditional"] else {"run.rank": 4}
        rows = Reading(columns, "trec").read(run, "run")
        tag = _tag(rows, run, ranked=not options["traditional"])
        rows = _numbered(rows)
        _refuse_same_ranks(rows)
        doing(Text(f"scoring {run}", f"正在评测 {run}"))
        evidence, extra = evidence_piece(truth, rows, Policies.of())
        if options["depth"] is not None:
            evidence = evidence.cut(options["depth"])
        topics, table = _table(evidence, cast("IntIds", rows.query.take(extra)), options)
    lines = [f"runid,topic,{','.join(_COLUMNS)}"]
    lines += [_line(tag, topic, values) for topic, values in zip(topics.tolist(), table.tolist(), strict=True)]
    count = len(evidence) if options["complete"] else int(evidence.answered.sum())
    sys.stdout.writelines(f"{line}\n" for line in [*lines, _line(tag, "amean", _means(table, count))])


def _table(
    evidence: RankingEvidence, unjudged: IntIds, options: dict[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The topics that the run answers, ascending, and their values; those without judgements have zeros."""
    import numpy as np

    from pingce.metrics.grammar import parse_metric

    view = evidence.select(evidence.answered).view()
    table = np.zeros((len(view) + len(unjudged), len(_COLUMNS)))
    for column, (name, metric) in enumerate(_COLUMNS.items()):
        values = parse_metric(metric.format(**options)).metric.values(view)
        # Without any relevant document ndeval divides 0 by 0 for nNRBP alone.
        table[: len(view), column] = values if name == "nNRBP" else np.nan_to_num(values, nan=0.0)
    topics = np.concatenate([cast("IntIds", view.evidence.queries.plain()).values, unjudged.plain().values])
    order = np.argsort(topics)
    return topics[order], table[order]


def _means(table: NDArray[np.float64], count: int) -> list[float]:
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        sums = np.add.accumulate(table, axis=0)[-1]
        return list((sums / np.float64(count)).tolist())


def _line(tag: str, topic: int | str, values: list[float]) -> str:
    # The only NaN is 0 divided by 0, which has a sign on the processors that ndeval mostly runs on.
    numbers = ("-nan" if isnan(value) else f"{value:.6f}" for value in values)
    return f"{tag},{topic},{','.join(numbers)}"


def _numbered(rows: Rows) -> Rows:
    """Topics and subtopics as the numbers that ndeval reads; in a run a topic may have a prefix that ends with -."""
    is_truth = rows.subtopic is not None
    query = _naturals(rows, rows.query, prefix=not is_truth)
    if rows.subtopic is None:
        return replace(rows, query=query)
    bad = (~((rows.value >= 0) & (rows.value % 1 == 0))).nonzero()[0]
    if len(bad):
        place, grade = rows.describe(int(bad[0])), rows.value[bad[0]]
        raise InputError(
            f"{place.en}: the judgment is {grade:g}, but ndeval reads whole numbers from 0 on; remove the line, or use pingce eval",
            f"{place.zh}：标注为 {grade:g}，而 ndeval 只读取不小于 0 的整数；请删除该行，或改用 pingce eval",
        )
    return replace(rows, query=query, subtopic=_naturals(rows, rows.subtopic))


def _naturals(rows: Rows, ids: Any, *, prefix: bool = False) -> IntIds:
    import numpy as np

    from pingce.evidence.ranking.truth_index import IdIndex
    from pingce.inputs.ids import IntIds

    index = IdIndex(ids)
    words = ids.take(index.first_rows()).plain().to_bytes()
    if prefix:
        words = [word if word[:1].isdigit() else word.partition(b"-")[2] for word in words]
    odd = next((place for place, word in enumerate(words) if not word.isdigit()), None)
    if odd is not None:
        place = rows.describe(int(index.first_rows()[odd]))
        raise InputError(
            f"{place.en}: ndeval reads topics and subtopics as numbers; use pingce eval",
            f"{place.zh}：ndeval 的查询与子主题须为数字；请改用 pingce eval",
        )
    return IntIds(np.array([int(word) for word in words], np.int64)[index.find(ids)])


def _refuse_same_ranks(run: Rows) -> None:
    """Two documents of a topic have the same rank, or their order would depend on luck."""
    import numpy as np

    if run.meaning != "rank":
        return
    query = cast("IntIds", run.query).values
    order = np.lexsort((-run.value, query))
    same = (np.diff(query[order]) == 0) & (np.diff(run.value[order]) == 0)
    if same.any():
        place = run.describe(int(order[1:][same].min()))
        raise InputError(
            f"{place.en}: another document of this topic has the same rank, which ndeval refuses; -traditional orders by score",
            f"{place.zh}：该查询的另一文档名次相同，ndeval 不接受；-traditional 按分数排序",
        )


_LONGEST_LINE = 1 << 16
_AFTER_ITEM = 2


def _tag(run: Rows, path: str, *, ranked: bool) -> str:
    """The sixth field of the first line."""
    items = cast("StringIds", run.item)
    end = int(items.ends[0])
    fields = items.data[end : end + _LONGEST_LINE].tobytes().split(b"\n", 1)[0].split()
    if len(fields) <= _AFTER_ITEM or (not ranked and run.meaning != "given"):
        raise InputError(
            f"{path}: ndeval reads six columns (topic Q0 docno rank score tag); use pingce eval",
            f"{path}：ndeval 读取六列（topic Q0 docno rank score tag）；请用 pingce eval",
        )
    return fields[_AFTER_ITEM].decode("utf-8", "backslashreplace")
