"""Rankings in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from pingce.base.errors import EmptyInputError, nothing_seen
from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.ranking import DEFAULT_METRICS, Sides, evaluate_rows, read_pairs, score_found
from pingce.evaluators.asked import metrics_read, metrics_written, refuse_unnamed
from pingce.evaluators.base import Evaluator
from pingce.evaluators.batches import checked_split
from pingce.evaluators.ranking_batches import Batch
from pingce.evaluators.ranking_given import Given
from pingce.evaluators.ranking_seen import Seen, both_sides
from pingce.evidence import Policies
from pingce.inputs import Rows, read_run, read_truth, read_weights
from pingce.inputs.columns import owned
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

    from pingce.scores.ranking import RankingScores
    from pingce.slices.queries import QueryBy


class _Options(NamedTuple):
    """What a ranking evaluator was asked beside metrics and policies."""

    split: str = "allowed"
    min_n: int = 20
    confidence: float = 0.95
    samples: int = 10_000
    seed: int = 0
    threads: int | None = None
    reading: Mapping[str, Any] = {}

    @property
    def of_slices(self) -> dict[str, Any]:
        """How slices are made."""
        return {name: getattr(self, name) for name in ("min_n", "confidence", "samples", "seed")}


class RankingEvaluator(Evaluator):
    """Scores a run that comes in batches, against a truth that is given at once, or with each batch for its queries.

    `split="allowed"`: a query may come in several batches; rows are kept until `compute`. `split="never"`: a query comes in
    one batch only, and is refused in a second one; then only evidence is kept, whose size grows with queries and hits, not
    with rows. `queries` and `items` name the rows and columns of matrices, in the truth and in every batch. All else is as in `evaluate_ranking`, which is one `update` and `compute`.

    >>> import pingce as pc
    >>> evaluator = pc.RankingEvaluator({"q": {"a": 3, "b": 1}, "r": {"c": 1}}, ["mrr"], split="never")
    >>> evaluator.update({"q": ["b", "a"]}).update({"r": ["x", "c"]}).compute()["mrr"]
    0.75
    """

    task = "ranking"
    _asked: list[MetricRequest]
    _names: Mapping[str, Any] = {}
    "Ids for the rows and columns of matrices, where they were given; they do not travel."

    @checked_options("ranking")
    def __init__(
        self,
        qrels: Any = None,
        metrics: Iterable[str | RankingMetric | MetricRequest] | str | MetricRequest | None = None,
        *,
        split: str = "allowed",
        convention: str | None = None,
        relevant: float | str | None = None,
        missing: str | None = None,
        extra: str | None = None,
        undefined: str | None = None,
        ties: str | None = None,
        score_type: str | None = None,
        duplicates: str | None = None,
        nan: str | None = None,
        judged_only: bool | str | None = None,
        identical: str | None = None,
        summation: str | None = None,
        exclude: Any = None,
        query_weight: Any = None,
        by: Any = None,
        min_n: int = 20,
        queries: Any = None,
        items: Any = None,
        columns: Mapping[str, str | int] | None = None,
        input_format: str | None = None,
        encoding: str | None = None,
        threads: int | None = None,
    ) -> None:
        given = Policies.among(locals())
        define = Definitions(Policies, convention, given)
        slices: Sequence[QueryBy] = ()
        if by is not None:
            from pingce.slices.queries import read_query_slices

            slices = read_query_slices(by, columns=columns, encoding=encoding)
        asked = define.defaults(DEFAULT_METRICS) if metrics is None else define.asked(metrics)
        reading: dict[str, Any] = {"columns": columns, "input_format": input_format, "encoding": encoding}
        options = _Options(split, min_n, threads=threads, reading=reading)
        names = {"queries": queries, "items": items}
        how: dict[str, Any] = {**reading, **names, "threads": threads}
        data = Given(
            None if qrels is None else read_truth(qrels, **how),
            None if exclude is None else read_pairs(exclude, how),
            None if query_weight is None else read_weights(query_weight, **how),
            tuple(slices),
        )
        self._names = {name: ids for name, ids in names.items() if ids is not None}
        self._begin(asked, define.policies, data, options)

    @classmethod
    def of(
        cls,
        asked: list[MetricRequest],
        policies: Policies,
        *,
        truth: Rows | None = None,
        exclude: Rows | None = None,
        query_weight: Rows | None = None,
        by: Sequence[QueryBy] = (),
        split: str = "never",
        threads: int | None = None,
        **of_slices: Any,
    ) -> Self:
        """For engines that have read everything: `of_slices` are min_n, confidence, samples and seed."""
        made = cls.__new__(cls)
        options = _Options(split=split, threads=threads, **of_slices)
        made._begin(asked, policies, Given(truth, exclude, query_weight, tuple(by)), options)
        return made

    def _begin(self, asked: list[MetricRequest], policies: Policies, given: Given, options: _Options) -> None:
        checked_split(options.split, Text("query", "查询"))
        self._asked, self._policies, self._given, self._options = asked, policies, given, options
        self._first = asked[0].under(policies).of_evidence
        self.reset()

    @property
    def asked(self) -> list[MetricRequest]:
        """The metrics."""
        return self._asked

    @property
    def _seen_so_far(self) -> str:
        return f"{self._seen.count} batches seen"

    def reset(self) -> Self:
        """Forget all rows; settings and the truth stay."""
        needed = {own.of_evidence: own for own in (metric.under(self._policies) for metric in self._asked)}
        self._seen = Seen(needed, self._given, split=self._options.split, threads=self._options.threads)
        return self

    @checked_options("ranking")
    def update(self, run: Any, *, qrels: Any = None) -> Self:
        """See a batch: anything that `evaluate_ranking` takes as a run, with `qrels` where the evaluator has no truth.

        A matrix names its queries as a pair `(query_ids, matrix)`; a dict may be one of columns, {"query": …, "item": …,
        "score": …}, with lists, arrays or tensors in it. Its arrays may be used again afterwards.
        """
        return self._read(run, qrels, borrowed=False)

    def read(self, run: Any) -> Self:
        """`update` without a copy, for a caller who leaves the arrays alone until `compute`."""
        return self._read(run, None, borrowed=True)

    def _read(self, run: Any, qrels: Any, *, borrowed: bool) -> Self:
        reading = {**self._options.reading, **self._names, "threads": self._options.threads}
        if borrowed:
            return self.update_rows(read_run(run, **reading))
        sides = _read_or_none(read_run, run, reading), _read_or_none(read_truth, qrels, reading)
        if sides == (None, None):
            self._seen.skip()
            return self
        return self.update_rows(*(None if rows is None else owned(rows) for rows in sides))

    def update_rows(self, run: Rows | None, truth: Rows | None = None, exclude: Rows | None = None) -> Self:
        """See a batch that was read before; either side may be absent or have no rows. `truth` and `exclude` are of the
        batch's own queries, in an evaluator that was made without.
        """
        self._seen.add(Batch(run, truth, exclude))
        return self

    def settle(self) -> Self:
        """For engines, where queries are whole: rows that wait become evidence now, and their memory is free."""
        self._seen.settle()
        return self

    def compute(self) -> RankingScores:
        """The scores of all batches; queries that none of them answered are missing."""
        return self.scored(above=1)

    def scored(self, *, above: int | None = None) -> RankingScores:
        """The same for engines: warnings point so many calls above the one that calls this; None: there are none."""
        above = None if above is None else above + 2
        seen, given, sliced = self._seen, self._given, self._options.of_slices
        if not seen.count:
            raise nothing_seen()
        whole = seen.whole()
        if whole is not None:
            more: dict[str, Any] = {
                "exclude": whole.exclude,
                "query_weight": given.query_weight,
                "by": given.by,
                **sliced,
            }
            both, threads = both_sides(whole.truth, whole.run), self._options.threads
            return evaluate_rows(*both, self._asked, self._policies, threads=threads, above=above, **more)
        found = seen.evidence()
        sides = Sides(*seen.sides(found[self._first], given.by), given.query_weight, *seen.extra())
        of = (lambda own: found[own.of_evidence]), sides, self._asked, self._policies
        return score_found(*of, by=given.by, above=above, **sliced)

    @property
    def settings(self) -> dict[str, Any]:
        """Metrics and policies, and of each table that was given how many rows it has and a hash of them."""
        return {
            "metrics": metrics_written(self._asked),
            "policies": asdict(self._policies),
            **self._given.fingerprints,
            **self._options._asdict(),
        }

    @classmethod
    def _from_settings(cls, settings: Mapping[str, Any]) -> Self:
        options = _Options(**{name: settings[name] for name in _Options._fields})
        given = Given(known={name: settings[name] for name in Given.NAMES})
        made = cls.__new__(cls)
        asked = metrics_read(settings["metrics"], cls.task) or []
        made._begin(asked, Policies(**settings["policies"]), given, options)
        return made

    def to_bytes(self) -> bytes:
        """Everything it has seen, for a file or another machine; not what it was given, such as the truth.

        What `from_bytes` makes of it is to be merged into an evaluator that has that.
        """
        refuse_unnamed(self._asked, self.task)
        return super().to_bytes()

    def _tables(self) -> dict[str, pa.Table]:
        return self._seen.to_tables()

    def _take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        self._seen.take_tables(tables)

    def _take(self, other: Self) -> None:
        if self._given.lacks:
            self._given.take(other._given)
        self._seen.take(other._seen)


def _read_or_none(read: Callable[..., Rows], data: Any, reading: Mapping[str, Any]) -> Rows | None:
    """A side of a batch, which may be empty."""
    if data is None and read is read_truth:
        return None
    try:
        return read(data, **reading)
    except EmptyInputError:
        return None
