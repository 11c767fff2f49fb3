"""Factors with what users had and will have, for tools that rank the whole catalogue; NumPy and SciPy only."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from peer_files import HERE, layout
from scipy.sparse import csr_matrix

CUTS = (10, 50)


@dataclass(frozen=True)
class FactorCase:
    """Users and items as float32, a row each; a row of a matrix has the items of a user."""

    name: str
    users: Any
    items: Any
    train: csr_matrix
    test: csr_matrix

    def pairs(self, side: csr_matrix) -> tuple[Any, Any]:
        """The users and the items of a matrix, by user."""
        return np.repeat(np.arange(side.shape[0]), np.diff(side.indptr)), side.indices


Evaluation = Callable[[FactorCase, tuple[int, ...]], Callable[[], Mapping[str, float]]]
"What prepares a case for a tool; what comes back ranks and measures, and gives numbers by the tool's own spellings."


def read_factor_cases() -> Iterator[FactorCase]:
    """Every case, in the order of the file."""
    for name, case in json.loads((HERE / "cases" / "factors.json").read_text(encoding="utf-8")).items():
        users, items = (np.array(case[side], np.float32) for side in ("users", "items"))
        matrices = (_matrix(case[side], len(items)) for side in ("train", "test"))
        yield FactorCase(name, users, items, *matrices)


def _matrix(lists: list[list[int]], width: int) -> csr_matrix:
    starts = np.cumsum([0, *map(len, lists)])
    columns = np.array([item for items in lists for item in items], np.int32)
    return csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(lists), width))


def write_answers(tool: str, evaluation: Evaluation) -> None:
    """Ask a tool about every case, and write its numbers beside the cases."""
    answers = {case.name: dict(evaluation(case, CUTS)()) for case in read_factor_cases()}
    document = {
        "tool": tool,
        "version": version(tool),
        "python": platform.python_version(),
        "made_by": f"tests/conformance/peers/run_{tool}_factors.py",
        "cases": {name: {measure: float(value) for measure, value in of.items()} for name, of in answers.items()},
    }
    (HERE / f"{tool}_factors.json").write_text(layout(document) + "\n", encoding="utf-8", newline="\n")
