"""What the core does with tables that no honest caller hands over, with too many ids, and with ids that are chosen to collide."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from numpy.typing import NDArray

import pingce as pc
from pingce.base.core import native_core
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs.ids import IntIds

core = native_core()
pytestmark = pytest.mark.skipif(core is None, reason="no native core in this install")
ROWS = 200_000


@pytest.mark.parametrize("kind", ["reversed", "shuffled", "all NaN", "some NaN"])
@pytest.mark.parametrize("rows", [50, ROWS])
def test_merging_ends_and_stays_within_bounds_whatever_the_scores_are(kind: str, rows: int) -> None:
    score, counts = np.linspace(1, 0, rows), np.arange(1, rows + 1)
    odd = {
        "reversed": score[::-1].copy(),
        "shuffled": np.random.default_rng(1).permutation(score),
        "all NaN": np.full(rows, np.nan),
        "some NaN": np.where(np.arange(rows) % 7, score, np.nan),
    }[kind]
    for one, other in ((odd, score), (score, odd), (odd, odd)):
        merged, tp, fp, _ = core.merge_tables(one, counts, counts, other, counts, counts, 2)  # type: ignore[union-attr]
        assert rows <= len(merged) == len(tp) == len(fp) <= 2 * rows


def test_more_than_32_bits_can_count_is_refused_in_a_sentence() -> None:
    core.check_count(2**32 - 2)  # type: ignore[union-attr]
    with pytest.raises(pc.InputError, match=r"4294967295 ids or rows of one group .* in batches") as refusal:
        core.check_count(2**32 - 1)  # type: ignore[union-attr]
    assert "32 位" in refusal.value.text.zh


FACTOR, START = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
"What hashes began with and were multiplied by in 0.1.0, for everyone to read."


def colliding(count: int) -> NDArray[np.int64]:
    """Integers whose hashes under those keys end in 18 zeros: m · 2^18 where m · FACTOR mod 2^64 is below 2^46."""
    steps = np.arange(1, 1 << 21, dtype=np.uint64)
    places, limit = steps * FACTOR, np.uint64(1 << 46)
    up, down = int(np.argmax(places < limit)), int(np.argmax(~places < limit))
    found = np.zeros(count, np.uint64)
    at = 0
    for place in range(1, count):  # the next one is one of three steps away
        at += place_step(at * int(FACTOR) % (1 << 64), int(places[up]), int(~places[down]) + 1, (up + 1, down + 1))
        found[place] = at
    return ((found << np.uint64(18)) ^ START).view(np.int64)


def place_step(place: int, rise: int, fall: int, steps: tuple[int, int]) -> int:
    if place + rise < 1 << 46:
        return steps[0]
    return steps[1] if place >= fall else sum(steps)


def test_ids_that_are_chosen_to_collide_take_no_longer_than_others() -> None:
    def seconds(ids: NDArray[np.int64]) -> float:
        begun = time.perf_counter()
        index = IdIndex(IntIds(ids))
        assert (index.find(IntIds(ids)) >= 0).all()
        return time.perf_counter() - begun

    rng = np.random.default_rng(1)
    usual = min(seconds(rng.integers(-(2**62), 2**62, 40_000)) for _ in range(3))
    assert seconds(rng.permutation(colliding(40_000))) < 20 * usual + 0.2


@pytest.mark.deep("processes with keys of their own")
def test_groups_and_bytes_do_not_depend_on_the_key_of_the_process() -> None:
    """The key is another one in each process; the order of groups, and so of what is written, is not."""
    code = (
        "import sys, numpy as np, pingce as pc, hashlib\n"
        "rng = np.random.default_rng(1); ids = rng.integers(0, 9999, 30_000)\n"
        "one = pc.RankingEvaluator({'q': {'a': 1}}, ['mrr'], split='never')\n"
        "one.update({**{f'x{i}': ['a'] for i in rng.permutation(3000)}, 'q': ['b', 'a']})\n"
        "from pingce.evidence.ranking.truth_index import IdIndex\nfrom pingce.inputs.ids import IntIds\n"
        "begin = IdIndex(IntIds(ids)).first_rows().tobytes()\n"
        "print(hashlib.sha256(one.to_bytes() + begin).hexdigest())"
    )
    path = os.pathsep.join(sys.path)
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    }
    assert len(found) == 1


@pytest.mark.skipif(shutil.which("readelf") is None or sys.platform != "linux", reason="no readelf")
def test_the_core_is_linked_at_once_and_its_stack_is_guarded() -> None:
    read = subprocess.run(["readelf", "-dlW", "--dyn-syms", core.__file__], capture_output=True, text=True, check=True)  # type: ignore[union-attr]
    assert "BIND_NOW" in read.stdout
    assert "GNU_RELRO" in read.stdout
    assert "__stack_chk_fail" in read.stdout or "__asan" in read.stdout
