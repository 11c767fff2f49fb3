"""What a fusion is asked for: the method, its numbers and its policies, checked before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean, is_whole
from pingce.base.records import dataclass
from pingce.base.text import counted, listed
from pingce.evidence.policies import Policies
from pingce.fusion.methods import ALIASES, METHODS, Parameters
from pingce.fusion.norms import NORM_NAMES
from pingce.inputs.columns import Rows

_RANGES: dict[str, float] = {"k": np.inf, "phi": 1.0, "sigma": 1.0, "gamma": np.inf}
"The largest value of each number; the least is 0."


@dataclass(frozen=True)
class Fusion:
    """How runs become one: the method, the normalisation of scores before it, its numbers, and the policies of lists."""

    method: str
    norm: str
    parameters: Parameters
    policies: Policies
    tables: tuple[NDArray[np.float64], ...] = ()
    "What a method that learns keeps of each run."

    @classmethod
    def of(cls, method: str, norm: str | None, parameters: Parameters, policies: Policies) -> Fusion:
        """What a caller wrote; what is unknown or does not go together is refused."""
        name = ALIASES.get(method, method)
        if name not in METHODS:
            raise _unknown("method", method, [*METHODS, *ALIASES])
        by_rank = METHODS[name].by_rank
        chosen = norm.replace("-", "_") if isinstance(norm, str) else norm
        if chosen is not None and chosen not in NORM_NAMES:
            raise _unknown("norm", str(norm), NORM_NAMES)
        if by_rank and chosen not in (None, "none"):
            raise InputError(
                f"norm={norm}: {name} looks at ranks and not at scores; leave norm out, or choose a method of scores, e.g. sum or wsum",
                f"norm={norm}：{name} 只看名次而不看分数；请去掉 norm，或选择基于分数的方法，例如 sum 或 wsum",
            )
        if METHODS[name].learner is not None and chosen in ("borda", "min_max_inverted"):
            raise InputError(
                f"norm={norm}: {name} multiplies scores by what their ranks are worth, and this one changes the ranks; choose another, e.g. min_max",
                f"norm={norm}：{name} 用名次的价值乘以分数，而这种归一化会改变名次；请改用其他的，例如 min_max",
            )
        _refuse_unused(name, parameters)
        return cls(name, "none" if by_rank else chosen or "min_max", _checked(parameters), policies)

    @property
    def settings(self) -> dict[str, object]:
        """Everything that the result depends on, by name."""
        method = METHODS[self.method]
        settings: dict[str, object] = {"method": self.method, "norm": self.norm}
        if method.tunes not in ("", "weights"):
            settings[method.tunes] = getattr(self.parameters, method.tunes)
        if method.weighs and self.parameters.weights:
            settings["weights"] = list(self.parameters.weights)
        return settings | {name: getattr(self.policies, name) for name in ("ties", "duplicates", "nan", "score_type")}


def _unknown(option: str, value: str, choices: Sequence[str]) -> InputError:
    hint = did_you_mean(value, choices)
    return InputError(
        f"{option}={value!r}: choose one of {', '.join(choices)}{hint.en}",
        f"{option}={value!r}：可选 {'、'.join(choices)}{hint.zh}",
    )


def _refuse_unused(method: str, parameters: Parameters) -> None:
    """Refuse a number that the method does not have: it would change nothing."""
    for name in (*_RANGES, "segments", "window"):
        number = getattr(parameters, name)
        if METHODS[method].tunes != name and number != getattr(Parameters, name):
            owners = listed([other for other, each in METHODS.items() if each.tunes == name])
            raise InputError(
                f"{name}={number!r}: {method} has no {name}; leave it out, or choose {owners.en}",
                f"{name}={number!r}：{method} 没有 {name}；请去掉它，或改用 {owners.zh}",
            )


def _checked(parameters: Parameters) -> Parameters:
    """Numbers in their ranges, as floats."""
    for name, most in _RANGES.items():
        _refuse_number(name, getattr(parameters, name), [getattr(parameters, name)], most)
    _refuse_number("weights", parameters.weights, parameters.weights, np.inf)
    for name in ("segments", "window"):
        number = getattr(parameters, name)
        if number is not None and not is_whole(number, 1):
            raise InputError(
                f"{name}={number!r}: a whole number from 1 is needed", f"{name}={number!r}：须为不小于 1 的整数"
            )
    return replace(parameters, weights=tuple(map(float, parameters.weights)))


def _refuse_number(name: str, value: object, numbers: Sequence[object], most: float) -> None:
    for number in numbers:
        real = isinstance(number, (int, float, np.number)) and not isinstance(number, bool)
        if not real or not 0 <= float(number) <= most or float(number) == np.inf:  # type: ignore[arg-type]
            raise InputError(
                f"{name}={value!r}: a number {'from 0' if most == np.inf else 'from 0 to 1'} is needed",
                f"{name}={value!r}：须为{'不小于 0 的数' if most == np.inf else '0 到 1 之间的数'}",
            )


def refuse_few(runs: Sequence[Rows]) -> None:
    """Refuse fewer than two runs."""
    if len(runs) < 2:
        raise InputError(
            f"{counted(len(runs), 'run')} cannot be fused; give two or more",
            f"只有 {len(runs)} 份结果，无法融合；请给出两份或更多",
        )


def refuse_weights(fusion: Fusion, runs: int) -> None:
    """Refuse weights where a method has none, none where it needs them, and another number of them than of runs."""
    method, weights = METHODS[fusion.method], fusion.parameters.weights
    if weights and not method.weighs:
        raise InputError(
            f"weights: {fusion.method} has none; choose wsum, wmnz, mixed, w_bordafuse, w_condorcet, rrf or rbc, or leave them out",
            f"weights：{fusion.method} 不用权重；请改用 wsum、wmnz、mixed、w_bordafuse、w_condorcet、rrf 或 rbc，或去掉权重",
        )
    if method.needs_weights and not weights:
        raise InputError(
            f"{fusion.method} needs a weight for each of the {runs} runs: weights=[…] (--weights), or qrels= (--tune) to look for them",
            f"{fusion.method} 需要为 {runs} 份结果各给一个权重：weights=[…]（--weights），或用 qrels=（--tune）搜索",
        )
    if weights and len(weights) != runs:
        raise InputError(
            f"{counted(len(weights), 'weight')} for {counted(runs, 'run')}; give one for each",
            f"{runs} 份结果却有 {len(weights)} 个权重；请各给一个",
        )


def refuse_no_truth(fusion: Fusion) -> None:
    """Refuse a method that learns, where there is nothing to learn from."""
    if METHODS[fusion.method].learner is not None:
        raise InputError(
            f"{fusion.method} learns from judgements what ranks are worth: give qrels= (--tune)",
            f"{fusion.method} 要从标注中学习名次的价值：请给出 qrels=（--tune）",
        )


def refuse_nothing_to_tune(fusion: Fusion) -> None:
    """Refuse judgements for a method that neither learns nor has a number to look for."""
    method = METHODS[fusion.method]
    if not method.tunes and method.learner is None:
        names = listed([name for name, other in METHODS.items() if other.tunes or other.learner])
        raise InputError(
            f"{fusion.method} has no number to look for and learns nothing; choose one of {names.en}",
            f"{fusion.method} 没有可搜索的参数，也不需要学习；请选择 {names.zh} 之一",
        )
