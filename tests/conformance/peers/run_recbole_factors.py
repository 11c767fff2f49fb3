"""Ask RecBole to rank the whole catalogue by given factors, and to measure it: its data, loader, trainer and BPR without the training."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from factor_cases import FactorCase, write_answers
from recbole.config import Config
from recbole.data import create_dataset, data_preparation
from recbole.model.general_recommender import BPR
from recbole.trainer import Trainer

METRICS = ("Recall", "NDCG", "MRR", "Hit", "Precision", "MAP")
EXACT = 17
"Decimal places: its default of 4 would round the values away."
BLOCK = 100
"Users whose scores are made at a time. By default it is as many as make 4,096 scores: a single one where items are many."


def write(path: Path, head: str, rows: Iterable[str]) -> None:
    """One of its files."""
    path.write_text("\n".join([head, *rows]) + "\n", encoding="ascii")


def write_files(case: FactorCase, folder: Path) -> None:
    """All items, and who had what; a row of the past is its validation, which it leaves out of the ranks too."""
    write(folder / "case.item", "item_id:token", map(str, range(len(case.items))))
    past, future = (
        [f"{user}\t{item}" for user, item in zip(*case.pairs(side), strict=True)] for side in (case.train, case.test)
    )
    for name, rows in (("train", past[1:]), ("valid", past[:1]), ("test", future)):
        write(folder / f"case.{name}.inter", "user_id:token\titem_id:token", rows)


def settings(case: FactorCase, folder: Path, cuts: tuple[int, ...], metrics: tuple[str, ...]) -> dict[str, Any]:
    """What its configuration says."""
    return {
        "data_path": f"{folder.parent}",
        "benchmark_filename": ["train", "valid", "test"],
        "load_col": {"inter": ["user_id", "item_id"], "item": ["item_id"]},
        "embedding_size": case.users.shape[1],
        "metrics": list(metrics),
        "topk": list(cuts),
        "valid_metric": f"{metrics[0]}@{cuts[0]}",
        "metric_decimal_place": EXACT,
        "eval_args": {"group_by": "user", "order": "RO", "mode": "full"},
        "eval_batch_size": BLOCK * (len(case.items) + 1),
        "use_gpu": False,
        "checkpoint_dir": f"{folder}",
        "state": "ERROR",
    }


def placed(embedding: Any, factors: Any, tokens: Any) -> None:
    """Put factors into the rows that it gives their ids; row 0 is [PAD]."""
    rows = [int(token) for token in tokens[1:]]
    embedding.weight.data[1:] = torch.from_numpy(factors[rows])


def prepared(case: FactorCase, config_dict: dict[str, Any]) -> tuple[Any, Any]:
    """A trainer whose model has the factors, and the test data."""
    config = Config("BPR", "case", config_dict=config_dict)
    data = create_dataset(config)
    train, _, test = data_preparation(config, data)
    model = BPR(config, train.dataset)
    placed(model.user_embedding, case.users, data.field2id_token["user_id"])
    placed(model.item_embedding, case.items, data.field2id_token["item_id"])
    return Trainer(config, model), test


def evaluation(
    case: FactorCase, cuts: tuple[int, ...], metrics: tuple[str, ...] = METRICS
) -> Callable[[], dict[str, float]]:
    """Its trainer's own evaluation of the test data, by full sorting; the files that it leaves behind do not stay."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "case"
        folder.mkdir()
        write_files(case, folder)
        os.chdir(folder)
        try:
            trainer, test = prepared(case, settings(case, folder, cuts, metrics))
        finally:
            os.chdir(here)
    return lambda: dict(trainer.evaluate(test, load_best_model=False))


def main() -> None:
    """Write recbole_factors.json."""
    np.random.seed(0)
    write_answers("recbole", evaluation)


if __name__ == "__main__":
    main()
