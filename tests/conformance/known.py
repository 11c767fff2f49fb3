"""The differences from other tools that are known, from known_differences.toml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pingce.base.json import load_toml


@dataclass(frozen=True)
class Difference:
    """One reason why some numbers of a tool are not reproduced, or only roughly."""

    tool: str
    case: str
    measure: str
    why: str
    tolerance: float | None = None
    part: str = ".*"
    "Of which queries; the mean is called `mean`."

    def is_about(self, case: str, measure: str) -> bool:
        """Whether it explains the number of a measure in a case."""
        return re.fullmatch(self.case, case) is not None and re.fullmatch(self.measure, measure) is not None


@cache
def known_differences() -> tuple[Difference, ...]:
    """All of them."""
    text = (Path(__file__).parent / "known_differences.toml").read_text(encoding="utf-8")
    return tuple(Difference(**one) for one in load_toml(text)["difference"])
