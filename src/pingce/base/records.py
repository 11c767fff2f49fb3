"""Data classes as those of the standard library, without six functions compiled for each of them while pingce is imported.

That takes half a millisecond for each class, and a command imports a hundred of them. Here the fields are those of the
standard library, `__init__` is compiled when the first object is made, and nothing else is compiled at all.
"""

from __future__ import annotations

import abc
import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

__all__ = ["dataclass"]

Names = tuple[str, ...]


def _record(
    cls: Any = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True, kw_only: bool = False
) -> Any:
    """The decorator of the standard library, with the options that pingce uses."""

    def decorate(cls: Any) -> Any:
        _add_fields(cls, frozen=frozen, kw_only=kw_only)
        compared = tuple(field.name for field in fields(cls) if field.compare)
        methods = {"__init__": _Init(cls), **(_refusals(cls) if frozen else {})}
        if repr:
            methods["__repr__"] = _text
        if eq:
            methods |= {"__eq__": _comparison(compared), "__hash__": _hash(compared) if frozen else None}
        for name, method in methods.items():
            if name not in vars(cls) or (name == "__hash__" and vars(cls)[name] is None):
                setattr(cls, name, method)
        abc.update_abstractmethods(cls)
        return cls

    return decorate if cls is None else decorate(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _record

_PARAMS = {frozen: dataclasses.make_dataclass("_", (), frozen=frozen).__dataclass_params__ for frozen in (False, True)}  # type: ignore[attr-defined]
"What the standard library asks a class for before another one may inherit from it."


def _add_fields(cls: Any, *, frozen: bool, kw_only: bool) -> None:
    """Its fields after those of its parents, and defaults in place of what declares them."""
    of_class = {name for name, kind in cls.__annotations__.items() if _is_of_class(kind)}
    declared = {
        name: _field(cls, name, kind, kw_only) for name, kind in cls.__annotations__.items() if name not in of_class
    }
    for name, field in declared.items():
        if field.default is not MISSING:
            setattr(cls, name, field.default)
        elif name in vars(cls):
            delattr(cls, name)
    inherited: dict[str, Field[Any]] = {}
    for parent in reversed(cls.__mro__[1:]):
        inherited |= getattr(parent, "__dataclass_fields__", {})
    cls.__dataclass_fields__ = {name: field for name, field in inherited.items() if name not in of_class} | declared
    cls.__dataclass_params__ = _PARAMS[frozen]
    cls.__match_args__ = tuple(field.name for field in fields(cls) if field.init and not field.kw_only)  # type: ignore[misc]


def _is_of_class(kind: Any) -> bool:
    """Whether an annotation is that of a variable of the class."""
    if isinstance(kind, str):
        return kind.partition("[")[0].rpartition(".")[2] == "ClassVar"
    return ClassVar in (kind, get_origin(kind))


def _field(cls: Any, name: str, kind: Any, kw_only: bool) -> Field[Any]:
    """A field as the standard library makes it, of which there is no public way to make a single one."""
    default = vars(cls).get(name, MISSING)
    field: Field[Any] = default if isinstance(default, Field) else dataclasses.field(default=default)
    if type(field.default).__hash__ is None:
        raise ValueError(f"{cls.__qualname__}.{name}: a default that can change; use default_factory")
    field.name, field.type, field._field_type = name, kind, dataclasses._FIELD  # type: ignore[attr-defined]
    if field.kw_only is MISSING:
        field.kw_only = kw_only
    return field


class _Init:
    """The `__init__` of a class until the first object is made, or somebody asks for its signature."""

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        method = self._cls.__init__ = _compile_init(self._cls)
        return method.__get__(instance, owner)


class _Factory:
    """Stands in a signature for what is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _compile_init(cls: Any) -> Any:
    names: dict[str, object] = {"_set": object.__setattr__, "_factory": _FACTORY}
    parts = sorted((field for field in fields(cls) if field.init), key=lambda field: bool(field.kw_only))
    parameters = ["self"]
    for field in parts:
        parameters += ["*"] if field.kw_only and "*" not in parameters else []
        parameters.append(field.name + _default(field, names))
    lines = [f"_set(self, {field.name!r}, {value})" for field in fields(cls) if (value := _value(field, names))]
    lines += ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    text = f"def __init__({', '.join(parameters)}):\n  " + "\n  ".join(lines or ["pass"])
    outer: dict[str, Callable[..., Any]] = {}
    # The names of the module are the function's: who resolves its annotations looks there.
    exec(f"def outer({', '.join(names)}):\n {text}\n return __init__", vars(sys.modules[cls.__module__]), outer)  # noqa: S102
    method = outer["outer"](**names)
    method.__annotations__ = {field.name: field.type for field in parts} | {"return": None}
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method


def _default(field: Field[Any], names: dict[str, object]) -> str:
    """How a parameter says its default, whose value goes to the names."""
    if field.default is not MISSING:
        names[f"_default_{field.name}"] = field.default
        return f"=_default_{field.name}"
    return "" if field.default_factory is MISSING else "=_factory"


def _value(field: Field[Any], names: dict[str, object]) -> str:
    """What a field is set to; empty where the default of the class is enough."""
    parameter = field.name if field.init else ""
    if field.default_factory is MISSING:
        return parameter
    names[f"_new_{field.name}"] = field.default_factory
    return f"_new_{field.name}()" + (f" if {parameter} is _factory else {parameter}" if parameter else "")


@recursive_repr()
def _text(self: Any) -> str:
    parts = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self) if field.repr)
    return f"{type(self).__qualname__}({parts})"


def _reader(names: Names) -> Callable[[Any], Any]:
    """These fields of an object as a tuple, read in C where there are several: metrics and policies are keys of many tables."""
    return attrgetter(*names) if len(names) > 1 else lambda self: tuple([getattr(self, name) for name in names])


def _comparison(names: Names) -> Callable[[Any, Any], Any]:
    read = _reader(names)

    def equals(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self is other or read(self) == read(other)

    return equals


def _hash(names: Names) -> Callable[[Any], int]:
    read = _reader(names)
    return lambda self: hash(read(self))


def _refusals(cls: Any) -> dict[str, Callable[..., None]]:
    """What keeps an object as it was when it was made."""

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is cls or name in cls.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": assign, "__delattr__": delete}
