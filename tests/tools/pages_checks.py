"""Run where the tools are: the examples of the pages about them, as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("page", ["retrieval.md", "tables.md", "tracking.md"])
def test_the_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path}/mlflow.db")
    monkeypatch.setenv("WANDB_SILENT", "true")
    names: dict[str, Any] = {}
    text = (DOCS / page).read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        exec(block, names)
    if page == "tracking.md":
        assert names["result"].metrics == {"auc": 0.75, "gauc": 1.0}
