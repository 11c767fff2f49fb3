"""Keywords that a call does not have: one sentence for all calls, with the place and the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import CO_VARKEYWORDS, Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from typing_extensions import ParamSpec

    _Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
Keywords: TypeAlias = Mapping[str, Any]
"Keywords as a caller wrote them; those of other calls may stand among them."


class OptionError(InputError, TypeError):
    """A keyword that a call does not have; Python calls it an error of type."""


def refuse_options(names: Iterable[str], place: Text, task: str, caller: Any = None) -> None:
    """Refuse keywords that the evaluate call of a task does not have; those of the caller are hinted at too."""
    options = _keywords(TASKS[task].load("evaluate"))
    for name in names:
        if name not in options:
            call, more = f"pc.evaluate_{task}", [] if caller is None else _keywords(caller)
            hint = did_you_mean(name, [*more, *options])
            raise _no_option(name, place, Text(f"; give those of {call}{hint.en}", f"；可用 {call} 的选项{hint.zh}"))


def no_option_here(name: str, place: Text, task: str) -> OptionError:
    """What to say of a keyword of a task's evaluate call that another call cannot follow."""
    return _no_option(name, place, _elsewhere(f"pc.evaluate_{task}"))


def checked_options(
    task: str = "", keywords: type[Any] | None = None
) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Make a call, of a task or of none, refuse keywords that it does not have, and name the call of the task that does.

    One that takes `**…` has the policies of its task as keywords, or those of a `TypedDict`, each with the default None.
    """

    def checked(call: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        code = call.__code__
        hints = _types(keywords or TASKS[task].load("policies").keywords) if code.co_flags & CO_VARKEYWORDS else {}
        names = frozenset([*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *hints])

        @wraps(call)
        def call_checked(*arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
            if not names.issuperset(options):
                raise _unknown(call_checked, next(name for name in options if name not in names), task)
            options.update({name: None for name in hints if name not in options})
            return call(*arguments, **options)

        if hints:
            places = TASKS[task].load("policies").places if task else {}
            call_checked.__signature__ = _spelled_out(call, hints, places)  # type: ignore[attr-defined]
        return call_checked

    return checked


def _types(keywords: Any) -> dict[str, str]:
    """Keywords with their types as they are written."""
    return {name: getattr(hint, "__forward_arg__", hint) for name, hint in keywords.__annotations__.items()}


def _spelled_out(call: Any, hints: Mapping[str, str], places: Mapping[str, tuple[str, ...]]) -> Signature:
    """The signature of a call that says `**…`, with each keyword in its place: after `convention`, or at the end."""
    written = signature(call)
    parameters = [each for each in written.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    before: tuple[str, ...] = ("convention",)
    for name, hint in hints.items():
        before = places.get(name, before)
        at = max((place for place, each in enumerate(parameters) if each.name in before), default=len(parameters) - 1)
        parameters.insert(at + 1, Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=hint))
        before = (name,)
    return written.replace(parameters=parameters)


def _unknown(call: Any, name: str, task: str) -> OptionError:
    words = call.__qualname__.removesuffix(".__init__")
    on_spark = call.__module__.startswith("pingce.spark") or call.__module__.endswith(".spark")
    place = f"pingce.spark.{words}" if on_spark else f"pc.{words}"
    elsewhere = {f"pc.evaluate_{task}": TASKS[task].load("evaluate")} if task else {}
    if call.__name__ in ("__init__", "update"):
        evaluator = TASKS[task].load("evaluator")
        is_new = call.__name__ == "__init__"
        other = ("its update()", evaluator.update) if is_new else (f"pc.{evaluator.__name__}", evaluator)
        elsewhere = dict([other, *elsewhere.items()])
    for where, function in elsewhere.items():
        if name in _keywords(function):
            return _no_option(name, Text(place, place), _elsewhere(where))
    return unknown_option(name, place, _keywords(call))


def unknown_option(name: str, call: str, keywords: list[str]) -> OptionError:
    """What to say of a keyword that no call has: the word that was meant, or those that there are."""
    hint = did_you_mean(name, keywords)
    listed = Text(f"; it has {', '.join(keywords)}", f"；可用 {'、'.join(keywords)}")
    return _no_option(name, Text(call, call), hint if hint.en else listed)


def _elsewhere(call: str) -> Text:
    return Text(f"; {call} has it", f"；{call} 有该选项")


def _no_option(name: str, place: Text, way_out: Text) -> OptionError:
    return OptionError(f"{name}= is no option of {place.en}{way_out.en}", f"{name}= 不是 {place.zh} 的选项{way_out.zh}")


def _keywords(call: Any) -> list[str]:
    parameters = signature(call).parameters.values()
    return [
        each.name
        for each in parameters
        if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD) and each.name != "self"
    ]
