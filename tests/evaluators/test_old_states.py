"""States that pingce 0.1.0 wrote are read: alone, written again, and merged into an evaluator of today."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pingce as pc

from .old_states import QRELS, RANKED, evaluators

FOLDER = Path(__file__).parent / "states_0_1_0"
pytestmark = pytest.mark.filterwarnings("ignore::pingce.PingceWarning")


def test_every_form_is_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.state")} == set(evaluators())


@pytest.mark.parametrize("name", evaluators())
def test_a_state_is_read(name: str) -> None:
    now: Any = evaluators()[name]
    before: Any = type(now).from_bytes((FOLDER / f"{name}.state").read_bytes())
    again = type(now).from_bytes(before.to_bytes())
    if name in ("ranking-allowed", "ranking-never"):  # which were given a truth, and left it at home
        whole = pc.RankingEvaluator(QRELS, RANKED, split=before.request.split)
        with pytest.raises(pc.InputError, match="does not have the truth it was given before"):
            again.compute()
        again = whole.merge(again)
    assert again.compute().to_json() == now.compute().to_json()
