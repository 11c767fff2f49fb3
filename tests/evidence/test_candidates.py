"""Lists that look like one relevant item among drawn candidates are recognised, in batches and sums as in one call."""

from __future__ import annotations

import random
from typing import Any

import pytest

import pingce as pc
from pingce.run.evaluator import state_of

pytestmark = pytest.mark.filterwarnings("ignore")
NAMES = ["hit_rate@10", "rr"]
Tables = tuple[dict[str, dict[str, int]], dict[str, list[str]]]


def drawn(lists: int = 40, length: int = 20, items: int = 500) -> Tables:
    """Lists of one relevant item and drawn ones."""
    draw, truth, run = random.Random(5), {}, {}
    for user in range(lists):
        shown = [f"i{item}" for item in draw.sample(range(items), length)]
        truth[f"u{user}"], run[f"u{user}"] = {draw.choice(shown): 1}, shown
    return truth, run


def everything(lists: int = 40, items: int = 20) -> Tables:
    """Lists of the whole catalogue, each in an order of its own."""
    draw, names = random.Random(6), [f"i{item}" for item in range(items)]
    run = {f"u{user}": draw.sample(names, items) for user in range(lists)}
    return {user: {draw.choice(names): 1} for user in run}, run


def warnings_everywhere(truth: Any, run: Any, **options: Any) -> tuple[Any, ...]:
    """What one call says, which batches and sums must say too."""
    whole = pc.evaluate_ranking(truth, run, NAMES, **options).warnings
    evaluator = pc.RankingEvaluator(truth, NAMES, split="never", **options)
    for query in run:
        evaluator.update({query: run[query]})
    assert evaluator.compute().warnings == whole
    there = pc.RankingEvaluator(None, NAMES, split="never", **options)
    settings, names = there.to_bytes(), sorted({*truth, *run})
    for begin in range(0, len(names), 7):
        part, some = pc.RankingEvaluator.from_bytes(settings), names[begin : begin + 7]
        part.update({q: run[q] for q in some if q in run}, qrels={q: truth[q] for q in some if q in truth})
        state_of(part).condense()
        there.merge(pc.RankingEvaluator.from_bytes(part.to_bytes()))
    assert there.compute().warnings == whole
    return whole


def test_drawn_candidates_are_said_in_both_languages() -> None:
    (text,) = warnings_everywhere(*drawn())
    assert "each of the 40 lists has 20 items, exactly one of them relevant" in text.en
    assert "1 relevant item among 19 drawn candidates" in text.en
    assert "corrected=plug_in with catalog=NUMBER" in text.en
    assert "1 个相关条目加上抽取的 19 个候选" in text.zh


def test_corrected_values_need_no_word() -> None:
    assert warnings_everywhere(*drawn(), corrected="plug_in", catalog=500) == ()
    truth, run = drawn()
    scores = pc.evaluate_ranking(truth, run, ["rr", "rr(corrected=plug_in)@5"], catalog=500)
    assert len(scores.warnings) == 1


def test_whole_rankings_of_a_small_catalogue_are_none() -> None:
    truth, run = everything()
    assert warnings_everywhere(truth, run) == ()
    assert warnings_everywhere(truth, {**run, "someone": [f"j{item}" for item in range(20)]}) == ()
    one = {**run, "u0": [*run["u0"][:-1], "other"]} if run["u0"][-1] not in truth["u0"] else run
    assert len(warnings_everywhere(truth, {**one, "u1": run["u1"]})) == (one is not run)


@pytest.mark.parametrize("change", ["length", "relevant", "lost", "few", "short"])
def test_other_lists_are_none(change: str) -> None:
    truth, run = drawn(lists=19 if change == "few" else 40, length=9 if change == "short" else 20)
    if change == "length":
        run["u3"] = [*run["u3"], "more"]
    if change == "relevant":
        truth["u3"] = dict.fromkeys(run["u3"][:2], 1)
    if change == "lost":
        truth["u3"] = {"elsewhere": 1, run["u3"][0]: 0}
    assert warnings_everywhere(truth, run) == ()


def test_unanswered_queries_and_queries_without_judgements_change_nothing() -> None:
    truth, run = drawn()
    (text,) = warnings_everywhere({**truth, "silent": {"i1": 1}}, {**run, "extra": ["a", "b"]})
    assert "each of the 40 lists" in text.en


def test_the_caution_follows_what_is_relevant() -> None:
    truth, run = drawn()
    graded = {user: {**dict.fromkeys(run[user], 1), **dict.fromkeys(items, 4)} for user, items in truth.items()}
    assert not any("candidates" in text.en for text in pc.evaluate_ranking(graded, run, NAMES).warnings)
    assert any("candidates" in text.en for text in pc.evaluate_ranking(graded, run, NAMES, relevant=4).warnings)
