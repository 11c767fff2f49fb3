"""The result of a check: a row per rule, passed, failed, or not judged."""

from __future__ import annotations

from dataclasses import fields

from pingce import __version__
from pingce.base.json import Json
from pingce.base.notebook import DEFINITIONS, folded_lines, long_table, notebook
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Table, html_lines, markdown, markdown_text, to_json
from pingce.base.text import Text
from pingce.checks.changes import MetricChange, change_table

PASSED, FAILED, UNJUDGED = Text("passed", "通过"), Text("failed", "未通过"), Text("not judged", "无法判断")


_WHERE_THERE = ("bound", "interval")
"Fields that documents have only where they say something."


class UnjudgedError(Exception):
    """A rule that cannot be judged, and why."""

    def __init__(self, en: str, zh: str) -> None:
        self.reason = Text(en, zh)
        super().__init__(en)


@dataclass(frozen=True)
class CheckRow:
    """One rule on one run or model."""

    metric: str
    rule: str
    "The rule as words of the reader's language when it was judged; `kind` and `limit` are for programs."
    kind: str
    limit: str
    value: float | None
    passed: bool | None
    "None: it could not be judged, and `reason` says why."
    margin: float | None = None
    "How far the value is on the right side of its limit; negative where it failed."
    baseline: float | None = None
    p: float | None = None
    "Of the test, where a drop or a margin was tested."
    reason: Text | None = None
    run: str | None = None
    signature: str | None = None
    bound: float | None = None
    "Of a margin: the largest drop, or change, that the test does not rule out."
    interval: tuple[float, float] | None = None
    "The confidence interval of the value, where the scores have one."

    @property
    def verdict(self) -> Text:
        """In words."""
        return UNJUDGED if self.passed is None else PASSED if self.passed else FAILED


@dataclass(frozen=True)
class CheckResult:
    """All rules. It is true where every one of them passed."""

    rows: tuple[CheckRow, ...]
    changes: tuple[MetricChange, ...] = ()
    "Every metric against the baseline, where it was asked for."

    def __bool__(self) -> bool:
        return self.passed

    @property
    def passed(self) -> bool:
        """Whether every rule was judged and passed."""
        return all(row.passed is True for row in self.rows)

    @property
    def judged(self) -> bool:
        """Whether every rule could be judged."""
        return all(row.passed is not None for row in self.rows)

    @property
    def exit_code(self) -> int:
        """What `pingce check` leaves with: 0 all passed, 1 one failed, 2 one could not be judged."""
        return 2 if not self.judged else 0 if self.passed else 1

    @property
    def summary(self) -> Text:
        """One sentence."""
        failed = sum(row.passed is False for row in self.rows)
        unjudged = sum(row.passed is None for row in self.rows)
        of = len(self.rows)
        if not failed and not unjudged:
            return Text(f"all {of} checks passed", f"全部 {of} 项检查通过")
        parts = [Text(f"{failed} of {of} checks failed", f"{of} 项检查中 {failed} 项未通过")] if failed else []
        if unjudged:
            parts.append(Text(f"{unjudged} of {of} could not be judged", f"{of} 项中 {unjudged} 项无法判断"))
        return Text("; ".join(part.en for part in parts), "；".join(part.zh for part in parts))

    def tables(self) -> list[Table]:
        """What is read: the rules, and the changes where they were asked for."""
        return [self.table(), *([change_table(self.changes)] if self.changes else [])]

    @property
    def lost(self) -> tuple[Text, ...]:
        """The queries or groups that lost most of what did not pass, where changes were asked for."""
        failed = {(row.run, row.signature) for row in self.rows if row.passed is False}
        changes = [change for change in self.changes if (change.run, change.signature) in failed]
        return tuple(line for change in changes for line in change.lines)

    @property
    def reasons(self) -> tuple[Text, ...]:
        """What is to be said of single rules: why one could not be judged, how a drop was tested."""
        return tuple(
            Text(f"{row.metric}: {row.reason.en}", f"{row.metric}：{row.reason.zh}") for row in self.rows if row.reason
        )

    def table(self) -> Table:
        """For readers: metric, value, its interval and the baseline where there are any, rule, margin, p of a test, verdict."""
        titles = [
            *(Text("run", "预测"), Text("metric", "指标"), Text("value", "数值")),
            *(Text("low", "下限"), Text("high", "上限"), Text("baseline", "基线")),
            *(Text("rule", "要求"), Text("margin", "余量"), Text("p", "p"), Text("verdict", "结论")),
        ]
        rows: list[list[Cell]] = []
        for row in self.rows:
            p = None if row.p is None else f"{row.p:.2g}"
            ends = row.interval or (None, None)
            rows.append(
                [row.run, row.metric, row.value, *ends, row.baseline, row.rule, row.margin, p, str(row.verdict)]
            )
        is_used = {"run": len({row.run for row in self.rows}) > 1}
        is_used |= {name: any(getattr(row, name) is not None for row in self.rows) for name in ("baseline", "p")}
        is_used |= dict.fromkeys(("low", "high"), any(row.interval is not None for row in self.rows))
        columns = [at for at, title in enumerate(titles) if is_used.get(title.en, True)]
        return Table([str(title) for title in titles], rows).select(columns)

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""
        names = [field.name for field in fields(CheckRow) if field.name not in ("rule", *_WHERE_THERE)]
        return {
            "pingce_version": __version__,
            "passed": self.passed,
            "judged": self.judged,
            "checks": [
                {name: getattr(row, name) for name in names}
                | {"reason": row.reason and row.reason._asdict()}
                | {name: value for name in _WHERE_THERE if (value := getattr(row, name)) is not None}
                for row in self.rows
            ],
        } | ({"changes": [change.to_dict() for change in self.changes]} if self.changes else {})

    def to_json(self, *, indent: int | None = 2) -> str:
        """The result as JSON."""
        return to_json(self.to_dict(), indent)

    def to_markdown(self, *, places: int = 4) -> str:
        """A heading sentence, the table, and what is to be said of single rules: for the summary of a CI run."""
        lines = [f"- {markdown_text(str(reason))}" for reason in (*self.reasons, *self.lost)]
        head = [f"**{markdown_text(str(self.summary))}**", *(markdown(table, places) for table in self.tables())]
        return "\n\n".join([*head, *(["\n".join(lines)] if lines else [])])

    def __str__(self) -> str:
        return str(self.summary)

    def _repr_html_(self) -> str:
        signed = dict.fromkeys(f"{row.metric}: {row.signature}" for row in self.rows if row.signature)
        return notebook(
            html_lines([str(self.summary)]),
            long_table(self.table(), 4),
            html_lines([str(reason) for reason in self.reasons]),
            folded_lines(DEFINITIONS, signed),
        )
