"""`pingce eval-factors` says what `pc.evaluate_factors` computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pingce as pc
from pingce.cli import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "users.npy", rng.standard_normal((9, 4)).astype(np.float32))
    np.save(tmp_path / "items.npy", rng.standard_normal((30, 4)).astype(np.float32))
    np.save(tmp_path / "bias.npy", rng.standard_normal(30))
    (tmp_path / "names.txt").write_text("".join(f"u{user}\n" for user in range(9)))
    for name, step in (("test", 5), ("train", 7)):
        rows = (f"u{user},{(user * step + more) % 30}" for user in range(9) for more in range(3))
        (tmp_path / f"{name}.csv").write_text("\n".join(["user_id,item_id", *rows]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORDS = ["eval-factors", "users.npy", "items.npy", "--user-ids", "names.txt", "-m", "ndcg@5,recall@10"]


def test_the_command_gives_what_the_call_gives(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--truth", "test.csv", "--exclude", "train.csv", "--item-bias", "bias.npy", "--similarity", "cosine"]
    assert run([*WORDS, *more, "-f", "json", "--batch", "2"]) == 0
    document = capsys.readouterr().out
    scores = pc.evaluate_factors(
        "users.npy",
        "items.npy",
        "test.csv",
        ["ndcg@5", "recall@10"],
        user_ids=[f"u{user}" for user in range(9)],
        exclude="train.csv",
        item_bias="bias.npy",
        similarity="cosine",
    )
    for name, value in scores.items():
        assert repr(value) in document, name
    assert "similarity:cosine|precision:float32|candidates:all" in document


def test_what_is_wrong_ends_the_command_with_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*WORDS, "--truth", "test.csv", "--device", "cuda:3"]) == 2
    assert "device='cuda:3': there is no such device here" in capsys.readouterr().err
    assert run([*WORDS, "--lang", "zh"]) == 2
    assert "需要相关性标注" in capsys.readouterr().err
