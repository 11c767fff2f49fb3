"""What metrics of off-policy values have in common."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import ClassVar

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, About, Basis, Metric
from pingce.metrics.parameters import Number, parameter
from pingce.offpolicy.evidence import OffpolicyEvidence, weighted_name
from pingce.offpolicy.plain import LogList
from pingce.offpolicy.rows import OffpolicyRows
from pingce.offpolicy.shapes import KINDS, Shape

WEIGHTLESS = Text(
    "all importance weights are 0: the target policy never does what was logged",
    "重要性权重全为 0：目标策略从不选日志中的动作",
)
about = partial(About, range="−∞ … ∞")


@dataclass(frozen=True, kw_only=True)
class OffpolicyMetric(Metric):
    """Base of all metrics of off-policy values."""

    task = "offpolicy"
    uses = "numbers"
    symbols = Text(
        "r: reward · w = target propensity / logging propensity · q̂: the model's estimate of what was logged · v̂: its estimate of the target policy",
        "r：回报 · w = 目标策略概率 / 日志策略概率 · q̂：模型对所记录动作的预估 · v̂：模型对目标策略的预估",
    )
    example_data = (
        (1, 0, 1, 0),
        (0.6, 0.1, 0.5, 0.2),
        (0.5, 0.25, 0.1, 0.5),
        (0.5, 0.2, 0.4, 0.1),
        (0.5, 0.3, 0.5, 0.2),
    )
    "Rewards, target and logging propensities, estimates of what was logged and of the target policy: weights 1.2, 0.4, 5 and 0.4."
    example_form = Text(
        "rewards {}; target {}; logging {}; q̂ {}; v̂ {}", "回报 {}；目标策略 {}；日志策略 {}；q̂ {}；v̂ {}"
    )
    needs_roles: ClassVar[tuple[str, ...]] = ()
    "Columns of a model of the reward that it cannot do without."

    @classmethod
    def example_rows(cls) -> LogList:
        return LogList(*cls.about.example[1:])

    def sums(self) -> tuple[str, ...]:
        """The sums that it reads."""
        raise NotImplementedError

    def value(self, evidence: OffpolicyEvidence) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, rows: LogList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    def basis(self, evidence: OffpolicyEvidence, *, undefined: bool) -> Basis:
        """What its value stands on."""
        return Basis(evidence.count, undefined=int(undefined))

    def rounded(self, top: Fraction, bottom: Fraction = Fraction(1)) -> float:
        """top / bottom, rounded once; undefined where the bottom is 0."""
        try:
            return float(top / bottom) if bottom else NAN
        except OverflowError:
            raise InputError(
                f"{self.id}: the value is beyond the range of doubles; scale the rewards down, or clip the weights, e.g. clip=100",
                f"{self.id}：结果超出双精度范围；请缩小回报，或截断权重，例如 clip=100",
            ) from None


@dataclass(frozen=True, kw_only=True)
class WeightedMetric(OffpolicyMetric):
    """Base of the metrics that read importance weights, which may be tamed in one of four ways."""

    clip: float | None = parameter(
        None,
        Number(above=0, optional=True),
        Text("Weights count as at most this: min(w, clip)", "权重的上限：min(w, clip)"),
    )
    switch: float | None = parameter(
        None,
        Number(above=0, optional=True),
        Text(
            "Weights above this count as 0, so that dr takes the model alone there (Switch)",
            "超过此值的权重记 0，dr 在这些行只用模型（Switch）",
        ),
    )
    shrink: float | None = parameter(
        None,
        Number(least=0, optional=True),
        Text("λ of λ w / (w² + λ): optimistic shrinkage (DRos)", "λ w / (w² + λ) 中的 λ：乐观收缩（DRos）"),
    )
    smooth: float | None = parameter(
        None,
        Number(least=0, most=1, optional=True),
        Text("λ of w / (1 − λ + λ w): sub-Gaussian weights", "w / (1 − λ + λ w) 中的 λ：次高斯权重"),
    )

    def check(self) -> None:
        """Refuse two ways at once."""
        ways = [f"{name}={getattr(self, name)}" for name in KINDS if getattr(self, name) is not None]
        if len(ways) > 1:
            raise InputError(
                f"{self.name}: {ways[0]} and {ways[1]} are two ways to tame large weights; choose one",
                f"{self.name}：{ways[0]} 与 {ways[1]} 是两种处理大权重的方式；请只选一种",
            )

    @property
    def shape(self) -> Shape:
        """What becomes of weights."""
        ways = ((name, getattr(self, name)) for name in KINDS)
        kind, number = next(((name, number) for name, number in ways if number is not None), ("raw", 0.0))
        return Shape(kind, float(number))

    def named(self, factor: str) -> str:
        """The name of a sum of weights in this shape, times a factor."""
        return weighted_name(self.shape, factor)

    def ratios(self, rows: OffpolicyRows) -> Floats:
        """The weight of each row in this shape."""
        return self.shape.of(rows.ratio)
