"""What the peer scripts share: reading the cases, and writing a peer's answers down."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent

Table = dict[str, dict[str, float]]
"A number for each item of each query."


@dataclass(frozen=True)
class Case:
    """One case as plain dictionaries; queries and items keep the order in which the files first name them."""

    name: str
    qrels: Table
    run: Table

    @property
    def whole(self) -> bool:
        """Whether all grades are whole numbers."""
        return all(grade == int(grade) for grades in self.qrels.values() for grade in grades.values())

    @property
    def whole_qrels(self) -> dict[str, dict[str, int]]:
        """The grades as integers, for tools that take no others."""
        return {query: {item: int(grade) for item, grade in grades.items()} for query, grades in self.qrels.items()}

    def only(self, query: str) -> Case:
        """The case reduced to one query."""
        return Case(self.name, {query: self.qrels[query]}, {query: self.run[query]})


def table(path: Path, column: int) -> Table:
    """The numbers in one column of a TREC file, by query and item."""
    numbers: Table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        numbers.setdefault(fields[0], {})[fields[2]] = float(fields[column])
    return numbers


def read_cases() -> Iterator[Case]:
    """Every case, by name."""
    for path in sorted((HERE / "cases").glob("*.qrels")):
        yield Case(path.stem, table(path, 3), table(path.with_suffix(".run"), 4))


@dataclass(frozen=True)
class IntentCase:
    """One case with subtopics, as rows in the order of the files."""

    name: str
    judgements: list[tuple[str, str, str, int]]
    "Query, subtopic, item and grade."
    scores: list[tuple[str, str, float]]
    "Query, item and score."


def read_intent_cases() -> Iterator[IntentCase]:
    """Every case with subtopics, by name."""
    for path in sorted((HERE / "cases" / "intents").glob("*.qrels")):
        truth, run = (file.read_text(encoding="utf-8").splitlines() for file in (path, path.with_suffix(".run")))
        judgements = [(row[0], row[1], row[2], int(row[3])) for row in map(str.split, truth)]
        scores = [(row[0], row[2], float(row[4])) for row in map(str.split, run)]
        yield IntentCase(f"intents/{path.stem}", judgements, scores)


@dataclass(frozen=True)
class LabelCase:
    """Labels, click predictions or numbers, as `make_label_cases.py` made them."""

    name: str
    task: str
    "binary, multiclass or regression."
    dtype: str
    "The type of scores, probabilities and regression's numbers: float64 or float32."
    columns: Mapping[str, list[Any]]
    "y_true; y_score or y_pred; proba and group where the case has them."


def read_label_cases() -> Iterator[LabelCase]:
    """Every case of labels, in the order of the file."""
    for name, said in json.loads((HERE / "cases" / "labels.json").read_text(encoding="utf-8")).items():
        columns = {key: value for key, value in said.items() if isinstance(value, list)}
        yield LabelCase(name, said["task"], said["dtype"], columns)


@dataclass(frozen=True)
class ItemCase:
    """Lists with what metrics of items look at."""

    name: str
    catalog: list[str]
    run: dict[str, list[str]]
    "Lists, best first."
    train: list[tuple[str, str]]
    "User and item."
    truth: dict[str, list[str]]
    category: dict[str, str]
    vector: dict[str, list[float]]
    reference: dict[str, list[str]]
    "The lists of another run."

    @property
    def is_even(self) -> bool:
        """Whether every user has a list, truth and a past, and the catalogue knows every item."""
        shown = {item for items in self.run.values() for item in items}
        users = [set(self.run), set(self.truth), {user for user, _ in self.train}]
        return shown <= set(self.catalog) and users[0] == users[1] == users[2]


FRESH = "fresh"
"The case of items in which no list shows what its user had, for tools that refuse others."


def read_item_cases() -> Iterator[ItemCase]:
    """Every case of items but the fresh one, in the order of the file."""
    return (case for case in _item_cases() if case.name != FRESH)


def read_fresh_case() -> ItemCase:
    """The case for tools that refuse lists which show what their user had."""
    return next(case for case in _item_cases() if case.name == FRESH)


def _item_cases() -> Iterator[ItemCase]:
    for name, case in json.loads((HERE / "cases" / "items.json").read_text(encoding="utf-8")).items():
        yield ItemCase(name=name, **{**case, "train": [tuple(row) for row in case["train"]]})


@dataclass(frozen=True)
class UpliftCase:
    """Outcomes, treatments and scores, as `make_uplift_cases.py` made them."""

    name: str
    outcome: list[float]
    treatment: list[int]
    score: list[float]


def read_uplift_cases() -> Iterator[UpliftCase]:
    """Every case of uplift, in the order of the file."""
    for name, case in json.loads((HERE / "cases" / "uplift.json").read_text(encoding="utf-8")).items():
        yield UpliftCase(name=name, **case)


@dataclass(frozen=True)
class RowCase:
    """Columns of a task by the keywords of its call, and what tools need beside, as `make_<task>_cases.py` made them."""

    task: str
    name: str
    columns: dict[str, Any]


def read_row_cases(task: str) -> Iterator[RowCase]:
    """Every case of a task, in the order of the file."""
    for name, case in json.loads((HERE / "cases" / f"{task}.json").read_text(encoding="utf-8")).items():
        yield RowCase(task, name, case)


@dataclass(frozen=True)
class MultilabelCase:
    """Which labels rows have, and their scores, as `make_multilabel_cases.py` made them."""

    name: str
    truth: list[list[int]]
    score: list[list[float]]


def read_multilabel_cases() -> Iterator[MultilabelCase]:
    """Every case of several labels, in the order of the file."""
    for name, case in json.loads((HERE / "cases" / "multilabel.json").read_text(encoding="utf-8")).items():
        yield MultilabelCase(name=name, **case)


def plain(value: float | None) -> float | None:
    """The number as JSON can say it: NaN and infinity become null."""
    return None if value is None or not math.isfinite(value) else float(value)


@dataclass
class Answers:
    """One peer's numbers, and why some are absent."""

    tool: str
    package: str
    "Whose version is installed; nothing where the formulas of the tool were transcribed."
    cases: dict[str, dict[str, object]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    label_cases: dict[str, dict[str, float | None]] = field(default_factory=dict)
    item_cases: dict[str, dict[str, float | None]] = field(default_factory=dict)
    uplift_cases: dict[str, dict[str, float | None]] = field(default_factory=dict)
    row_cases: dict[str, dict[str, dict[str, float | None]]] = field(default_factory=dict)
    "By task, case and measure."
    multilabel_cases: dict[str, dict[str, float | None]] = field(default_factory=dict)
    transcribed: str = ""
    "The version whose formulas were transcribed."

    def add_label(self, case: LabelCase, measure: str, value: float | None) -> None:
        """Keep one number over a case of labels; NaN becomes null."""
        self.label_cases.setdefault(case.name, {})[measure] = plain(value)

    def add_items(self, case: ItemCase, measure: str, value: float) -> None:
        """Keep one number over a case of items."""
        self.item_cases.setdefault(case.name, {})[measure] = plain(value)

    def add_uplift(self, case: UpliftCase, measure: str, value: float) -> None:
        """Keep one number over a case of uplift."""
        self.uplift_cases.setdefault(case.name, {})[measure] = plain(value)

    def add_row(self, case: RowCase, measure: str, value: float) -> None:
        """Keep one number over a case of a task."""
        self.row_cases.setdefault(case.task, {}).setdefault(case.name, {})[measure] = plain(value)

    def add_multilabel(self, case: MultilabelCase, measure: str, value: float | None) -> None:
        """Keep one number over a case of several labels."""
        self.multilabel_cases.setdefault(case.name, {})[measure] = plain(value)

    def add(self, case: Case | IntentCase, measure: str, per_query: Mapping[str, float], mean: float | None) -> None:
        """Keep the values of one measure over one case."""
        values = {query: plain(value) for query, value in per_query.items()}
        self.cases.setdefault(case.name, {})[measure] = {"per_query": values, "mean": plain(mean)}

    def skip(self, reason: str, *where: str) -> None:
        """Say why a case, or a measure of it, has no number; the key is `case` or `case/measure`."""
        self.skipped["/".join(where)] = reason

    def note(self, fact: str, about: str) -> None:
        """Say what a reader must know before comparing; the key is a case or the beginning of a measure."""
        self.notes[about] = fact

    def write(self) -> None:
        """Write the peer's JSON file beside the cases."""
        answers: dict[str, object] = {
            "tool": self.tool,
            "version": self.transcribed or version(self.package),
            "python": platform.python_version(),
            "made_by": f"tests/conformance/peers/run_{self.tool}.py",
            "cases": self.cases,
            "skipped": self.skipped,
            "notes": self.notes,
        }
        if self.label_cases:
            answers["label_cases"] = self.label_cases
        if self.item_cases:
            answers["item_cases"] = self.item_cases
        if self.uplift_cases:
            answers["uplift_cases"] = self.uplift_cases
        if self.row_cases:
            answers["row_cases"] = self.row_cases
        if self.multilabel_cases:
            answers["multilabel_cases"] = self.multilabel_cases
        (HERE / f"{self.tool}.json").write_text(layout(answers) + "\n", encoding="utf-8", newline="\n")


def layout(value: object, depth: int = 0) -> str:
    """JSON with sorted keys and one line a measure: short to read, and a changed measure is one changed line."""
    if not isinstance(value, dict) or depth > 2 or not value:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    inner = (f"{' ' * (depth + 1)}{json.dumps(key)}: {layout(value[key], depth + 1)}" for key in sorted(value))
    return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"
