"""One table of options: each command takes its own from it, and the help shows them under headings."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pingce.cli.group import GROUPS
from pingce.cli.options import LISTS, OPTIONS, ROWS, complete, out_of_place, parameters
from pingce.request import Intervals, Limits, Request
from pingce.tasks import TASKS

from .conftest import Call, Small

COMMANDS = ("eval", "compare", "report", "explain", "check", "curve")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_an_option_once(command: str) -> None:
    names = [option.name for option in OPTIONS if command in option.commands]
    assert len(names) == len(set(names)) == len(parameters(command)) > 10
    assert [parameter.name for parameter in parameters(command)] == names


def test_every_place_is_one_of_a_request() -> None:
    from pingce.inputs.columns import Reading

    parts = {"": Request, "intervals": Intervals, "limits": Limits, "reading": Reading}
    for option in OPTIONS:
        part, _, name = option.place.rpartition(".")
        if part == "policies":
            for task in option.tasks:
                assert name in {each.name for each in fields(TASKS[task].load("policies"))}, option.flags
        elif name and name != "default_k":
            assert name in {each.name for each in fields(parts[part])}, option.flags


def test_every_policy_has_an_option() -> None:
    places = {(task, option.place) for option in OPTIONS for task in option.tasks}
    for task in TASKS:
        names = {each.name for each in fields(TASKS[task].load("policies"))}
        assert {(task, f"policies.{name}") for name in names} <= places


def test_an_option_belongs_to_tasks() -> None:
    options = complete({"label": "click", "threshold": 0.0})
    misplaced = out_of_place(options, LISTS)
    assert misplaced is not None
    assert misplaced.flag == "--label"
    assert out_of_place(options, ROWS) is None
    assert out_of_place(complete({}), ()) is None


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_headings_and_examples(call: Call, command: str, lang: str) -> None:
    lines = call(command, "--help", "--lang", lang).out.splitlines()
    headings = [line.removesuffix(":") for line in lines if line.endswith(":") and not line.startswith(" ")]
    groups = {option.group for option in OPTIONS if command in option.commands}
    texts = [text.zh if lang == "zh" else text.en for name, text in GROUPS.items() if name in groups]
    assert headings == [*texts, *(("选项", "示例") if lang == "zh" else ("Options", "Examples"))]
    examples = lines[lines.index(f"{headings[-1]}:") + 1 :]
    assert examples
    assert all(line.startswith("  pingce ") for line in examples)


def test_the_first_page_names_every_task(call: Call) -> None:
    page = " ".join(call("--help", "--lang", "en").out.split())
    assert "rankings, recommendations, click predictions, classes and numbers" in page


def test_draws_of_a_check_do_not_make_predictions_of_rankings(call: Call, small: Small) -> None:
    done = call("check", small.qrels, small.run, "--min", "ndcg@10=0", "--samples", "1000", "--seed", "3")
    assert (done.code, done.out.count("ndcg@10")) == (0, 1)
