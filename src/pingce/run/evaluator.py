"""The evaluator: one for all tasks, over the state of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.json import Json
from pingce.inputs.data import RowData
from pingce.request import Request
from pingce.run.feed import request_from_keywords
from pingce.run.score import warn
from pingce.run.states.base import State, refuse_rows
from pingce.tasks import TASKS
from pingce.tasks.options import Keywords

if TYPE_CHECKING:
    from typing_extensions import Self

_MAY_DIFFER = {"threads", "reading", "explicit"}
"Settings that evaluators to be merged need not share."


class Evaluator(ABC):
    """Sees rows in batches, can be merged with others of its kind, and gives the scores of all rows it has seen.

    However rows are split into batches and batches are merged, the scores are those of one call, to the last bit.
    """

    task: ClassVar[str]
    _request: Request
    _state: Any

    def __init__(self, request: Request) -> None:
        self._request = request
        self.reset()

    @property
    def request(self) -> Request:
        """What is asked of it: metrics, policies, intervals."""
        return self._request

    @property
    def policies(self) -> Any:
        """The policies that its metrics stand under."""
        return self._request.policies

    @classmethod
    def of(cls, request: Request) -> Self:
        """The evaluator of a request that was made before."""
        return cls(request)

    @classmethod
    def over(cls, state: Any) -> Self:
        """The evaluator of a state that a feed has made."""
        evaluator = cls.of(state.request)
        evaluator._state = state
        return evaluator

    @classmethod
    def _requested(cls, metrics: Any, keywords: Keywords) -> Request:
        """What the keywords of the constructor ask, unless a request stands in place of the metrics."""
        return metrics if isinstance(metrics, Request) else request_from_keywords(cls.task, metrics, keywords)

    def _new_state(self) -> State:
        return self.request.task.load("state")(self.request)  # type: ignore[no-any-return]

    def reset(self) -> Self:
        """Forget all rows; settings, and the truth of a ranking, stay."""
        self._state = self._new_state()
        return self

    @property
    def settings(self) -> Json:
        """How it was made, as plain JSON: the request, and what its state must share with others."""
        return {**self.request.to_json(), **self._state.settings()}

    @property
    def rows_seen(self) -> int:
        """How many rows it has seen."""
        rows: int = self._state.rows
        return rows

    def __repr__(self) -> str:
        metrics = self.request.metrics
        names = "the usual metrics" if metrics is None else ", ".join(metric.name for metric in metrics)
        return f"<{type(self).__name__}: {names}; {self._state.summary}>"

    @abstractmethod
    def update(self, *columns: Any, **more: Any) -> Self:
        """See a batch; each kind says of which columns."""

    def update_rows(self, rows: Any) -> Self:
        """See rows that were read before; they must not change afterwards."""
        self._state.add(rows)
        return self

    def _update(self, table: RowData) -> Self:
        """See a batch, unless it is empty; its arrays may be used again afterwards."""
        try:
            rows = self._state.read(table, self._state.batches.next)
        except EmptyInputError as problem:
            refuse_rows(problem, table)
            self._state.skip()
        else:
            self._state.add_borrowed(rows)
        return self

    def compute(self) -> Any:
        """The scores of all rows seen so far; more may follow."""
        scores = self.score()
        warn(scores)
        return scores

    def score(self) -> Any:
        """The same, but the warnings stay with the scores."""
        return self._state.score()

    def merge(self, other: Self) -> Self:
        """See what another evaluator has seen, of this process or, by `from_bytes`, of any other."""
        if type(other) is not type(self):
            raise InputError(
                f"a {type(other).__name__} cannot be merged into a {type(self).__name__}",
                f"{type(other).__name__} 不能合并到 {type(self).__name__}",
            )
        if other is self:
            raise InputError("an evaluator cannot be merged with itself", "评测器不能与自身合并")
        _refuse_other_settings(self.settings, other.settings)
        self._state.merge(other._state)
        return self

    def __copy__(self) -> Self:
        """Another one that has seen the same; what one of the two sees later, the other does not."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.reset()._state.merge(self._state)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """The same: rows and evidence are never changed, and need no copies."""
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        """What `to_bytes` writes travels through a pool of processes too."""
        return type(self).from_bytes, (self.to_bytes(),)

    def to_bytes(self) -> bytes:
        """Everything it has seen, for a file or another machine: Arrow IPC with a version, no pickle."""
        from pingce.run.packed import pack

        self.request.refuse_unnamed()
        return pack(self.task, self.settings, self._state.to_tables())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The evaluator that `to_bytes` wrote, ready for more; `Evaluator.from_bytes` finds out of which kind."""
        from pingce.run.packed import checked_settings, no_state, unpack

        packed = unpack(data)
        if packed.task not in TASKS:
            raise InputError(f"there is no evaluator of {packed.task!r}", f"没有 {packed.task!r} 的评测器")
        kind: type[Self] = TASKS[packed.task].load("evaluator")
        if not issubclass(kind, cls):
            raise InputError(
                f"this is the state of a {kind.__name__}, not of a {cls.__name__}",
                f"这是 {kind.__name__} 的状态，不是 {cls.__name__} 的",
            )
        try:
            evaluator = kind._from_settings(checked_settings(packed.settings))
            evaluator._state.take_tables(packed.tables)
        except InputError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, NotImplementedError) as problem:
            raise no_state() from problem
        return evaluator

    @classmethod
    def _from_settings(cls, settings: Json) -> Self:
        state = TASKS[cls.task].load("state")
        if settings.get("sliced"):
            from pingce.run.states.sliced import SlicedState

            state = SlicedState
        return cls.over(state.from_settings(Request.from_json(cls.task, settings), settings))


def state_of(evaluator: Evaluator) -> State:
    """What an evaluator has seen, for those who carry it elsewhere."""
    state: State = evaluator._state
    return state


def _refuse_other_settings(ours: Json, theirs: Json) -> None:
    odd = sorted(name for name in {*ours, *theirs} - _MAY_DIFFER if ours.get(name) != theirs.get(name))
    if odd:
        name = odd[0]
        here, there = _told_apart(name, ours.get(name), theirs.get(name))
        raise InputError(
            f"the evaluators differ in {name}: {here!r} here, {there!r} there; make both alike",
            f"两个评测器的 {name} 不同：此处为 {here!r}，另一个为 {there!r}；请用相同的设置",
        )


def _told_apart(name: str, ours: Any, theirs: Any) -> tuple[Any, Any]:
    """Two settings without what is the same in both: metrics by their names, if these differ, and the other policies."""
    if name == "metrics" and ours and theirs:
        names = tuple([metric["name"] for metric in metrics] for metrics in (ours, theirs))
        return (names[0], names[1]) if names[0] != names[1] else (ours, theirs)
    if name == "policies":
        odd = [policy for policy in {**ours, **theirs} if ours.get(policy) != theirs.get(policy)]
        return {policy: ours.get(policy) for policy in odd}, {policy: theirs.get(policy) for policy in odd}
    return ours, theirs
