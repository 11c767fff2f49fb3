"""What of a test stands in the training data already, and what the model could not know."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce import __version__
from pingce.base.json import Json
from pingce.base.notebook import STANDS_ON, fold, notebook
from pingce.base.records import dataclass
from pingce.base.tables import Table, html, html_lines, to_json
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.protocols.interactions import Interactions, Naming, codes_of, comparable_moments, read_interactions

EXAMPLES = 3
"Rows that a finding names."


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for in the rows of a part."""

    name: str
    title: Text
    count: int
    "Rows of which it is true."
    rows: int
    "Of so many."
    leaks: bool
    "Whether it makes numbers too good; the others make them harder to read."
    examples: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """Of the rows."""
        return self.count / self.rows


@dataclass(frozen=True)
class Leakage:
    """What was looked for in a training log and a test log, and how often it was there."""

    findings: tuple[Finding, ...]
    notes: tuple[Text, ...] = ()

    def __getitem__(self, name: str) -> Finding:
        return {finding.name: finding for finding in self.findings}[name]

    @property
    def clean(self) -> bool:
        """Whether nothing of the test leaks into the training data."""
        return not any(finding.count for finding in self.findings if finding.leaks)

    def table(self) -> Table:
        """A row a finding, with examples."""
        titles = [
            Text("looked for", "检查项"),
            Text("rows", "行数"),
            Text("of", "总行数"),
            Text("share", "占比"),
            Text("examples", "示例"),
        ]
        rows = [
            [str(each.title), each.count, each.rows, each.share, "; ".join(each.examples) or "–"]
            for each in self.findings
        ]
        return Table([str(title) for title in titles], rows)  # type: ignore[arg-type]

    def data_table(self) -> Table:
        """The same for programs."""
        return Table.of_rows([
            {"name": each.name, "count": each.count, "rows": each.rows, "share": each.share, "leaks": str(each.leaks).lower()}
            for each in self.findings
        ])  # fmt: skip

    def to_dict(self) -> Json:
        """All of it, as plain Python."""
        findings = [
            {"name": each.name, "count": each.count, "rows": each.rows, "share": each.share, "leaks": each.leaks,
             "examples": list(each.examples)}
            for each in self.findings
        ]  # fmt: skip
        return {"pingce_version": __version__, "clean": self.clean, "findings": findings}

    def to_json(self) -> str:
        """The same as JSON."""
        return to_json(self.to_dict())

    def _repr_html_(self) -> str:
        lines = html_lines([str(note) for note in self.notes])
        return notebook(html_lines([str(self.summary)]), html(self.table(), 4), fold(STANDS_ON, lines))

    @property
    def summary(self) -> Text:
        """In a sentence, whether something leaks."""
        if self.clean:
            return Text("nothing of the test stands in the training data", "测试数据没有出现在训练数据中")
        worst = max((each for each in self.findings if each.leaks), key=lambda each: each.share)
        return Text(
            f"the test leaks into the training data: {worst.title.en}, {worst.count} of {worst.rows} rows",
            f"测试数据泄漏到了训练数据中：{worst.title.zh}，{worst.rows} 行中有 {worst.count} 行",
        )


def find_leaks(train: Any, test: Any, naming: Naming, reading: Reading) -> Leakage:
    """Look for rows of a test that the training data has, precedes or does not know."""
    logs = [read_interactions(data, naming, reading, ("user", "item")) for data in (train, test)]
    users, _ = codes_of(*(log.ids("user") for log in logs))
    items, number = codes_of(*(log.ids("item") for log in logs))
    pairs = [user * number + item for user, item in zip(users, items, strict=True)]
    findings = [
        _finding("pairs_in_train", Text("test pairs that train has", "训练集中已有的测试对"), np.isin(pairs[1], pairs[0]), logs[1], leaks=True),
        _finding("repeated_in_test", Text("pairs that stand in test again", "测试集内重复的对"), _repeated(pairs[1]), logs[1]),
        _finding("repeated_in_train", Text("pairs that stand in train again", "训练集内重复的对"), _repeated(pairs[0]), logs[0]),
        _finding("new_users", Text("test rows of users that train does not have", "训练集没有的用户的测试行"), ~np.isin(users[1], users[0]), logs[1]),
        _finding("new_items", Text("test rows of items that train does not have", "训练集没有的条目的测试行"), ~np.isin(items[1], items[0]), logs[1]),
    ]  # fmt: skip
    notes = [log.note for log in logs]
    if all("time" in log.names for log in logs):
        findings[1:1] = _of_time(logs, users)
    else:
        notes.append(
            Text(
                "no time in both tables: whether train precedes test was not looked at",
                "两表并非都有时间列：未检查训练集是否先于测试集",
            )
        )
    return Leakage(tuple(findings), tuple(notes))


def _of_time(logs: list[Interactions], users: list[NDArray[np.int64]]) -> list[Finding]:
    before, after = comparable_moments(logs)
    last = np.full(int(max(codes.max() for codes in users)) + 1, before.min(), before.dtype)
    np.maximum.at(last, users[0], before)
    in_train = np.isin(users[1], users[0])
    return [
        _finding("before_own_train", Text("test rows older than a train row of the same user", "早于同一用户训练行的测试行"), in_train & (after < last[users[1]]), logs[1], leaks=True),
        _finding("before_train_ends", Text("test rows older than the last train row of all", "早于训练集最后一行的测试行"), after < before.max(), logs[1], leaks=True),
    ]  # fmt: skip


def _repeated(pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Rows whose pair an earlier row has."""
    repeated = np.ones(len(pairs), bool)
    repeated[np.unique(pairs, return_index=True)[1]] = False
    return repeated


def _finding(name: str, title: Text, rows: NDArray[np.bool_], log: Interactions, *, leaks: bool = False) -> Finding:
    examples = tuple(_example(log, int(row)) for row in np.flatnonzero(rows)[:EXAMPLES])
    return Finding(name, title, int(rows.sum()), len(rows), leaks, examples)


def _example(log: Interactions, row: int) -> str:
    values = (log.table.column(log.names[role])[row].as_py() for role in ("user", "item"))
    return ", ".join(map(str, values))
