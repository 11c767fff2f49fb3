"""Ask RecTools to recommend from the whole catalogue by given factors, and to measure the lists: a vector model without the fitting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from factor_cases import FactorCase, write_answers
from rectools import Columns
from rectools.dataset import Dataset, IdMap, Interactions
from rectools.metrics import MAP, MRR, NDCG, F1Beta, HitRate, Precision, Recall, calc_metrics
from rectools.models.base import ModelConfig
from rectools.models.rank import Distance
from rectools.models.vector import Factors, VectorModel

METRICS: dict[str, Callable[[int], Any]] = {
    "NDCG(k={k})": lambda k: NDCG(k=k),
    "NDCG(k={k}, divide_by_achievable=True)": lambda k: NDCG(k=k, divide_by_achievable=True),
    "MAP(k={k})": lambda k: MAP(k=k),
    "MRR(k={k})": lambda k: MRR(k=k),
    "Precision(k={k})": lambda k: Precision(k=k),
    "Recall(k={k})": lambda k: Recall(k=k),
    "F1Beta(k={k})": lambda k: F1Beta(k=k),
    "HitRate(k={k})": lambda k: HitRate(k=k),
}


class Given(VectorModel[ModelConfig]):  # type: ignore[misc]
    """A model whose factors are there already."""

    u2i_dist = i2i_dist = Distance.DOT

    def __init__(self, case: FactorCase) -> None:
        super().__init__()
        self.case, self.is_fitted = case, True
        self.recommend_n_threads, self.recommend_use_gpu_ranking = 0, False

    def _get_users_factors(self, _: Dataset) -> Factors:
        return Factors(self.case.users)

    def _get_items_factors(self, _: Dataset) -> Factors:
        return Factors(self.case.items)


def dataset(case: FactorCase) -> Dataset:
    """What users had, under numbers that are those of the factors' rows."""
    user, item = case.pairs(case.train)
    rows = pd.DataFrame({Columns.User: user, Columns.Item: item, Columns.Weight: 1.0, Columns.Datetime: 0})
    rows[Columns.Datetime] = pd.to_datetime(rows[Columns.Datetime])
    return Dataset(
        IdMap(np.arange(len(case.users))),
        IdMap(np.arange(len(case.items))),
        Interactions(rows.astype({Columns.Weight: float})),
    )


def evaluation(
    case: FactorCase, cuts: tuple[int, ...], names: tuple[str, ...] = tuple(METRICS)
) -> Callable[[], dict[str, float]]:
    """Lists of the largest cut-off, without what users had, then all metrics of them."""
    data, model = dataset(case), Given(case)
    user, item = case.pairs(case.test)
    wanted = pd.DataFrame({Columns.User: user, Columns.Item: item})
    users = wanted[Columns.User].unique()
    metrics = {name.format(k=k): METRICS[name](k) for name in names for k in cuts}

    def evaluate() -> dict[str, float]:
        lists = model.recommend(users, data, max(cuts), filter_viewed=True)
        return dict(calc_metrics(metrics, lists, wanted))

    return evaluate


if __name__ == "__main__":
    write_answers("rectools", evaluation)
