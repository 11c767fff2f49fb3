"""What a command has read and can score: the same shape for every task and every engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.request import Intervals, Limits, Request
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.scores import Scores


@dataclass(frozen=True)
class Job:
    """Runs or models that were read, by name, each as a function that scores it."""

    request: Request
    models: Mapping[str, Callable[[Request], Scores]]
    reading: str = ""
    "How the input was taken, for the notes."
    notes: list[Text] = field(default_factory=list)
    "What is found out while models are scored."

    def scores(self) -> dict[str, Scores]:
        """Every model scored."""
        return {name: score(self.request) for name, score in self.models.items()}


def request_of(task: str, options: Mapping[str, Any]) -> Request:
    """What the options of a command ask; a policy that was not written is None."""
    policies = {policy.name: options.get(policy.name) for policy in fields(TASKS[task].load("policies"))}
    return Request.of(
        task,
        options["metrics"] or None,
        convention=options["convention"],
        policies=policies,
        default_k=options.get("k"),
        intervals=_intervals(options, of_rows=TASKS[task].of_rows),
        min_n=options["min_n"],
        reading=Reading(
            columns_given(options["columns"]), options["input_format"], options["encoding"], options["threads"]
        ),
        limits=Limits(options.get("memory"), options.get("tmpdir")),
        threads=options["threads"],
        bins=options.get("bins"),
        positive=options.get("positive"),
    )


def _intervals(options: Mapping[str, Any], *, of_rows: bool) -> Intervals:
    if not of_rows:
        resampling: Intervals | None = options.get("resampling")
        return resampling or Intervals(0.95, 10_000)
    written = {name: options[name] for name in ("ci", "samples", "seed") if options.get(name) is not None}
    return Intervals(**written)


def refuse_stdin_twice(files: Sequence[str | None]) -> None:
    """Standard input can be read once."""
    if files.count("-") > 1:
        raise InputError(
            "- stands twice, but standard input can be read only once; write one of the two to a file",
            "- 出现了两次，而标准输入只能读取一次；请将其中之一写入文件",
        )


def columns_given(pieces: tuple[str, ...]) -> dict[str, str | int] | None:
    """What `--columns` says, by role."""
    columns: dict[str, str | int] = {}
    for piece in (piece for text in pieces for piece in text.split(",") if piece.strip()):
        role, separator, name = piece.partition("=")
        if not separator or not name:
            raise InputError(
                f"--columns {piece}: write ROLE=NAME, e.g. query=uid,item=iid",
                f"--columns {piece}：应写作 角色=列名，例如 query=uid,item=iid",
            )
        columns[role.strip()] = name.strip()
    return columns or None
