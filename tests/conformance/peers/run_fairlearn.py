"""Ask fairlearn about gaps between groups of classifiers; the cases are drawn here and written beside its answers."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

import fairlearn.metrics as fl
from sklearn.metrics import accuracy_score, precision_score

FILE = Path(__file__).resolve().parent.parent / "fairlearn.json"
CASES = 60


def draw(seed: int) -> dict[str, Any]:
    """Decisions about rows of two to five groups, each with both classes, some of them weighted."""
    rng = random.Random(seed)
    groups = 2 + int(4 * rng.random())
    truth, decision, group = [], [], []
    for name in range(groups):
        rate, rows = 0.2 + 0.6 * rng.random(), 8 + int(40 * rng.random())
        for row in range(rows):
            positive = row if row < 2 else int(rng.random() < rate)
            truth.append(int(bool(positive)))
            decision.append(int(rng.random() < (0.65 if positive else 0.2 + 0.1 * name)))
            group.append(f"g{name}")
    weight = [1 + int(3 * rng.random()) for _ in truth] if seed % 3 == 0 else None
    return {"truth": truth, "decision": decision, "group": group, "weight": weight}


def answers(case: dict[str, Any]) -> dict[str, float]:
    """Every gap that pingce has too, by pingce's name."""
    sides = case["truth"], case["decision"]
    options: dict[str, Any] = {"sensitive_features": case["group"], "sample_weight": case["weight"]}
    found = {}
    for name, ours in (
        ("demographic_parity", "demographic_parity"),
        ("equal_opportunity", "equal_opportunity"),
        ("equalized_odds", "equalized_odds"),
    ):
        for form in ("difference", "ratio"):
            found[f"{ours}(as={form})"] = float(getattr(fl, f"{name}_{form}")(*sides, **options))
    weights = None if case["weight"] is None else {"sample_weight": case["weight"]}
    for name, metric in (("accuracy", accuracy_score), ("precision", precision_score)):
        frame = fl.MetricFrame(
            metrics=metric, y_true=sides[0], y_pred=sides[1], sensitive_features=case["group"], sample_params=weights
        )
        found[f"gap(of={name},as=difference)"] = float(frame.difference(method="between_groups"))
        found[f"gap(of={name},as=ratio)"] = float(frame.ratio(method="between_groups"))
    return found


def main() -> None:
    """Write fairlearn.json."""
    cases = [draw(seed) for seed in range(CASES)]
    lines = ",\n".join(json.dumps(case | {"answers": answers(case)}) for case in cases)
    head = json.dumps({"peer": "fairlearn", "version": version("fairlearn")})
    FILE.write_text(f'{head[:-1]}, "cases": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
