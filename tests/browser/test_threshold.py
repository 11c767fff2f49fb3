"""The slider: at every position each model's numbers are, to the last bit, those `evaluate_binary` gives there."""

from __future__ import annotations

import numpy as np
import pytest

import pingce as pc

from .made import LIVE, Clicks
from .viewer import Viewer

CELLS = ("tp", "fp", "tn", "fn")
READ = """() => ({
    threshold: document.querySelector('#threshold-shown').dataset.value,
    models: [...document.querySelectorAll('section[data-section="threshold"] [data-model]')]
        .filter(row => row.querySelector('[data-cell]'))
        .map(row => [row.dataset.model, [...row.querySelectorAll('[data-cell]')].map(
            cell => [cell.dataset.cell, cell.dataset.value, cell.textContent.trim()])]),
})"""


def shown(page: Viewer) -> tuple[float, dict[str, dict[str, tuple[float | None, str]]]]:
    """The threshold, and each model's live cells: the full value, and what the reader sees."""
    read = page.page.evaluate(READ)
    models: dict[str, dict[str, tuple[float | None, str]]] = {}
    for model, cells in read["models"]:
        for cell, value, text in cells:
            number = None if value in ("", "null", "NaN", None) else float(value)
            models.setdefault(model, {})[cell] = number, text
    return float(read["threshold"]), models


def counted(clicks: Clicks, model: str, threshold: float) -> dict[str, float | None]:
    """What the cells must be: counts by NumPy, rates by pingce."""
    positive, labelled = clicks.models[model] >= threshold, clicks.labels == 1
    cells = (positive & labelled, positive & ~labelled, ~positive & ~labelled, ~positive & labelled)
    scores = pc.evaluate_binary(clicks.labels, clicks.models[model], LIVE, threshold=threshold)
    rates = {name: None if np.isnan(scores[name]) else scores[name] for name in LIVE}
    return {name: float(np.count_nonzero(rows)) for name, rows in zip(CELLS, cells, strict=True)} | rates


def check(page: Viewer, clicks: Clicks) -> float:
    """Every model's cells at the threshold that is shown; gives that threshold back."""
    threshold, models = shown(page)
    assert list(models) == list(clicks.models)
    for model, cells in models.items():
        expected = counted(clicks, model, threshold)
        assert {name: value for name, (value, _) in cells.items()} == expected, (model, threshold)
        for name in CELLS:
            assert cells[name][1].replace(",", "") == f"{expected[name]:.0f}"
    return threshold


def test_opens_at_a_threshold_with_its_numbers(click_page: Viewer, clicks: Clicks) -> None:
    check(click_page, clicks)


def test_every_position_of_the_slider(click_page: Viewer, clicks: Clicks) -> None:
    slider = click_page("#threshold-slider")
    least, most = (int(slider.get_attribute(name) or -1) for name in ("min", "max"))
    assert 400 <= most - least <= 1_000
    seen = set()
    for position in np.linspace(least, most, 41).round().astype(int).tolist():
        slider.fill(str(position))
        seen.add(check(click_page, clicks))
    assert len(seen) > 35


def test_by_keyboard(click_page: Viewer, clicks: Clicks) -> None:
    click_page("#threshold-slider").focus()
    seen = []
    for key in ("Home", "ArrowRight", "ArrowRight", "PageUp", "End", "ArrowLeft", "ArrowLeft", "PageDown"):
        click_page.page.keyboard.press(key)
        seen.append(check(click_page, clicks))
    assert len(set(seen)) >= 7


def test_by_typing(click_page: Viewer, clicks: Clicks) -> None:
    field = click_page("#threshold-value")
    scores = np.concatenate(list(clicks.models.values()))
    for typed in ("0.3", "0.123456789", "0.5", "0", "1", "-3", "1e9"):
        field.fill(typed)
        field.press("Enter")
        threshold = check(click_page, clicks)
        nearest = float(np.clip(float(typed), scores.min(), scores.max()))
        assert abs(threshold - nearest) < 0.01, typed
        assert float(field.input_value()) == threshold


def test_what_is_no_number_changes_nothing(click_page: Viewer, clicks: Clicks) -> None:
    before = check(click_page, clicks)
    field = click_page("#threshold-value")
    for typed in ("", "abc", "e", "--", "1e999"):
        field.fill("")
        field.press_sequentially(typed)
        field.press("Enter")
        assert check(click_page, clicks) == before, typed


def test_presets_are_where_they_say(click_page: Viewer, clicks: Clicks) -> None:
    seen = set()
    for place, (model, scores) in enumerate(clicks.models.items()):
        click_page("#threshold-model").select_option(str(place))
        found = pc.evaluate_binary(clicks.labels, scores, ["best_f", "ks", "bep"])
        click_page('[data-preset="max_f1"]').click()
        at = check(click_page, clicks)
        assert counted(clicks, model, at)["f1"] == pytest.approx(found["best_f"], rel=1e-15)
        click_page('[data-preset="ks"]').click()
        at = check(click_page, clicks)
        cells = counted(clicks, model, at)
        assert cells["recall"] is not None
        assert cells["fpr"] is not None
        assert cells["recall"] - cells["fpr"] == pytest.approx(found["ks"], rel=1e-12)
        click_page('[data-preset="bep"]').click()
        at = check(click_page, clicks)
        assert counted(clicks, model, at)["recall"] == pytest.approx(found["bep"], abs=0.02)
        click_page("#precision-least").fill("0.7")
        click_page('[data-preset="precision"]').click()
        at = check(click_page, clicks)
        assert (counted(clicks, model, at)["precision"] or 0) >= 0.7
        seen.add(at)
    assert len(seen) == len(clicks.models)


def test_the_points_of_the_curves_follow(click_page: Viewer, clicks: Clicks) -> None:
    """Recall is up on the ROC curve and to the right on the PR curve: the dots of a model must agree on it."""
    places = """() => [...document.querySelectorAll('section[data-section="threshold"] figure svg')].slice(0, 2)
        .map(svg => [...svg.querySelectorAll('circle.dot')].map(dot => [+dot.getAttribute('cx'), +dot.getAttribute('cy')]))"""
    seen = []
    for typed in ("0.7", "0.4", "0.1"):
        click_page("#threshold-value").fill(typed)
        click_page("#threshold-value").press("Enter")
        seen.append(click_page.page.evaluate(places))
    for place in range(len(clicks.models)):
        heights = [roc[place][1] for roc, _ in seen]
        widths = [pr[place][0] for _, pr in seen]
        assert heights == sorted(heights, reverse=True)
        assert widths == sorted(widths)
        assert len(set(heights)) == len(set(widths)) == len(seen)
