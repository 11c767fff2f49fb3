"""Fused runs equal ranx's, number by number, for every method and normalisation of the same name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.fusion.methods import METHODS
from pingce.fusion.norms import NORM_NAMES

DOCUMENT = json.loads((Path(__file__).parent / "ranx_fusion.json").read_text("utf-8"))


def title(answer: dict[str, Any]) -> str:
    return "-".join([answer["method"], str(answer["norm"]), *map(str, answer["params"].values())])


def test_every_method_and_every_normalisation_was_asked() -> None:
    assert {answer["method"] for answer in DOCUMENT["answers"]} == set(METHODS)
    norms = {(answer["norm"] or "none").replace("-", "_") for answer in DOCUMENT["answers"]}
    assert norms == set(NORM_NAMES)


@pytest.mark.parametrize("answer", DOCUMENT["answers"], ids=title)
def test_ranx_says_the_same(answer: dict[str, Any]) -> None:
    runs = DOCUMENT["runs"][answer["runs"]]
    truth = DOCUMENT["truth"].get(answer["runs"])
    learning = {} if truth is None else {"qrels": truth, "hold_out": 0}
    fused = pc.fuse(runs, answer["method"], norm=answer["norm"] or "none", **answer["params"], **learning).to_dict()
    assert fused.keys() == answer["fused"].keys()
    for query, items in answer["fused"].items():
        assert fused[query] == pytest.approx(items, rel=1e-12, abs=1e-12)
        scores = list(fused[query].values())
        assert scores == sorted(scores, reverse=True)
