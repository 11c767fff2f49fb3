"""The libraries that train, each for real: the examples of docs/training.md, in an environment of their own (`make training`)."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / "build/training/venv"
PYTHON = ENVIRONMENT / "bin/python"
PAGE = (ROOT / "docs/training.md").read_text(encoding="utf-8")
SECTIONS = {
    part.partition("\n")[0]: re.findall(r"```python\n(.*?)```", part, re.DOTALL) for part in PAGE.split("\n## ")
}
DATA = next(iter(SECTIONS.values()))[0]
RUN = [name for name in SECTIONS if name != "sentence-transformers" and not name.startswith("#")]
pytestmark = [
    pytest.mark.deep("the libraries take minutes to install, and a minute to run"),
    pytest.mark.skipif(not (ENVIRONMENT / "ready").exists(), reason="build/training has no environment: make training"),
]


def run(*arguments: str) -> str:
    """What a command in that environment prints; it must succeed."""
    variables = os.environ | {"KERAS_BACKEND": "torch", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([PYTHON, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_an_example_for_each_library() -> None:
    code = PAGE.replace("\n", " ")
    for name in ("lightgbm", "xgboost", "catboost", "sklearn", "torch", "lightning", "keras"):
        assert f"import {name}" in code
    assert len(RUN) == 5


@pytest.mark.parametrize("section", RUN)
def test_examples_run(section: str) -> None:
    run("-W", "ignore", "-c", "\n".join([DATA, *SECTIONS[section]]))


def test_the_metric_of_torch_is_one_of_torchmetrics() -> None:
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/training/test_torch_metric.py")
    code = """if True:
        import torch, torchmetrics
        from torchmetrics.classification import BinaryAUROC
        from pingce.torch import Metric
        both = torchmetrics.MetricCollection({"gauc": Metric("gauc"), "auc": Metric("auc"), "theirs": BinaryAUROC()})
        assert all(isinstance(each, torchmetrics.Metric) for each in both.values())
        torch.manual_seed(0)
        rows = torch.rand(500), torch.randint(0, 2, (500,)), torch.randint(0, 9, (500,))
        for part in zip(*(column.split(100) for column in rows)):
            both.update(*part[:2], indexes=part[2])
        values = both.compute()
        assert abs(values["auc"] - values["theirs"]) < 1e-6
        assert len(both.compute_groups) == 3
        assert [each.update_count for each in both.values()] == [5, 5, 5]
        both["gauc"].update(1 - rows[0], *rows[1:])
        assert both["gauc"].compute() != values["gauc"]
        tracker = torchmetrics.MetricTracker(Metric("logloss"))
        for shift in (0.0, 0.1):
            tracker.increment()
            tracker.update(rows[0].clamp(0.1 + shift, 0.9 - shift), rows[1])
        assert tracker.best_metric() == min(tracker.compute_all()).item()
        """
    run("-W", "ignore", "-c", code)


def test_sentence_transformers_has_the_numbers_of_its_own_evaluator() -> None:
    run("-W", "ignore", "-m", "tests.training.sentences")


def test_scorers_in_the_hands_of_scikit_learn() -> None:
    run("-W", "ignore", "-m", "tests.training.scorers")
