"""What an evaluator of rankings has seen: batches that wait, and the evidence of those that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.errors import EmptyInputError, InputError, nothing_seen
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence.items.background import Background, refuse_absent_table
from pingce.evidence.items.directory import Directory
from pingce.evidence.items.judged import judged_items
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.compute import comparable_exclude, refuse_bad_grades
from pingce.evidence.ranking.evidence import RankingEvidence, Tally
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.overlap import comparable_ids, refuse_no_overlap
from pingce.inputs import Ids, Rows
from pingce.request import Request
from pingce.run.plan import Plan
from pingce.run.rankings import RankingInputs, depth_of, score_inputs, score_lists, score_views
from pingce.run.states.base import Batches, State, checked_split
from pingce.run.states.fixed_tables import FixedTables, Judgements
from pingce.run.states.ranking_batches import (
    RankingBatch,
    RowMemory,
    Sample,
    joined_batches,
    queries_of,
    refuse_other_columns,
    refuse_positions,
    whole_run,
)
from pingce.run.states.ranking_pieces import (
    Key,
    Needs,
    Piece,
    in_two_batches,
    no_rows_like,
    one_piece,
    piece_of,
    refuse_repeated_queries,
    unanswered_piece,
)
from pingce.run.sums import RankingSums, SummedViews
from pingce.run.tallied_views import TalliedViews
from pingce.run.tallies import RankingTally
from pingce.run.view_policies import needs_top_grade, refuse_item_weights, tables_under
from pingce.run.views import EvidenceViews, Views
from pingce.scores.ranking import RankingScores
from pingce.slices.queries import QueryBy
from pingce.tasks.ranking import BACKGROUND

if TYPE_CHECKING:
    from typing_extensions import Self


_MOST_PENDING = 2_000_000
"Rows that wait before they become evidence: so many that what a batch costs beside its rows is lost among them."
_MANY = 10
"By such a part of them it is plain that there will be many."
_SOME = "some of the "
USUAL = ("ndcg@10", "map", "mrr", "recall@100", "precision@10", "hit_rate@10")
"Metrics where none was named."


class RankingState(State):
    """Batches in, evidence out."""

    def __init__(self, request: Request, tables: FixedTables | None = None) -> None:
        checked_split(request.split, Text("query", "查询"))
        self.request = request
        self._split, self._threads = request.split, request.threads
        self._fixed = FixedTables() if tables is None else tables
        self._metrics = request.metrics or request.usual(USUAL)
        if request.reading.weighs_items:
            refuse_item_weights(self._metrics, request.policies)
        keys = (metric.under(request.policies) for metric in self._metrics)
        self._needs = Needs(
            {policies.row_policies: policies for policies in keys},
            depth_of(self._metrics),
            any(metric.metric.needs_judged_items for metric in self._metrics),
        )
        self._is_truthless = not any("qrels" in metric.metric.tables for metric in self._metrics)
        "Whether no metric looks at relevance, so that there need not be a truth."
        self.batches = Batches()
        self.count = 0
        "Batches with rows."
        self._pending: list[RankingBatch] = []
        self._waiting = 0
        "Rows of the batches that wait."
        self._memory: RowMemory | None = None
        "For rows that others have arrays of, once it is plain that there are many."
        self._pieces: list[Piece] = []
        self._tallies: list[RankingTally] = []
        self._sums: list[RankingSums] = []
        self._plan = Plan(tuple(self._metrics), request.policies, tuple(self._needs.policies))
        self._backgrounds: dict[Key, Background] = {}
        "What is known of items, with ids as the run has them, by policies that concern rows."
        self._samples = {name: Sample() for name in ("run", "truth", "exclude")}
        self._run, self._truth = self._samples["run"], self._samples["truth"]
        self._judgements: Judgements | None = None

    @property
    def _is_tallied(self) -> bool:
        """Whether values and counters are kept of whole queries instead of evidence.

        Not where metrics need lists, or a top grade that is not known yet, or tables of items that are not here.
        """
        metrics, fixed = [metric.metric for metric in self._metrics], self._fixed
        if self._split != "never" or any(metric.needs_lists for metric in metrics):
            return False
        if (
            not fixed.has("truth")
            and fixed.top_grade is None
            and any(needs_top_grade(metric, self.request.policies) for metric in self._metrics)
        ):
            return False
        if self._plan.corrects and "catalog" in fixed.lacks:
            return False
        return not self._plan.of_items or (self._are_items_counted and not self._lacks_tables)

    @property
    def _are_items_counted(self) -> bool:
        """Whether nobody looks at lists beyond counters and values: slices of what is one value of the run do, and draws of lists."""
        wholes = [metric.metric for metric in self._metrics if metric.metric.is_whole]
        draws = self.request.intervals.ci is not None and any(metric.is_of_columns() for metric in wholes)
        condenses = any(metric.under(self.request.policies).judged_only == "yes" for metric in self._metrics)
        return not (condenses or draws or (wholes and self._fixed.has("by")))

    @property
    def _lacks_tables(self) -> bool:
        """Whether a table of items is elsewhere that must be at hand when lists are counted."""
        metrics = (metric.metric for metric in self._metrics if metric.metric.of_items)
        needed = {name for metric in metrics for name in metric.counting_tables}
        return not needed.isdisjoint(self._fixed.lacks)

    @property
    def lends(self) -> Background | None:
        """The tables of items without which others like this one would have to send lists home; None where they need none."""
        metrics = (metric.metric for metric in self._metrics if metric.metric.of_items)
        needed = {name for metric in metrics for name in metric.counting_tables} & {*self._fixed.background.present}
        if not needed or not self._is_tallied:
            return None
        return Background(**{name: getattr(self._fixed.background, name) for name in needed})

    @property
    def is_valued_apart(self) -> bool:
        """Whether a part of the queries suffices for their values: not for the catalogue, or the items that any query has judged."""
        return not (self._plan.corrects or self._needs.judged)

    def borrow(self, background: Background) -> None:
        """Count lists with tables of items that another state of the same request lends."""
        self._fixed.borrow(background)
        self._backgrounds = {}

    def settings(self) -> Json:
        """How many rows each table has that was given for all batches, and a hash of them."""
        top_grade = self._fixed.top_grade
        return self._fixed.fingerprints | ({} if top_grade is None else {"top_grade": top_grade.hex()})

    @property
    def summary(self) -> str:
        return f"{self.count} batches seen"

    def add(self, rows: RankingBatch) -> None:
        self._add(rows)

    def add_borrowed(self, rows: RankingBatch) -> None:
        self._add(rows, borrowed=True)

    def _add(self, rows: RankingBatch, *, borrowed: bool = False) -> None:
        batch = self._comparable(rows)
        refuse_positions(self._run, batch.run)
        refuse_other_columns(self._run, batch.run)
        refuse_other_columns(self._truth, batch.truth)
        if self._split == "never" and self._waiting >= _MOST_PENDING:
            self.settle()
        for name, sample in self._samples.items():
            sample.add(getattr(batch, name))
        if batch.run is not None or batch.truth is not None:
            self.count += 1
            self.batches.count += 1
            batch = self._own(batch) if borrowed else batch
            lone = batch.run is None or (batch.truth is None and not self._needs.depth)
            self._wait([batch._replace(exclude=None if lone else batch.exclude, number=self.batches.count)])

    def add_evidence(self, piece: Piece, sample: Rows) -> None:
        """See whole lists that became evidence elsewhere; some rows of them are there for messages."""
        batch = self._comparable(RankingBatch(sample))
        refuse_other_columns(self._run, batch.run)
        self._run.add(batch.run)
        self.count += 1
        self.batches.count += 1
        self._keep(piece)

    def judgements_of(self, queries: Ids, sample: Rows) -> tuple[Rows, Rows | None] | None:
        """The judgements and excluded pairs of some queries, with ids as the sample has them; None where the truth comes with batches.

        Also where queries may come in parts, or items have weights, so that their rows must be kept.
        """
        if self._split != "never" or self._fixed.truth is None or self._fixed.truth.weight is not None:
            return None
        self._fixed.refuse_lacking("truth", "exclude")
        self._like_truth(self._fixed.truth, sample)
        if self._judgements is None:
            return None
        self._judgements.prepare(sample)
        return self._judgements.of(queries)

    @property
    def needs(self) -> Needs:
        """What pieces of evidence are made for."""
        return self._needs

    def _own(self, batch: RankingBatch) -> RankingBatch:
        """The batch in memory of this state: that of many rows is taken at once, on large pages, and used again."""
        if self._memory is None and self._split == "never" and _MANY * (self._waiting + batch.rows) >= _MOST_PENDING:
            self._memory = memory = RowMemory(2 * _MOST_PENDING)
            self._pending = [waiting.owned(memory) for waiting in self._pending]
        return batch.owned(self._memory)

    def _wait(self, batches: Sequence[RankingBatch]) -> None:
        self._pending += batches
        self._waiting += sum(batch.rows for batch in batches)

    def _comparable(self, batch: RankingBatch) -> RankingBatch:
        """The batch with ids of one kind on all sides, and without sides that have no rows."""
        if batch.truth is not None or batch.exclude is not None:
            self._refuse_own_sides(batch)
        else:
            self._fixed.refuse_lacking("truth", "exclude")
        run, truth, exclude = (rows if rows is not None and len(rows) else None for rows in batch.sides)
        if self._fixed.truth is not None:
            return RankingBatch(None if run is None else self._like_truth(self._fixed.truth, run))
        if truth is not None:
            refuse_bad_grades(truth)
        elif self._is_truthless and run is not None and self._truth.first is None:
            return self._unjudged(run, exclude)
        beside, against = truth or self._truth.first, run or self._run.first
        if beside is not None and against is not None:
            beside, against = comparable_ids(beside, against)
            exclude = None if exclude is None else comparable_exclude(exclude, beside, against)
        return RankingBatch(run and against, truth and beside, exclude)

    def _unjudged(self, run: Rows, exclude: Rows | None) -> RankingBatch:
        """A batch without a truth, which nobody looks at; pairs to exclude are of its kinds of ids."""
        nothing = no_rows_like(run)
        if self._fixed.exclude is not None:
            self._judgements = self._judgements or Judgements(nothing, self._fixed.exclude)
        return RankingBatch(run, None, None if exclude is None else comparable_exclude(exclude, nothing, run))

    def _refuse_own_sides(self, batch: RankingBatch) -> None:
        if self._split != "never":
            raise InputError(
                'judgements that come with a batch are of its own queries: make the evaluator with split="never", or give it '
                "the whole truth",
                '随批次给出的标注只属于该批次的查询：请用 split="never" 创建评测器，或一次给出全部真值',
            )
        refuse_popularity(self._fixed.by)
        if batch.exclude is not None:
            self._refuse_reference()
        for name in ("truth", "exclude"):
            if getattr(batch, name) is not None and self._fixed.has(name):
                raise InputError(
                    f"the evaluator was made with the {name} of all queries; give it there or with the batches, not both",
                    f"评测器在创建时已给出全部查询的 {name}；请只在一处给出",
                )

    def _like_truth(self, fixed: Rows, run: Rows) -> Rows:
        """The run with ids as the truth has them; or else the truth, once, with ids as the run has them."""
        before = self._judgements.truth.all if self._judgements else fixed
        truth, run = comparable_ids(before, run)
        if self._judgements is None or truth is not before:
            refuse_other_columns(self._run, run)
            self._judgements = Judgements(truth, self._fixed.exclude)
        return run

    def score(self) -> RankingScores:
        """The scores of all batches; queries that none of them answered are missing."""
        if not self.count:
            raise nothing_seen()
        fixed, whole = self._fixed, self.whole()
        if whole is not None:
            truth, run = self._both_sides(whole.truth, whole.run)
            exclude, some = whole.exclude, self._samples["exclude"].rows()
            if exclude is None and some is not None:  # given, but of other queries
                exclude = no_rows_like(some)
            inputs = RankingInputs(truth, run, exclude, fixed.query_weight, by=fixed.by, background=fixed.background)
            return self.score_rows(inputs)
        views, extra, facts = self._views() if not self._sums else self._summed_views()
        first = views.judged(self._metrics[0].under(self.request.policies))
        truth, run, exclude = self.sides(first, fixed.by)
        inputs = RankingInputs(truth, run, exclude, fixed.query_weight, extra, facts, fixed.by, fixed.background)
        return score_inputs(self.request, self._metrics, views, inputs)

    def score_rows(self, rows: RankingInputs) -> RankingScores:
        return score_lists(self.request, self._metrics, rows)

    def whole(self) -> RankingBatch | None:
        """All rows as one batch while they are all here; None once there is evidence."""
        if self._pieces or self._tallies or self._sums:
            return None
        self._fixed.refuse_lacking(*FixedTables.NAMES)
        self._memory = None  # these rows are others' from now on
        if self._split == "allowed":
            batch = RankingBatch(whole_run(self._pending))
        else:
            batch = joined_batches(self._pending)
            if len(self._pending) > 1:
                self._queries()
        if self._judgements is not None:
            return batch._replace(truth=self._judgements.truth.all, exclude=self._fixed.exclude)
        return batch

    def _queries(self) -> Ids:
        """The queries of the batches that wait; one that is in two of them is refused."""
        every, twice = queries_of(self._pending)
        if len(twice):
            raise in_two_batches(twice)
        return every

    def settle(self) -> None:
        """Make evidence of the batches that wait; their rows are forgotten."""
        if not self._pending:
            return
        queries = self._queries()
        run, truth, exclude = joined_batches(self._pending).sides
        if self._judgements is not None and run is not None:
            self._judgements.prepare(run)
            truth, exclude = self._judgements.of(queries)
        self._keep(piece_of(truth, run, self._needs, exclude=exclude, threads=self._threads))
        self._pending, self._waiting = [], 0
        if self._memory is not None:
            self._memory.clear()

    def _keep(self, piece: Piece) -> None:
        """Keep values and facts of the queries where metrics need no more, else their evidence."""
        if self._is_tallied:
            self._tallies.append(self._tally(piece))
        else:
            self._pieces.append(piece)

    def _tally(self, piece: Piece) -> RankingTally:
        """What is kept of a piece."""
        top_grade = self._fixed.top_grade if self._judgements is None else self._judgements.truth.top
        if self._plan.of_items or self._plan.corrects:
            evidence = {key: replace(each, background=self._background(key)) for key, each in piece.evidence.items()}
            piece = piece._replace(evidence=evidence)
        return RankingTally.of(piece, self._plan, top_grade)

    def _settle_pieces(self) -> None:
        """Tally evidence that came from where tables lacked, or from pingce 0.1.0, as soon as all that it needs is here."""
        if self._pieces and self._is_tallied and "truth" not in self._fixed.lacks:
            pieces, self._pieces = self._pieces, []
            self._tallies += map(self._tally, pieces)

    def _join(self) -> Piece | RankingTally:
        """Everything that was seen, as one."""
        self.settle()
        self._memory = None
        self._settle_pieces()
        if not self._tallies:
            self._pieces = [one_piece(self._pieces, self._needs)]
            return self._pieces[0]
        if len(self._tallies) > 1:
            refuse_repeated_queries(self._tallies)
            self._tallies = [RankingTally.joined(self._tallies)]
        return self._tallies[0]

    def _views(self) -> tuple[Views, Ids, ScoreFacts]:
        """All judged queries, answered or not; queries of the run without judgements; the facts of all scores."""
        self._fixed.refuse_lacking(*FixedTables.NAMES)
        whole = self._join()
        if self._judgements is None and self._fixed.truth is not None:
            self._like_truth(*both_sides(self._fixed.truth, self._run.rows()))
        truth = None if self._judgements is None else self._judgements.truth
        rest = None if truth is None else truth.of_others(whole.queries)
        others = unanswered_piece(rest, self._needs, self._threads) if rest is not None and len(rest) else None
        if isinstance(whole, RankingTally):
            tally = whole if others is None else RankingTally.joined([whole, self._tally(others)])
            return self._tallied_views(tally), whole.extra, whole.scores
        evidence = dict(whole.evidence)
        if truth is not None:
            evidence = {key: replace(each, top_grade=truth.top) for key, each in evidence.items()}
        if others is not None:
            evidence = {key: RankingEvidence.joined([evidence[key], others.evidence[key]]) for key in evidence}
        if self._needs.depth or self._plan.corrects:
            judged = self._judged_items(whole)
            evidence = {
                key: replace(
                    each,
                    background=replace(self._background(key), judged=judged),
                    tally=Tally() if self._lacks_truth else each.tally,
                )
                for key, each in evidence.items()
            }
        views = EvidenceViews(self.request.policies, lambda policies: evidence[policies.row_policies])
        return views, whole.extra, whole.facts

    def _judged_items(self, whole: Piece) -> Directory | None:
        """The items that any query has judged, answered or not, where that matters."""
        if not self._needs.judged:
            return None
        if self._judgements is not None:
            return judged_items(self._judgements.truth.all)
        nothing = whole.extra.take(np.zeros(0, np.int64))
        return Directory(nothing if whole.judged is None else whole.judged)

    def _tallied_views(self, tally: RankingTally) -> TalliedViews:
        if not self._plan.of_items:
            return TalliedViews(self._plan, tally)
        if self._lacks_truth:
            tally = replace(tally, facts=replace(tally.facts, tally=Tally()))
        return TalliedViews(self._plan, tally, backgrounds={key: self._background(key) for key in self._plan.keys})

    @property
    def _lacks_truth(self) -> bool:
        """Whether nothing is judged: then no list lacks judgements."""
        truth = self._truth.first if self._judgements is None else self._judgements.truth.all
        return truth is None or not len(truth)

    def _background(self, key: Key) -> Background:
        """What is known of items, with ids as the run has them; made once for rows under the same policies."""
        if key in self._backgrounds:
            return self._backgrounds[key]
        present = [name for name in BACKGROUND if self._fixed.has(name)]
        for metric in self._metrics:
            refuse_absent_table(metric.name, tables_under(metric, self.request.policies), present)
        if self._samples["exclude"].rows() is not None:
            self._refuse_reference()
        run = self._run.rows()
        if run is None:  # of no lists nothing is asked
            return self._fixed.background
        first = next(iter(self._backgrounds.values()), None) or self._alike(run)
        self._backgrounds[key] = first.under(self._needs.policies[key])
        return self._backgrounds[key]

    def _alike(self, run: Rows) -> Background:
        background, exclude = self._fixed.background, self._fixed.exclude
        truth = self._truth.first if self._judgements is None else self._judgements.truth.all
        beside = no_rows_like(run) if truth is None else truth
        return background.alike(run, None if exclude is None else comparable_exclude(exclude, beside, run))

    def _refuse_reference(self) -> None:
        """Refuse a reference beside excluded pairs that come with batches: they are forgotten when lists are compared with it."""
        name = next((metric.name for metric in self._metrics if "reference" in metric.metric.tables), None)
        if name is not None:
            raise InputError(
                f"{name}: excluded pairs are taken out of the reference too, for all queries at once; give exclude= to the evaluator and "
                "not with batches, or, where they cannot be held (a stream, Spark), take them out of both runs before",
                f"{name}：exclude 的条目对也要从参照中去掉，须一次给出全部查询的；请在创建评测器时给出 exclude=，不要随批次给出；"
                "无法放入内存时（流式读取、Spark），请事先从两个预测中去掉",
            )

    @property
    def condenses(self) -> bool:
        whole = (
            bool(self._fixed.fingerprints["by"]) or self.request.intervals.ci is not None or bool(self.request.readings)
        )
        weighted = self._fixed.has("query_weight") or self.request.reading.weighs_items
        return self._is_tallied and self._plan.is_summable and not whole and not weighted

    def condense(self) -> None:
        whole = self._join() if self.condenses and (self._pending or self._tallies) else None
        if isinstance(whole, RankingTally):
            self._sums.append(RankingSums.of(whole, self._plan))
            self._tallies = []

    def unit_tables(self) -> Sequence[pa.Table]:
        whole = self._join() if self.condenses else None
        if not isinstance(whole, RankingTally) or not len(whole.facts):
            return ()
        scores = score_views(self._metrics, TalliedViews(self._plan, whole))
        return [scores.per_query] if len(scores.facts) else ()

    def _summed(self) -> RankingSums:
        """Everything as sums; what came after the first ones too."""
        self.condense()
        return RankingSums.joined(self._sums)

    def _summed_views(self) -> tuple[Views, Ids, ScoreFacts]:
        sums = self._summed()
        return SummedViews(self._plan, sums), sums.extra, sums.scores

    def sides(self, queries: Facts, by: Sequence[QueryBy]) -> tuple[Rows, Rows, Rows | None]:
        """Truth, run and excluded pairs, of which some rows stand for all where only evidence was kept."""
        run, truth, exclude = (sample.rows() for sample in self._samples.values())
        if self._judgements is not None:
            truth, exclude = self._judgements.truth.all, self._fixed.exclude
        else:
            refuse_popularity(by)
        truth, run = self._both_sides(truth, run)
        if len(truth):
            refuse_no_overlap(truth, run, queries.answered_count)
        return truth, run, exclude

    def _both_sides(self, truth: Rows | None, run: Rows | None) -> tuple[Rows, Rows]:
        """Truth and run; a truth that nobody looks at may have no rows."""
        if truth is None and run is not None and self._is_truthless:
            return no_rows_like(run), run
        return both_sides(truth, run)

    def merge(self, other: Self) -> None:
        """See what another state of the same request has seen; it keeps what it has."""
        if self._fixed.lacks:
            self._fixed.take(other._fixed)
            self._backgrounds = {}
        if not other.count:
            return
        run = other._run.rows()
        if run is not None and self._fixed.truth is not None:
            self._like_truth(self._fixed.truth, run)
        refuse_positions(self._run, run)
        refuse_other_columns(self._run, run)
        refuse_other_columns(self._truth, other._truth.rows())
        self._pieces += other._pieces
        self._tallies += other._tallies
        self._sums += other._sums
        self._wait([batch._replace(number=self.batches.count + batch.number) for batch in other._pending])
        other._memory = None  # or it would write over rows that wait here now
        self.count += other.count
        self.batches.count += other.batches.count
        for name, sample in self._samples.items():
            sample.add(other._samples[name].rows())
        self._settle_pieces()

    def to_tables(self) -> dict[str, pa.Table]:
        """Everything that was seen: rows where a query may come again, else evidence."""
        from pingce.run.states.ranking_tables import piece_to_tables, rows_to_table, tally_to_tables

        if not self.count:
            return {}
        if self._split == "allowed":
            run = whole_run(self._pending)
            return {} if run is None else {"run": rows_to_table(run)}
        some = {name: sample.rows() for name, sample in self._samples.items()}
        tables = {f"{_SOME}{name}": rows_to_table(rows) for name, rows in some.items() if rows is not None}
        if self._sums:
            return tables | {"sums": self._summed().to_table()}
        whole = self._join()
        if isinstance(whole, RankingTally):
            tables |= tally_to_tables(whole)
        if self._pieces:
            tables |= piece_to_tables(one_piece(self._pieces, self._needs), list(self._needs.policies))
        return tables

    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        from pingce.run.states.ranking_tables import piece_from_tables, rows_from_table, tally_from_tables

        if not tables:
            return
        self.count = 1
        if self._split == "allowed":
            run = rows_from_table(tables["run"])
            self._run.add(run)
            self._wait([RankingBatch(run, number=1)])
            return
        for name, sample in self._samples.items():
            if f"{_SOME}{name}" in tables:
                rows = rows_from_table(tables[f"{_SOME}{name}"])
                if name == "truth":
                    refuse_bad_grades(rows)
                sample.add(rows)
        if self._is_tallied and "sums" in tables:
            self._sums = [RankingSums.from_table(tables["sums"], self._plan)]
            return
        has_evidence = "evidence 0" in tables
        if "tally" in tables or (self._is_tallied and not has_evidence):
            self._tallies = [tally_from_tables(tables, self._plan)]
        if has_evidence or not self._tallies:
            self._pieces = [piece_from_tables(tables, list(self._needs.policies))]
            self._settle_pieces()


def refuse_popularity(by: Sequence[QueryBy]) -> None:
    """How often an item occurs only the whole truth says."""
    if any(slicing.by == "popularity" for slicing in by):
        raise InputError(
            "slices by popularity need the whole truth at once; make the evaluator with it",
            "按 popularity 切片需要一次给出全部真值；请在创建评测器时给出",
        )


def both_sides(truth: Rows | None, run: Rows | None) -> tuple[Rows, Rows]:
    """Refuse to score a run without any judgements, or judgements without any run."""
    if truth is None:
        raise EmptyInputError(
            "there are no judgements: make the evaluator with qrels, or give them with each batch",
            "没有标注：请在创建评测器时给出 qrels，或随每个批次给出",
        )
    if run is None:
        raise EmptyInputError(
            "no batch had a row of a run: there is nothing to score", "没有任何批次含有预测的行：无可评测"
        )
    return truth, run
