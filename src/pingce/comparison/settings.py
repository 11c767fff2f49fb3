"""How models are compared: under which names, against which, by which test, corrected how."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pingce.base.addresses import file_name, public_path
from pingce.base.errors import InputError, did_you_mean, refuse_other
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.stats.paired import CORRECTIONS, checked_test
from pingce.stats.resampling import Resampling

PERMUTATIONS, DRAWS, CELL_DRAWS = 100_000, 10_000, 1_000
"Random permutations of a test; bootstrap draws of queries; of rows or of joint cells, which cost more."

Model: TypeAlias = Any
"A run or model in any form: data, a file, the name of a column, scores."
Models: TypeAlias = dict[str, Model]


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


def named(models: Any, *, columns: bool = False) -> tuple[Models, tuple[Text, ...]]:
    """Models by name, and what was renamed. A dict, pairs (name, model), paths, or names of columns."""
    if not isinstance(models, (Mapping, list, tuple)):
        raise InputError(
            f"models is {type(models).__name__}; give a dict with a name for each run or model",
            f"models 是 {type(models).__name__}；请给出名称到预测的字典",
        )
    by_name: Models = {}
    notes = []
    for wanted, model in models.items() if isinstance(models, Mapping) else _pairs(models, columns):
        name, number = str(wanted), 2
        while name in by_name:
            name, number = f"{wanted}#{number}", number + 1
        if name != str(wanted):
            notes.append(
                Text(
                    f"there are two models named '{wanted}'; the later one is called '{name}'",
                    f"有两个模型都名为 '{wanted}'；后者改称 '{name}'",
                )
            )
        by_name[name] = model
    return by_name, tuple(notes)


def _pairs(models: Sequence[Model], columns: bool) -> list[tuple[str, Model]]:
    """Models and their names; files of the same name that nobody named have their folder's, if that tells them apart."""
    pairs = []
    paths = [Path(public_path(each)) for each in models if isinstance(each, (str, os.PathLike))]
    for each in models:
        if isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str):
            pairs.append(each)
            continue
        if not isinstance(each, (str, os.PathLike)):
            raise InputError(
                f"a model is {type(each).__name__} without a name; give a dict with a name for each run or model",
                f"有一个模型是 {type(each).__name__}，没有名称；请给出名称到预测的字典",
            )
        name = each if isinstance(each, str) and columns else file_name(each)
        folders = [path.parent.name for path in paths if path.name == name]
        apart = len(folders) > 1 and len(set(folders)) == len(folders) and not columns
        pairs.append((Path(public_path(each)).parent.name or name if apart else name, each))
    return pairs
