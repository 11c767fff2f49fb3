"""How models are compared: against which, by which test, corrected how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pingce.base.errors import InputError, did_you_mean, refuse_other
from pingce.stats.paired import CORRECTIONS, checked_test
from pingce.stats.resampling import Resampling

PERMUTATIONS, DRAWS, CELL_DRAWS = 100_000, 10_000, 1_000
"Random permutations of a test; bootstrap draws of queries; of rows or of joint cells, which cost more."


@dataclass(frozen=True)
class ComparisonSettings:
    """The choices of one comparison; `samples` None means the usual number of each kind of draw."""

    test: str = "permutation"
    correction: str = "holm"
    confidence: float = 0.95
    samples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        checked_test(self.test, self.permutations, self.seed)
        refuse_other("correction", self.correction, CORRECTIONS)
        Resampling(self.confidence, self.draws, self.seed)  # which refuses what makes no sense

    @property
    def alpha(self) -> float:
        """The level from which on a corrected p is significant."""
        return round(1 - self.confidence, 12)

    @property
    def permutations(self) -> int:
        """Random permutations: of signs, by query, group or row."""
        return PERMUTATIONS if self.samples is None else self.samples

    @property
    def draws(self) -> int:
        """Bootstrap draws of queries."""
        return DRAWS if self.samples is None else self.samples

    @property
    def resampling(self) -> Resampling:
        """How queries are drawn."""
        return Resampling(self.confidence, self.draws, self.seed)

    @property
    def row_resampling(self) -> Resampling:
        """How rows or cells are drawn."""
        return Resampling(self.confidence, self.cell_draws, self.seed)

    @property
    def cell_draws(self) -> int:
        """Bootstrap draws of rows or cells."""
        return CELL_DRAWS if self.samples is None else self.samples


def chosen_baseline(baseline: str | None, models: Sequence[str]) -> str:
    """The model that the others are compared with: the one named, else the first; fewer than two models are refused."""
    if len(models) < 2:
        raise InputError(
            f"a comparison needs at least two runs or models, but there {'is' if models else 'are'} {len(models)}; "
            "runs come after the truth (QRELS RUN RUN...); models are several --score columns of one table, or a file each with --label, "
            "--score and --id; for a single one use evaluate (pingce eval)",
            f"比较至少需要两份预测（或两个模型），而现有 {len(models)} 份；排序结果列在真值之后（QRELS RUN RUN...）；"
            "模型为一张表的多个 --score 列，或各一个文件并给出 --label、--score 与 --id；只有一份时请用 evaluate（pingce eval）",
        )
    if baseline is None:
        return models[0]
    if baseline not in models:
        hint = did_you_mean(str(baseline), models)
        listed = ", ".join(f"'{name}'" for name in models)
        raise InputError(
            f"the baseline '{baseline}' is not among the models {listed}{hint.en}",
            f"基线 '{baseline}' 不在模型 {listed} 之中{hint.zh}",
        )
    return baseline
