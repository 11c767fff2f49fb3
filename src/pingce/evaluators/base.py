"""What all evaluators have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa
    from typing_extensions import Self

    from pingce.metrics.grammar import MetricRequest
    from pingce.scores import Scores


class Evaluator(ABC):
    """Sees rows in batches, can be merged with others of its kind, and gives the scores of all rows it has seen.

    However rows are split into batches and batches are merged, the scores are those of one call, to the last bit.
    """

    task: ClassVar[str]
    _asked: list[MetricRequest] | None
    _policies: Any

    @property
    def asked(self) -> list[MetricRequest] | None:
        """The metrics; None stands for the usual ones."""
        return self._asked

    @property
    def policies(self) -> Any:
        """What they stand under."""
        return self._policies

    @property
    @abstractmethod
    def _seen_so_far(self) -> str:
        """How much it has seen, in words."""

    def __repr__(self) -> str:
        metrics = "the usual metrics" if self.asked is None else ", ".join(one.name for one in self.asked)
        return f"<{type(self).__name__}: {metrics}; {self._seen_so_far}>"

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """How it was made, as plain JSON: metrics by name, policies, options; `_from_settings` reads it back."""

    @classmethod
    @abstractmethod
    def _from_settings(cls, settings: Mapping[str, Any]) -> Self: ...

    @abstractmethod
    def _tables(self) -> dict[str, pa.Table]:
        """What it has seen, as tables."""

    @abstractmethod
    def _take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        """See what another one has seen, in an evaluator that has seen nothing."""

    @abstractmethod
    def _take(self, other: Self) -> None:
        """See what another one with the same settings has seen."""

    @abstractmethod
    def update(self, *columns: Any, **given: Any) -> Self:
        """See a batch; each kind says of which columns."""

    @abstractmethod
    def compute(self) -> Scores:
        """The scores of all rows seen so far; more may follow."""

    @abstractmethod
    def scored(self, *, above: int | None = None) -> Scores:
        """The same for engines: warnings point so many calls above the one that calls this; None: there are none."""

    @abstractmethod
    def reset(self) -> Self:
        """Forget all rows; settings, and the truth of a ranking, stay."""

    def merge(self, other: Self) -> Self:
        """See what another evaluator has seen, of this process or, by `from_bytes`, of any other."""
        if type(other) is not type(self):
            raise InputError(
                f"a {type(other).__name__} cannot be merged into a {type(self).__name__}",
                f"{type(other).__name__} 不能合并到 {type(self).__name__}",
            )
        if other is self:
            raise InputError("an evaluator cannot be merged with itself", "评测器不能与自身合并")
        self._refuse_other_settings(other)
        self._take(other)
        return self

    def _refuse_other_settings(self, other: Self) -> None:
        ours, theirs = self.settings, other.settings
        odd = sorted(
            name for name in {*ours, *theirs} - {"threads", "reading", "explicit"} if ours.get(name) != theirs.get(name)
        )
        if odd:
            name = odd[0]
            here, there = _told_apart(name, ours.get(name), theirs.get(name))
            raise InputError(
                f"the evaluators differ in {name}: {here!r} here, {there!r} there; make both alike",
                f"两个评测器的 {name} 不同：此处为 {here!r}，另一个为 {there!r}；请用相同的设置",
            )

    def __copy__(self) -> Self:
        """Another one that has seen the same; what one of the two sees later, the other does not."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.reset()._take(self)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """The same: rows and evidence are never changed, and need no copies."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """What `to_bytes` writes travels through a pool of processes too."""
        return type(self).from_bytes, (self.to_bytes(),)

    def to_bytes(self) -> bytes:
        """Everything it has seen, for a file or another machine: Arrow IPC with a version, no pickle."""
        from pingce.evaluators.packed import pack

        return pack(self.task, self.settings, self._tables())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The evaluator that `to_bytes` wrote, ready for more; `Evaluator.from_bytes` finds out of which kind."""
        from pingce.evaluators.packed import checked_settings, no_state, unpack

        found = unpack(data)
        kind = _kind(found.task)
        if not issubclass(kind, cls):
            raise InputError(
                f"this is the state of a {kind.__name__}, not of a {cls.__name__}",
                f"这是 {kind.__name__} 的状态，不是 {cls.__name__} 的",
            )
        try:
            made: Self = kind._from_settings(checked_settings(found.settings))
            made._take_tables(found.tables)
        except InputError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, NotImplementedError) as problem:
            raise no_state() from problem
        return made


def _told_apart(name: str, ours: Any, theirs: Any) -> tuple[Any, Any]:
    """Two settings without what is the same in both: metrics by their names, if these differ, and the other policies."""
    if name == "metrics" and ours and theirs:
        names = tuple([one["name"] for one in metrics] for metrics in (ours, theirs))
        return (names[0], names[1]) if names[0] != names[1] else (ours, theirs)
    if name == "policies":
        odd = [policy for policy in {**ours, **theirs} if ours.get(policy) != theirs.get(policy)]
        return {policy: ours.get(policy) for policy in odd}, {policy: theirs.get(policy) for policy in odd}
    return ours, theirs


def _kind(task: str) -> type[Any]:
    import pingce.evaluators

    known = {"ranking", "binary", "multiclass", "regression"}
    if task not in known:
        raise InputError(f"there is no evaluator of {task!r}", f"没有 {task!r} 的评测器")
    kind: type[Any] = getattr(pingce.evaluators, f"{task.capitalize()}Evaluator")
    return kind
