"""Every keyword of every task through every entrance: one answer, or one refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from inspect import signature
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import InputError, PingceError
from pingce.cli.options import OPTIONS
from pingce.tasks import TASKS
from pingce.tasks.options import OptionError

from .data import Data, write_data
from .entrances import CALLS, ENTRANCES, EVALUATORS, FLAGS, Answer, CommandError, Question, call, keywords, offers
from .keywords import METRICS, REFUSED, TABLE, Use

PAIRS = [(task, keyword) for task in TASKS for keyword in keywords(task)]
NO_USE = Use(None)
_ALL_ROWS = r"(ci|group_weight|proba)= needs all rows at once, .* more than memory=6 kB; give more memory"
_CALLED = "ci= is called confidence= here, and intervals are always there"
DIFFERENT: dict[tuple[str, str], str] = {
    **{("compared", name): _CALLED for name in ("ci", "samples", "seed")},
    ("compared", "bins"): "bins= is no option of comparing binary; pc.evaluate_binary has it",
    **{("streamed", name): _ALL_ROWS for name in ("ci", "samples", "seed", "group_weight", "proba")},
}
"Keywords that an entrance has by its signature, and refuses by a sentence of its own; of rankings, only where they are compared."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return write_data(tmp_path_factory.mktemp("net"))


@pytest.fixture(scope="module", autouse=True)
def next_to_no_memory() -> Iterator[None]:
    """What is streamed here would fit into any memory that may be named."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pingce.base.memory.SMALLEST", 1)
        yield


@cache
def expected(task: str, keyword: str | None, data: Data) -> Answer | InputError:
    """What the call answers."""
    return outcome(call, Question.of(task, keyword, data, TABLE[task].get(keyword or "", NO_USE)))


def outcome(entrance: Any, question: Question) -> Answer | InputError:
    try:
        found: Answer = entrance(question)
    except InputError as refused:
        return refused
    return found


def sentence(refused: InputError) -> str:
    """A refusal without the place, which each entrance calls its own way."""
    return str(refused).rpartition(": ")[2]


@pytest.mark.parametrize("task", TASKS)
def test_the_table_has_a_row_for_every_keyword_of_every_call(task: str) -> None:
    assert sorted(TABLE[task]) == sorted(keywords(task))
    policies = {
        name for name in keywords(task) if name in TASKS[task].load("policies").among(dict.fromkeys(keywords(task)))
    }
    assert sorted(REFUSED[task]) == sorted(policies | {"convention"})


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(("task", "keyword"), [*((task, None) for task in TASKS), *PAIRS])
def test_all_entrances_give_one_answer(task: str, keyword: str | None, entrance: str, data: Data) -> None:
    use = TABLE[task].get(keyword or "", NO_USE)
    wanted = expected(task, keyword, data)
    found = outcome(ENTRANCES[entrance], Question.of(task, keyword, data, use))
    lacking = [
        name for name in dict.fromkeys((keyword, *use.beside)) if name is not None and not offers(entrance, task, name)
    ]
    own = DIFFERENT.get((entrance, keyword or "")) if TASKS[task].of_rows or entrance == "compared" else None
    if own is not None:
        assert isinstance(found, InputError)
        assert re.search(own, str(found))
    elif lacking:
        assert_refused(found, lacking)
    elif isinstance(wanted, InputError):
        assert isinstance(found, InputError)
        assert sentence(found) == sentence(wanted)
    else:
        assert not isinstance(found, InputError), str(found)
        assert_same(found, wanted)


def assert_same(found: Answer, wanted: Answer) -> None:
    """The whole document where there is one, else the values and signatures."""
    if found.document is not None:
        assert found.document == wanted.document
    elif found.rows:
        assert found.rows == wanted.rows
    else:
        assert found.explained == wanted.explained


def assert_refused(found: Answer | InputError, names: list[str]) -> None:
    """One shape of sentence, in both languages; a command line says it in its own words."""
    assert isinstance(found, InputError)
    if isinstance(found, CommandError):
        assert re.search(rf"No such option '--({'|'.join(names).replace('_', '-')})'", str(found))
        return
    assert isinstance(found, OptionError)
    assert re.match(rf"({'|'.join(names)})= is no option of .+; .+", found.text.en)
    assert re.match(rf"({'|'.join(names)})= 不是 .+ 的选项；.+", found.text.zh)


def test_most_keywords_of_the_table_change_the_answer(data: Data) -> None:
    """A value that changes nothing would show nothing."""
    same = []
    for task, keyword in PAIRS:
        use = TABLE[task][keyword]
        bare = outcome(call, Question.of(task, None, data, use._replace(value=None)))
        found = expected(task, keyword, data)
        if isinstance(found, Answer) and isinstance(bare, Answer) and found.document == bare.document:
            same.append((task, keyword))
    allowed = {
        "convention",
        "data",
        "input_format",
        "encoding",
        "memory",
        "tmpdir",
        "threads",
        "columns",
        "queries",
        "items",
        "sizes",
    }
    assert {keyword for _, keyword in same} <= allowed, same


@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(("task", "policy"), [(task, name) for task in REFUSED for name in REFUSED[task]])
def test_a_wrong_value_is_refused_with_one_sentence(task: str, policy: str, entrance: str, data: Data) -> None:
    question = Question(task, data, {policy: REFUSED[task][policy]}, METRICS[task])
    if not offers(entrance, task, policy) or (entrance == "command" and policy in FLAGS):
        return
    with pytest.raises(PingceError) as wanted:
        call(question)
    with pytest.raises(PingceError) as found:
        ENTRANCES[entrance](question)
    if entrance == "command":
        assert str(REFUSED[task][policy]) in str(found.value)
        assert policy.replace("_", "-") in str(found.value).replace("_", "-")
        return
    assert found.value.text == wanted.value.text


@pytest.mark.parametrize("task", TASKS)
def test_a_keyword_that_nobody_has_is_refused_with_one_shape_of_sentence(task: str, data: Data) -> None:
    question = Question(task, data, {"thresold_of": 1}, METRICS[task])
    for name, entrance in {"call": call, **ENTRANCES}.items():
        found = outcome(entrance, question)
        assert isinstance(found, InputError), name
        if name == "command":
            assert "No such option '--thresold-of'" in str(found)
        else:
            assert_refused(found, ["thresold_of"])


@pytest.mark.parametrize("task", TASKS)
def test_an_evaluator_says_where_its_other_keywords_are(task: str) -> None:
    kind: Any = EVALUATORS[task]
    if task != "ranking":
        with pytest.raises(OptionError, match=rf"weight= is no option of pc\.{kind.__name__}; its update\(\) has it"):
            kind(weight="w")
        with pytest.raises(
            OptionError, match=rf"undefined= is no option of pc\.{kind.__name__}\.update; pc\.{kind.__name__} has it"
        ):
            kind().update([1], [1], undefined="zero")
    with pytest.raises(OptionError, match=rf"memory= is no option of pc\.{kind.__name__}; pc\.evaluate_{task} has it"):
        kind(memory="1GB")
    with pytest.raises(TypeError):
        CALLS[task]([1], [1], wrong=1)


def test_what_is_streamed_here_is_streamed(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    def unexpected(*_: Any, **__: Any) -> None:
        raise AssertionError("the rows were read at once")

    monkeypatch.setattr("pingce.run.feed._lists_at_once", unexpected)
    ENTRANCES["streamed"](Question("ranking", data, {}, METRICS["ranking"]))
    for task in (name for name, task in TASKS.items() if task.of_rows):
        with pytest.raises(InputError, match="needs all rows at once"):
            ENTRANCES["streamed"](Question(task, data, {"ci": 0.9}, METRICS[task]))


@pytest.mark.parametrize("name", [name for name in pc.__all__ if name.endswith("_curve")] + ["confusion_at_thresholds"])
def test_a_curve_drops_no_keyword(name: str) -> None:
    with pytest.raises(OptionError, match=rf"positiv= is no option of pc\.{name}; did you mean 'positive'"):
        getattr(pc, name)([0, 1], [0.2, 0.4], positiv=1)


@pytest.mark.parametrize("name", ["similar", "fuse", "read_truth", "read_run", "read_excluded", "read_weights"])
def test_a_call_of_no_task_drops_no_keyword_either(name: str) -> None:
    sides = [{"q": ["a"]}] * (2 if name == "similar" else 1)
    with pytest.raises(OptionError, match=rf"encodin= is no option of pc\.{name}; did you mean 'encoding'"):
        getattr(pc, name)(*sides, encodin="utf-8")


@pytest.mark.parametrize("command", ["compare", "report"])
def test_what_the_command_line_can_say_of_data_a_call_can_say_too(command: str) -> None:
    """Options that only present results, or name columns that a call takes by position, have no keyword."""
    shown = {"bom", "escape_formulas", "out_format", "output", "pairwise", "per_query", "places", "quiet", "verbose"}
    by_position = {"label", "score", "true", "pred"}
    elsewhere = {"k": "metrics", "pair": "pairs", "sep": "data"}
    names = {name for task in TASKS for name in keywords(task)} | set(signature(getattr(pc, command)).parameters)
    options = {option.name for option in OPTIONS if command in option.commands} - shown - by_position
    assert {elsewhere.get(name, name) for name in options} <= names
