"""How data is drawn again and again: at which confidence, how often, from which seed."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Resampling:
    """The settings of confidence intervals; what makes no sense is refused. The same seed gives the same bits."""

    confidence: float = 0.95
    samples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        values: tuple[Any, Any, Any] = self.confidence, self.samples, self.seed
        confidence, samples, seed = values
        is_number = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
        if not is_number or not 0.5 < (1 + confidence) / 2 < 1:
            raise InputError(
                f"ci={confidence}: it is the confidence, a number between 0 and 1 such as 0.95",
                f"ci={confidence}：应为置信水平，介于 0 与 1 之间，例如 0.95",
            )
        if isinstance(samples, bool) or not isinstance(samples, Integral) or not 10 <= int(samples) <= 1_000_000:
            raise InputError(
                f"samples={samples}: the number of bootstrap samples must be a whole number from 10 to 1000000",
                f"samples={samples}：自助抽样次数须为 10 到 1000000 的整数",
            )
        if isinstance(seed, bool) or not isinstance(seed, Integral) or int(seed) < 0:
            raise InputError(
                f"seed={seed!r}: the seed of the bootstrap must be a whole number from 0 up",
                f"seed={seed!r}：自助抽样的种子须为不小于 0 的整数",
            )

    @property
    def ends(self) -> list[float]:
        """The shares of draws below the two ends of an interval."""
        return [(1 - self.confidence) / 2, (1 + self.confidence) / 2]

    def random(self) -> np.random.Generator:
        """A source of random numbers that begins with the seed."""
        import numpy as np

        return np.random.Generator(np.random.PCG64(self.seed))
