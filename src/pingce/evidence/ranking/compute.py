"""Rows to ranking evidence: ids made comparable, the core or the reference asked, and its findings judged by policy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.evidence.items.compute import RunLists, list_heads, run_lists
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import (
    HIT_COLUMNS,
    QUERY_COLUMNS,
    RankingEvidence,
    Tally,
    evidence_of_columns,
    no_evidence,
)
from pingce.evidence.ranking.faults import not_a_number, repeated, too_long
from pingce.evidence.ranking.findings import Columns, Faults, Findings
from pingce.evidence.ranking.intents import judged_items
from pingce.evidence.ranking.item_weights import resolve_weights, weighed_items
from pingce.evidence.ranking.overlap import comparable_ids, named_alike, refuse_no_overlap, refuse_unplaced
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids, concatenate

_LARGEST_GRADE = 1e100


def ranking_evidence(
    truth: Rows,
    run: Rows,
    policies: Policies | None = None,
    *,
    exclude: Rows | None = None,
    threads: int | None = None,
    depth: int = 0,
) -> RankingEvidence:
    """The evidence of a run against the truth, under the policies that concern rows.

    `exclude` are pairs (query, item) that are taken out of the run before it is ranked. A truth without rows is none: then
    there is only what lists show down to `depth`.
    """
    policies = policies or Policies()
    truth, run = comparable_ids(truth, run)
    if exclude is not None:
        exclude = comparable_exclude(exclude, truth, run)
    refuse_bad_grades(truth)
    evidence, _ = evidence_piece(truth, run, policies, exclude=exclude, threads=threads, depth=depth)
    if not len(truth):
        return replace(evidence, tally=Tally())
    refuse_no_overlap(truth, run, int(np.count_nonzero(evidence.answered & evidence.is_judged)))
    return evidence


def comparable_exclude(exclude: Rows, truth: Rows, run: Rows) -> Rows:
    """The excluded pairs with ids of the kinds that the truth has."""
    refuse_unplaced(exclude, truth, run)
    untyped = truth.source.untyped_ids
    query = named_alike(exclude, "query", truth.query, untyped=untyped)
    return replace(exclude, query=query, item=named_alike(exclude, "item", truth.item, untyped=untyped))


def evidence_piece(
    truth: Rows,
    run: Rows,
    policies: Policies,
    *,
    exclude: Rows | None = None,
    threads: int | None = None,
    depth: int = 0,
) -> tuple[RankingEvidence, NDArray[np.int64]]:
    """The evidence of some queries, one side of which may lack; and a row of each query of the run without judgements.

    Ids are comparable already, and grades are numbers. With a depth there is also what lists show down to it.
    """
    if policies.identical == "drop":
        exclude = with_own_items(exclude, truth, truth.query)
    run = replace(run, value=scores_as_compared(run, policies.score_type))
    if depth and not len(truth):
        return _unjudged_piece(run, policies, exclude=exclude, threads=threads, depth=depth)
    every, intents, weights = truth, None, None
    if (truth.subtopic is None and truth.weight is None) or not len(truth):
        parts = _compute(truth, run, exclude, policies, depth=depth, threads=threads)
    elif truth.subtopic is not None:
        items = judged_items(truth, truth.subtopic, policies.duplicates)
        truth = items.rows
        parts, intents = items.resolve(_compute(items.places(), run, exclude, policies, depth=depth, threads=threads))
    else:
        items = weighed_items(truth, policies.duplicates)
        truth = items.rows
        parts = _compute(items.places(), run, exclude, policies, depth=depth, threads=threads)
        parts, weights = resolve_weights(items, parts)
    refuse_faults(parts, run, policies, every)
    extra: NDArray[np.int64] = parts.columns["extra_rows"]
    if policies.extra == "error" and len(extra) and (len(truth) or not depth):
        row = run.describe(int(extra.min()))
        raise InputError(
            f"{row.en}: {len(extra)} queries of the run have no judgements; extra=ignore leaves them out",
            f"{row.zh}：预测中有 {len(extra)} 个查询没有标注；extra=ignore 可忽略它们",
        )
    evidence = replace(_evidence(truth, run, parts), intents=intents, weights=weights)
    if parts.heads is not None:
        return replace(evidence, heads=list_heads(run, parts.heads, depth)), extra
    if depth:
        if policies.identical == "drop":
            exclude = with_own_items(exclude, run, run.query.take(extra))
        lists = run_lists(run, policies, depth=depth, exclude=exclude, threads=threads)
        refuse_faults(Findings(lists.columns, lists.faults), run, policies)
        evidence = with_heads(evidence, lists)
    return evidence, extra


def _unjudged_piece(
    run: Rows, policies: Policies, *, exclude: Rows | None, threads: int | None, depth: int
) -> tuple[RankingEvidence, NDArray[np.int64]]:
    """The evidence of lists of which nothing is judged, and a row of each."""
    if policies.identical == "drop":
        exclude = with_own_items(exclude, run, run.query.take(IdIndex(run.query).first_rows()))
    lists = run_lists(run, policies, depth=depth, exclude=exclude, threads=threads)
    refuse_faults(Findings(lists.columns, lists.faults), run, policies)
    evidence = _without_judgements(lists, np.arange(len(lists.queries)))
    evidence = replace(evidence, heads=lists.heads, tally=Tally(len(lists.queries), len(run)))
    return evidence, np.sort(lists.first_row)


def with_heads(evidence: RankingEvidence, lists: RunLists) -> RankingEvidence:
    """Evidence with what all lists of the run show; those without judgements become queries without any."""
    unjudged = np.flatnonzero(IdIndex(evidence.queries).find(lists.queries) < 0)
    every = RankingEvidence.joined([evidence, _without_judgements(lists, unjudged)]) if len(unjudged) else evidence
    index = IdIndex(lists.queries)
    group = index.find(every.queries)
    return replace(every, heads=lists.heads.among(np.append(index.first_rows(), -1)[group]))


def _without_judgements(lists: RunLists, chosen: NDArray[np.intp]) -> RankingEvidence:
    """The evidence of lists that no truth knows: how long they are, and what policies removed."""
    count, nothing = len(chosen), no_evidence(lists.queries, Tally())
    columns: Columns = {name: getattr(nothing, name) for name in (*HIT_COLUMNS, "judged")}
    columns |= {name: column[chosen] for name, column in lists.columns.items()}
    columns |= {name: np.zeros(count + 1, np.int64) for name in ("hit_begin", "judged_begin")}
    columns |= {"answered": np.ones(count, bool), "truth_repeats": np.zeros(count, np.int64)}
    return evidence_of_columns(lists.queries.take(chosen), columns, nothing.top_grade, nothing.tally)


def with_own_items(exclude: Rows | None, rows: Rows, queries: Ids) -> Rows | None:
    """Also each of some queries with the item of the same id: corpora whose documents serve as queries return them first."""
    if rows.query.integers != rows.item.integers or not len(queries):
        return exclude
    ones = np.ones(len(queries))
    pairs = replace(rows, query=queries, item=queries, value=ones, whole=None, subtopic=None, weight=None)
    if exclude is None:
        return pairs
    query, item = (concatenate([getattr(exclude, part), getattr(pairs, part)]) for part in ("query", "item"))
    return replace(exclude, query=query, item=item, value=np.concatenate([exclude.value, pairs.value]))


def scores_as_compared(run: Rows, score_type: str) -> NDArray[np.float64]:
    """Scores as the policy wants them compared. Integers too large for doubles become their place in order."""
    if run.whole is not None and score_type == "given":
        order = np.unique(run.whole, return_inverse=True)[1].reshape(-1).astype(np.float64)
        return np.where(np.isnan(run.value), run.value, order)
    if score_type != "float32" or run.ordered:
        return run.value
    with np.errstate(over="ignore"):
        return run.value.astype(np.float32).astype(np.float64)


def _compute(
    truth: Rows, run: Rows, exclude: Rows | None, policies: Policies, *, depth: int, threads: int | None
) -> Findings:
    """What the core finds, or the reference; where all lists are judged, the core finds their heads on the way."""
    core = native_core()
    if core is None:
        from pingce.evidence.ranking.reference import reference_evidence

        return reference_evidence(truth, run, policies.duplicates, policies.nan, exclude)
    parts = core.ranking_evidence(
        truth.query.pieces(),
        truth.item.pieces(),
        np.ascontiguousarray(truth.value),
        run.query.pieces(),
        run.item.pieces(),
        np.ascontiguousarray(run.value),
        [] if exclude is None else exclude.query.pieces(),
        [] if exclude is None else exclude.item.pieces(),
        core.Duplicates[policies.duplicates],
        core.NotANumber[policies.nan],
        depth,
        thread_count(threads),
    )
    return Findings(faults=Faults(**parts.pop("faults")), heads=parts.pop("heads", None), columns=parts)


def _evidence(truth: Rows, run: Rows, parts: Findings) -> RankingEvidence:
    columns = parts.columns
    names = (*QUERY_COLUMNS[1:], *HIT_COLUMNS, "hit_begin", "judged_begin", "judged")
    return evidence_of_columns(
        truth.query.take(columns["query_rows"]),
        {"answered": columns["answered"].astype(bool), **{name: columns[name] for name in names}},
        top_grade=float(truth.value.max(initial=-np.inf)),
        tally=Tally(extra_queries=len(columns["extra_rows"]), extra_rows=len(run) - int(columns["given"].sum())),
    )


def refuse_bad_grades(truth: Rows) -> None:
    """Grades are numbers that can be added up."""
    bad = np.flatnonzero(~(np.abs(truth.value) <= _LARGEST_GRADE))
    if len(bad):
        row = int(bad[0])
        place, value = truth.describe(row), truth.value[row]
        raise InputError(
            f"{place.en}: the grade is {value:g}; grades must be numbers between ±1e100",
            f"{place.zh}：等级为 {value:g}；等级须在 ±1e100 之间",
        )


def refuse_faults(parts: Findings, run: Rows, policies: Policies, truth: Rows | None = None) -> None:
    """Name the first row that a policy does not let pass, of the run and, where there is one, of the truth."""
    columns, faults, _ = parts
    if faults.long_query is not None:
        raise too_long(run, faults.long_query)
    if policies.nan == "error" and faults.nan_row is not None:
        raise not_a_number(run, faults.nan_row, columns["nan_rows"].sum())
    if policies.duplicates == "error":
        if truth is not None and faults.truth_duplicate is not None:
            raise repeated(truth, faults.truth_duplicate, columns["truth_repeats"].sum())
        if faults.run_duplicate is not None:
            raise repeated(run, faults.run_duplicate, columns["run_repeats"].sum())
