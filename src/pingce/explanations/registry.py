"""Which function explains which metric: it stands in the module that mirrors the metric's, marked by `explains`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pingce.explanations.derivation import Derivation
    from pingce.metrics.declared import Metric

Explainer: TypeAlias = "Callable[..., Derivation | None]"
_Function = TypeVar("_Function", bound=Explainer)
_EXPLAINERS: dict[type[Metric], Explainer] = {}


def explains(*kinds: type[Metric]) -> Callable[[_Function], _Function]:
    """Mark a function as the one that explains these metrics, and all that are made from them."""

    def register(explainer: _Function) -> _Function:
        _EXPLAINERS.update(dict.fromkeys(kinds, explainer))
        return explainer

    return register


def explainer_of(kind: type[Metric]) -> Explainer | None:
    """The function that explains a metric or the nearest metric it is made from; None where there is none."""
    for base in kind.__mro__:
        mirror = base.__module__.replace("pingce.metrics.", "pingce.explanations.", 1)
        if mirror != base.__module__ and find_spec(mirror) is not None:
            import_module(mirror)
        if base in _EXPLAINERS:
            return _EXPLAINERS[base]
    return None


def is_declared_elsewhere(metric: Metric) -> bool:
    """Whether a caller declared it, so that it may compute something else than the metric it is made from."""
    return not type(metric).__module__.startswith("pingce.metrics.")


def derive(metric: Metric, plain: Callable[[], Derivation], *data: object) -> Derivation:
    """The steps by which a value follows from the data; `plain` are the rows and the value alone."""
    explainer = explainer_of(type(metric))
    derivation = None if explainer is None else explainer(metric, *data)
    if derivation is None:
        return plain()
    if not is_declared_elsewhere(metric):
        return derivation
    alone = plain()
    return derivation if float(derivation.value).hex() == float(alone.value).hex() else alone
