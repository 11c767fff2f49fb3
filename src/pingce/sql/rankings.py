"""Queries of rankings: equal scores stand in descending order of the item, as `ties=id` has it."""

from __future__ import annotations

from pingce.metrics.ranking.average_precision import AveragePrecision, ReciprocalRank
from pingce.metrics.ranking.cumulated import CumulatedGain, DiscountedCumulatedGain, NormalizedDCG
from pingce.metrics.ranking.precision_recall import FMeasure, HitRate, Hits, Precision, Recall
from pingce.sql.draft import Draft, Step, double, writes
from pingce.sql.rows import is_nan, none_of, total

_POLICIES = "relevant ties"
_ZERO, _ONE = double(0), double(1)
_BINARY = "binary"
_GAINS = {"exp2": f"POWER({double(2)}, j.grade) - 1", "linear": "j.grade", _BINARY: _ONE}
LARGEST_GRADE = 1023
"Whose power of two is still a number."
_PARTS = ("query", "item")
_ORDERS = {"id": "DESC", "id_ascending": "ASC"}


def _hits(draft: Draft, gain: str = "linear") -> list[Step]:
    """Every judged item with its rank, where it was returned, whether it is relevant, and what it gains."""
    level, gains = _level(draft), _GAINS[gain]
    least = level if gain == _BINARY else "0"
    order = _chosen(draft, "ties", draft.policy("ties", "id"), _ORDERS)
    compare = ">=" if gain == _BINARY else ">"
    return [
        *_sides(draft),
        Step(
            "pc_ranked",
            "SELECT pc_query AS query, pc_item AS item,\n"
            f"  ROW_NUMBER() OVER (PARTITION BY pc_query ORDER BY pc_score DESC, pc_item {order}) AS place\n"
            f"FROM pc_run\nWHERE {_whole('pc_score')}",
        ),
        Step(
            "pc_judged",
            f"SELECT pc_query AS query, pc_item AS item, pc_grade AS grade\nFROM pc_qrels\nWHERE {_whole('pc_grade')}",
        ),
        Step(
            "pc_hits",
            f"SELECT j.query, r.place,\n  CASE WHEN j.grade >= {level} THEN 1 ELSE 0 END AS relevant,\n"
            f"  CASE WHEN j.grade {compare} {least} THEN {gains} ELSE {_ZERO} END AS gain\n"
            "FROM pc_judged j LEFT JOIN pc_ranked r ON j.query = r.query AND j.item = r.item",
        ),
        Step(
            "pc_list",
            "SELECT query, place, relevant, gain,\n"
            "  SUM(CASE WHEN place IS NOT NULL THEN relevant ELSE 0 END)\n"
            "    OVER (PARTITION BY query ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS found,\n"
            "  ROW_NUMBER() OVER (PARTITION BY query ORDER BY gain DESC) AS best\nFROM pc_hits",
        ),
    ]


def _sides(draft: Draft) -> list[Step]:
    """What is read of both tables by names of its own; text becomes numbers."""
    query, item = draft.column("query"), draft.column("item")
    columns = f"SELECT {query} AS pc_query, {item} AS pc_item"
    return [
        Step(f"pc_{side}", f"{columns}, CAST({draft.column(role)} AS DOUBLE) AS pc_{role}\nFROM {draft.table(side)}")
        for side, role in (("run", "score"), ("qrels", "grade"))
    ]


def _whole(number: str) -> str:
    """The condition that nothing of a row is NULL, and its number is one."""
    return f"{none_of(['pc_query', 'pc_item', number])} AND {is_nan(number)} = 0"


def _kinds(draft: Draft) -> tuple[str, str]:
    """Of a table, which of its ids are integers; of both, how many are integers here and text there: a join would cast them silently."""
    if not (integer := draft.dialect.integer):
        return "", "CAST(NULL AS BIGINT)"
    parts = {f"{part}_kind": f"MAX(CASE WHEN {integer.format(f'pc_{part}')} THEN 1 ELSE 0 END)" for part in _PARTS}
    apart = " + ".join(f"MAX({kind}) - MIN({kind})" for kind in parts)
    return "".join(f", {kind} AS {name}" for name, kind in parts.items()), f"COALESCE({apart}, 0)"


def _counts(draft: Draft) -> list[Step]:
    """What is left out or odd in either table, and what stands in one of them alone."""
    lacking, pair = "NOT ({})".format, [f"pc_{part}" for part in _PARTS]
    usual = f"pc_grade IS NULL OR (pc_grade >= 0 AND pc_grade <= {LARGEST_GRADE})"
    nulls, nans, grades = "AS null_rows", "AS nan_scores", "AS odd_grades"
    of_run = f"{total(lacking(none_of([*pair, 'pc_score'])))} {nulls}, COALESCE(SUM({is_nan('pc_score')}), 0) {nans}, 0 {grades}"
    of_qrels = f"{total(lacking(none_of([*pair, 'pc_grade'])))} {nulls}, 0 {nans}, {total(lacking(usual))} {grades}"
    kinds, mixed = _kinds(draft)
    sums = ", ".join(f"SUM({name}) AS {name}" for name in ("null_rows", "nan_scores", "odd_grades"))
    pairs = "SELECT COUNT(*) AS times FROM {} GROUP BY query, item".format
    return [
        Step("pc_sides", f"SELECT {of_run}{kinds}\nFROM pc_run\nUNION ALL\nSELECT {of_qrels}{kinds}\nFROM pc_qrels"),
        Step("pc_counts", f"SELECT {sums}, {mixed} AS mixed_ids\nFROM pc_sides"),
        Step("pc_pairs", f"{pairs('pc_ranked')}\nUNION ALL\n{pairs('pc_judged')}"),
        Step("pc_repeats", "SELECT COALESCE(SUM(times - 1), 0) AS repeated_pairs\nFROM pc_pairs"),
        Step(
            "pc_extra",
            "SELECT COUNT(*) - COUNT(s.query) AS unjudged_queries\n"
            "FROM pc_answers a LEFT JOIN pc_sums s ON a.query = s.query",
        ),
    ]


def _level(draft: Draft) -> str:
    level = draft.policy("relevant", 1)
    if isinstance(level, str):
        _chosen(draft, "relevant", level, {})
    return double(float(level))


def _chosen(draft: Draft, name: str, value: object, words: dict[str, str]) -> str:
    from pingce.base.errors import InputError

    if value not in words:
        choices = ", ".join(words) or "a number"
        raise InputError(
            f"{draft.request.name}: there is no query for {name}={value}; it may be {choices}",
            f"{draft.request.name}：{name}={value} 没有对应的查询；可为 {'、'.join(words) or '数字'}",
        )
    return words[str(value)]


def _within(draft: Draft, place: str = "place") -> str:
    """The condition that an item stands in the list, or in its top k."""
    return f"{place} IS NOT NULL" if draft.metric.k is None else f"{place} <= {draft.metric.k}"


def _mean(
    draft: Draft, value: str, *, gain: str = "linear", defined: str = "total_relevant > 0", sums: str = ""
) -> list[Step]:
    """The mean of a value over the queries that define it; a judged query that was not answered counts."""
    hits = f"SUM(CASE WHEN {_within(draft)} THEN relevant ELSE 0 END) AS hits"
    return [
        *_hits(draft, gain),
        Step("pc_answers", "SELECT query, COUNT(*) AS returned FROM pc_ranked GROUP BY query"),
        Step("pc_sums", f"SELECT query, SUM(relevant) AS total_relevant, {hits}{sums}\nFROM pc_list\nGROUP BY query"),
        Step(
            "pc_queries",
            f"SELECT CASE WHEN {defined} THEN {value} END AS of_query, a.returned\n"
            "FROM pc_sums s LEFT JOIN pc_answers a ON s.query = a.query",
        ),
        Step(
            "pc_mean",
            "SELECT\n  AVG(of_query) AS value,\n  COUNT(of_query) AS query_count,\n  COUNT(*) - COUNT(of_query) AS undefined_queries,\n"
            "  COUNT(*) - COUNT(returned) AS unanswered_queries\nFROM pc_queries",
        ),
        *_counts(draft),
        Step(
            "",
            "SELECT\n  CASE WHEN COALESCE(c.mixed_ids, 0) = 0 THEN m.value END AS value,\n  m.query_count,\n  m.undefined_queries,\n"
            "  m.unanswered_queries,\n  e.unjudged_queries,\n  c.null_rows,\n"
            "  c.nan_scores,\n  r.repeated_pairs,\n  c.odd_grades,\n  c.mixed_ids\n"
            "FROM pc_mean m CROSS JOIN pc_counts c CROSS JOIN pc_repeats r CROSS JOIN pc_extra e",
        ),
    ]


def _returned(draft: Draft) -> str:
    return "COALESCE(a.returned, 0)" if draft.metric.k is None else str(draft.metric.k)


def _share(top: str, bottom: str) -> str:
    return f"CASE WHEN {bottom} > 0 THEN CAST({top} AS DOUBLE) / {bottom} ELSE {_ZERO} END"


@writes(Precision, policies=_POLICIES)
def precision(draft: Draft) -> list[Step]:
    """Hits by k, or by the length of the list."""
    return _mean(draft, _share("hits", _returned(draft)))


@writes(Recall, policies=_POLICIES)
def recall(draft: Draft) -> list[Step]:
    """Hits by the relevant items."""
    return _mean(draft, _share("hits", "total_relevant"))


@writes(FMeasure, parameters="beta", policies=_POLICIES)
def f_measure(draft: Draft) -> list[Step]:
    """The mean of precision and recall of each query."""
    square = double(float(draft.metric.beta) ** 2)
    return _mean(draft, _share(f"(1 + {square}) * hits", f"({square} * total_relevant + {_returned(draft)})"))


@writes(HitRate, policies=_POLICIES)
def hit_rate(draft: Draft) -> list[Step]:
    """Whether there is a hit."""
    return _mean(draft, f"CASE WHEN hits > 0 THEN {_ONE} ELSE {_ZERO} END")


@writes(Hits, policies=_POLICIES)
def hits(draft: Draft) -> list[Step]:
    """How many hits there are."""
    return _mean(draft, "CAST(hits AS DOUBLE)")


@writes(ReciprocalRank, policies=_POLICIES)
def reciprocal_rank(draft: Draft) -> list[Step]:
    """One by the rank of the first hit."""
    first = f",\n  MIN(CASE WHEN relevant = 1 AND {_within(draft)} THEN place END) AS first_place"
    return _mean(draft, f"COALESCE({_ONE} / first_place, {_ZERO})", sums=first)


@writes(AveragePrecision, policies=_POLICIES)
def average_precision(draft: Draft) -> list[Step]:
    """The precision at every hit, by the relevant items."""
    terms = f",\n  SUM(CASE WHEN relevant = 1 AND {_within(draft)} THEN CAST(found AS DOUBLE) / place ELSE {_ZERO} END) AS total"
    return _mean(draft, "total / total_relevant", sums=terms)


@writes(CumulatedGain, parameters="gain", policies=_POLICIES)
def cumulated_gain(draft: Draft) -> list[Step]:
    """The gains of the list."""
    gains = f",\n  SUM(CASE WHEN {_within(draft)} THEN gain ELSE {_ZERO} END) AS total"
    return _mean(draft, "total", gain=_gain(draft), sums=gains)


def _gain(draft: Draft) -> str:
    """How grades gain; a table of gains has no query."""
    gain = draft.metric.gain
    _chosen(draft, "gain", gain, _GAINS)
    return str(gain)


def _discounted(draft: Draft, place: str, name: str) -> str:
    return f",\n  SUM(CASE WHEN {_within(draft, place)} THEN gain / LOG2({place} + 1) ELSE {_ZERO} END) AS {name}"


@writes(DiscountedCumulatedGain, parameters="gain", policies=_POLICIES)
def discounted(draft: Draft) -> list[Step]:
    """The gains of the list, less further down."""
    return _mean(draft, "total", gain=_gain(draft), sums=_discounted(draft, "place", "total"))


@writes(NormalizedDCG, parameters="gain", policies=_POLICIES)
def normalized(draft: Draft) -> list[Step]:
    """The same by that of the best order of the judged items."""
    sums = _discounted(draft, "place", "total") + _discounted(draft, "best", "ideal")
    return _mean(draft, "total / ideal", gain=_gain(draft), defined="ideal > 0", sums=sums)
