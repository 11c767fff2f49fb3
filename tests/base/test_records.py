"""Data classes that are not compiled at import: they must be those of the standard library in all that shows."""

from __future__ import annotations

import abc
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from pingce.base.records import dataclass


def classes(decorate: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, made by the decorator of the standard library or by ours."""

    @decorate(frozen=True)
    class Plain:
        """Defaults of every kind."""

        a: int
        b: str = "b"
        c: list[int] = dataclasses.field(default_factory=list)
        d: int = dataclasses.field(default=4, repr=False, compare=False)
        e: dict[str, int] = dataclasses.field(default_factory=dict, init=False, compare=False)
        f: int = dataclasses.field(default=6, kw_only=True)
        g: ClassVar[int] = 7

    @decorate(frozen=True, kw_only=True)
    class Child(Plain):
        """A parent's field with another default."""

        b: str = "child"
        z: float = 0.5

        def __post_init__(self) -> None:
            object.__setattr__(self, "z", self.z * 2)

    @decorate(frozen=True)
    class Fixed(Plain):
        """A parent's field that is a variable of the class now."""

        b: typing.ClassVar[str] = "fixed"  # type: ignore[misc]
        d: ClassVar = 8  # type: ignore[misc]

    @decorate(frozen=True, eq=False, repr=False)
    class Bare:
        """No method of its own."""

        a: int = 1

    @decorate
    class Open:
        """May change, and has no hash."""

        a: int = 1

    @decorate(frozen=True)
    class Own:
        """Methods that are written stay."""

        a: int = 1

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 5

    @decorate(frozen=True)
    class Empty(abc.ABC):
        """No field, and a method that is not there yet."""

        @abc.abstractmethod
        def act(self) -> None: ...

    return {cls.__name__: cls for cls in (Plain, Child, Fixed, Bare, Open, Own, Empty)}


OURS, THEIRS = classes(dataclass), classes(dataclasses.dataclass)
CALLS: dict[str, list[Callable[[Any], Any]]] = {
    "Plain": [lambda cls: cls(1), lambda cls: cls(1, "x", [2], 5, f=9), lambda cls: cls(1, d=8)],
    "Child": [lambda cls: cls(a=1), lambda cls: cls(1, z=3.0), lambda cls: cls(1, ["c"])],
    "Open": [lambda cls: cls(), lambda cls: cls(2)],
    "Own": [lambda cls: cls(2)],
}


@pytest.mark.parametrize("name", OURS)
def test_what_is_declared_is_the_same(name: str) -> None:
    ours, theirs = OURS[name], THEIRS[name]
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert typing.get_type_hints(ours.__init__) == typing.get_type_hints(theirs.__init__)
    assert ours.__match_args__ == theirs.__match_args__
    assert [field.name for field in dataclasses.fields(ours)] == [field.name for field in dataclasses.fields(theirs)]
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    assert inspect.isabstract(ours) == inspect.isabstract(theirs)
    assert vars(ours).keys() - {"__static_attributes__"} >= {"__init__", "__dataclass_fields__", "__dataclass_params__"}


@pytest.mark.parametrize("name", CALLS)
def test_objects_are_the_same(name: str) -> None:
    for call in CALLS[name]:
        ours, theirs = call(OURS[name]), call(THEIRS[name])
        assert repr(ours) == repr(theirs)
        assert vars(ours) == vars(theirs)
        assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
        assert ours == call(OURS[name])
        assert (ours == theirs) == (theirs == ours)
        assert dataclasses.replace(ours, a=3).a == 3
    first, second = (CALLS[name][place](OURS[name]) for place in (0, -1))
    assert (first == second) == (CALLS[name][0](THEIRS[name]) == CALLS[name][-1](THEIRS[name]))


def test_frozen_objects_stay() -> None:
    for cls in (OURS["Plain"], OURS["Child"]):
        value = cls(1, c=())
        assert hash(value) == hash(cls(1, c=()))
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'a'"):
            value.a = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'a'"):
            del value.a


def test_what_is_compared_bare_is_itself() -> None:
    value = OURS["Bare"]()
    assert value == value
    assert value != OURS["Bare"]()
    assert repr(value).startswith("<")


def test_the_standard_library_inherits() -> None:
    grandchild = dataclasses.make_dataclass(
        "Grandchild", [("y", int, dataclasses.field(default=3, kw_only=True))], bases=(OURS["Child"],), frozen=True
    )
    assert repr(grandchild(1, y=4)).endswith("(a=1, b='child', c=[], e={}, f=6, z=1.0, y=4)")
    with pytest.raises(TypeError, match="non-frozen"):
        dataclasses.dataclass(type("Open", (OURS["Child"],), {}))


def test_pickles_need_no_init() -> None:
    from pingce.request import Intervals

    value = Intervals(0.9, 5, 1)
    again = pickle.loads(pickle.dumps(value))
    assert (again, hash(again), repr(again)) == (value, hash(value), repr(value))
