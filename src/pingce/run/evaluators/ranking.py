"""Rankings in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.errors import EmptyInputError
from pingce.base.json import Json
from pingce.evidence.policies import RankingKeywords
from pingce.inputs import Rows
from pingce.inputs.columns import Role
from pingce.inputs.data import RankingData
from pingce.inputs.item_names import item_facts
from pingce.request import MetricNames, Request
from pingce.run.evaluator import Evaluator
from pingce.run.states.fixed_tables import FixedTables, read_tables
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_batches import RankingBatch
from pingce.scores.ranking import RankingScores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class RankingEvaluator(Evaluator):
    """Scores a run that comes in batches, against a truth that is given at once, or with each batch for its queries.

    `split="allowed"`: a query may come in several batches; rows are kept until `compute`. `split="never"`: a query comes in
    one batch only, and is refused in a second one; then only the values of each query are kept, and of metrics of items one counter
    per item (all evidence where a metric needs a top grade that is not known yet, as `err` does without the whole truth, or the lists
    themselves, as `personalization(distance=jaccard)` does, or slices of what is one value of the run). `queries` and `items` name the rows and columns of matrices, in the truth and in every batch. All else is as in `evaluate_ranking`, which is one `update` and `compute`.

    >>> import pingce as pc
    >>> evaluator = pc.RankingEvaluator({"q": {"a": 3, "b": 1}, "r": {"c": 1}}, ["mrr"], split="never")
    >>> evaluator.update({"q": ["b", "a"]}).update({"r": ["x", "c"]}).compute()["mrr"]
    0.75
    """

    task = "ranking"

    @checked_options("ranking")
    def __init__(
        self,
        qrels: Any = None,
        metrics: MetricNames | Request | None = None,
        *,
        split: str = "allowed",
        convention: str | None = None,
        exclude: Any = None,
        query_weight: Any = None,
        item_weight: str | int | None = None,
        ci: float | None = None,
        samples: int = 10_000,
        seed: int = 0,
        train: Any = None,
        catalog: Any = None,
        reference: Any = None,
        by: Any = None,
        min_n: int = 20,
        queries: Any = None,
        items: Any = None,
        columns: Mapping[str, str | int] | None = None,
        input_format: str | None = None,
        encoding: str | None = None,
        threads: int | None = None,
        **policies: Unpack[RankingKeywords],
    ) -> None:
        request = self._requested(metrics, {**locals(), **policies})
        is_resolved = isinstance(metrics, Request)  # then `of` has the tables
        self._tables = (
            FixedTables()
            if is_resolved
            else read_tables(
                request,
                RankingData(qrels, None, exclude, query_weight, by, train, catalog, item_facts(items), reference),
            )
        )
        super().__init__(request)

    @classmethod
    def of(cls, request: Request, tables: FixedTables | None = None) -> Self:
        """The evaluator of a request that was made before, with tables that were read before."""
        evaluator = cls(None, request)
        evaluator._tables = tables or FixedTables()
        return evaluator.reset()

    @classmethod
    def _from_settings(cls, settings: Json) -> Self:
        prints = {name: settings[name] for name in FixedTables.NAMES if name in settings}
        top_grade = float.fromhex(settings["top_grade"]) if "top_grade" in settings else None
        return cls.of(Request.from_json(cls.task, settings), FixedTables.of_prints(prints, top_grade))

    def _new_state(self) -> RankingState:
        return RankingState(self.request, self._tables)

    @checked_options("ranking")
    def update(self, run: Any, *, qrels: Any = None) -> Self:
        """See a batch: anything that `evaluate_ranking` takes as a run, with `qrels` where the evaluator has no truth.

        A matrix names its queries as a pair `(query_ids, matrix)`; a dict may be one of columns, {"query": …, "item": …,
        "score": …}, with lists, arrays or tensors in it. Its arrays may be used again afterwards.
        """
        rows, truth = self._read(run, "run"), None if qrels is None else self._read(qrels, "truth")
        if rows is None and truth is None:
            self._state.skip()
            return self
        self._state.add_borrowed(RankingBatch(rows, truth))
        return self

    @checked_options("ranking")
    def update_scores(self, queries: Any, scores: Any, *, qrels: Any = None) -> Self:
        """See a block of dense scores: a row for each query, a column for each item, NumPy or a tensor.

        Columns are called as `items` of the evaluator says, else by their number. With `split="never"` and the truth given at
        once, ranks are counted in the block, and nothing of it is kept; else it is a batch like any other. The scores are the same.
        """
        from pingce.run.score_blocks import add_scores

        if qrels is None and add_scores(self._state, self.request, queries, scores):
            return self
        return self.update((queries, scores), qrels=qrels)

    def _read(self, data: Any, role: Role) -> Rows | None:
        """A side of a batch, which may be empty."""
        try:
            return self.request.reading.read(data, role)
        except EmptyInputError:
            return None

    def update_rows(self, run: Rows | None, truth: Rows | None = None, exclude: Rows | None = None) -> Self:
        """See a batch that was read before; either side may be absent or have no rows. `truth` and `exclude` are of the
        batch's own queries, in an evaluator that was made without.
        """
        self._state.add(RankingBatch(run, truth, exclude))
        return self

    def to_bytes(self) -> bytes:
        """Everything it has seen, for a file or another machine; not what it was given, such as the truth.

        What `from_bytes` makes of it is to be merged into an evaluator that has that.
        """
        return super().to_bytes()

    if TYPE_CHECKING:

        def compute(self) -> RankingScores:
            """The scores of all batches; queries that none of them answered are missing."""
