"""Ask implicit to rank the whole catalogue by given factors, and to measure it: its matrix factorisation without the fitting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from factor_cases import FactorCase, write_answers
from implicit.cpu.matrix_factorization_base import MatrixFactorizationBase
from implicit.evaluation import ranking_metrics_at_k

NAMES = {
    "precision": "precision_at_k(K={k})",
    "map": "mean_average_precision_at_k(K={k})",
    "ndcg": "ndcg_at_k(K={k})",
    "auc": "AUC_at_k(K={k})",
}


class Given(MatrixFactorizationBase):  # type: ignore[misc]
    """A model whose factors are there already."""

    def __init__(self, case: FactorCase) -> None:
        super().__init__()
        self.user_factors, self.item_factors = case.users, case.items

    def fit(self, *_: Any, **__: Any) -> None:
        """Nothing is to be done."""

    def save(self, *_: Any) -> None:
        """Nothing is to be done."""


def evaluation(case: FactorCase, cuts: tuple[int, ...]) -> Callable[[], dict[str, float]]:
    """One call for each cut-off, as it has it; what users had is left out."""
    model = Given(case)

    def evaluate() -> dict[str, float]:
        found = {
            k: ranking_metrics_at_k(model, case.train, case.test, K=k, show_progress=False, num_threads=0) for k in cuts
        }
        return {name.format(k=k): found[k][key] for key, name in NAMES.items() for k in cuts}

    return evaluate


if __name__ == "__main__":
    write_answers("implicit", evaluation)
