"""`pingce eval`: the main job. What was read is scored, written, explained where asked for; or scored as several tools do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, one_line
from pingce.base.text import Text
from pingce.cli.jobs import Job, open_job
from pingce.cli.output import Printout, Style, say, write

if TYPE_CHECKING:
    from pingce.base.tables import Cell, Table
    from pingce.scores import Scores

_WITH_WORDS = ("table", "md")
"Formats that have room for sentences; JSON has the diagnosis anyway."
_CONVENTION_FORMATS = ("table", "md", "latex", "json", "csv", "tsv")


def evaluate(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, write; the scores of each run or model go back to the caller."""
    options |= {"files": files}
    with open_job(files, options, "eval") as job:
        if options["conventions"] is not None:
            _write_conventions(job, options)
            return {}
        scores = job.scores()
        write_scores(scores, job, options)
        return scores


def write_scores(scores: Mapping[str, Scores], job: Job, options: Mapping[str, Any]) -> None:
    """Results to stdout or a file; everything else to stderr."""
    style = job.style
    text = _document(scores, style, are_rivals=job.are_rivals).text(style)
    if options["worst"]:
        text = "\n\n".join([text, _worst(scores, options, style)])
    points: list[str] = []
    if options["explain_numbers"]:
        from pingce.cli import words

        blocks = words.readings(scores, are_rivals=job.are_rivals)
        if style.out_format == "table":
            text = "\n\n".join([text, words.draw(blocks, fancy=style.fancy)])
        elif style.out_format == "md":
            text = "\n\n".join([text, words.markdown(blocks)])
        else:
            points = words.lines(blocks)
    if not options["quiet"]:
        of_slices = [note for run in scores.values() if run.slices is not None for note in run.slices.notes]
        say(scores, job.warnings, [*job.reading, *job.notes, *of_slices], points)
    write(text, options["output"])


def _document(scores: Mapping[str, Scores], style: Style, *, are_rivals: bool = True) -> Printout:
    """All runs in one document; the best is marked where they do the same task."""
    from pingce.base.tables import to_json
    from pingce.scores.tables import data_table, definitions, documents, json_lines, reading_tables, trec_lines

    per_query = style.per_query
    slices = {name: run.slices for name, run in scores.items() if run.slices is not None}

    def tables() -> list[Table]:
        reading = reading_tables(scores, per_query=per_query)
        reading = reading if are_rivals else [replace(table, best=frozenset()) for table in reading]
        if not slices:
            return reading
        from pingce.scores.slices import slice_reading_tables

        return reading + slice_reading_tables(slices, style.places)

    def data() -> Table:
        if per_query or not slices:
            return data_table(scores, per_query=per_query)
        from pingce.scores.slices import slice_table

        return slice_table(slices)

    def trec() -> str:
        if slices:
            raise InputError(
                "--by has no place in trec_eval's lines; choose another format",
                "trec 格式无法写出 --by 的切片；请换一种格式",
            )
        return trec_lines(scores, style.places, per_query=per_query)

    others = {
        "json": lambda: to_json(documents(scores, per_query=per_query)),
        "jsonl": lambda: json_lines(scores, per_query=per_query),
        "trec": trec,
    }
    return Printout(tables, lambda full: definitions(scores, full=full), data, others)


def _worst(scores: Mapping[str, Scores], options: Mapping[str, Any], style: Style) -> str:
    """A table of the lowest values of the first metric of each run, and the command that explains the lowest."""
    from pingce.base.tables import Table

    if style.out_format not in _WITH_WORDS:
        raise InputError(
            f"--worst is for tables and Markdown; with -f {style.out_format} use -q, which gives every value",
            f"--worst 只用于表格与 Markdown；-f {style.out_format} 请用 -q，可得到每个值",
        )
    rows: list[list[Cell]] = [
        [run, *row] for run, values in scores.items() for row in _lowest(values, options["worst"])
    ]
    first = next(iter(scores.values()))
    unit = Text("query", "查询") if first.per == "query" else Text("group", "分组")
    titles = [str(Text("run", "预测")), str(unit), str(Text("metric", "指标")), str(Text("value", "数值"))]
    command = _explaining(first, str(rows[0][1]), str(rows[0][2]), options) if rows else ""
    table = Printout(lambda: [Table(titles, rows)]).text(replace(style, terminal=False))
    return "\n\n".join([table, f"    {command}" if style.out_format == "md" else command])


def _explaining(scores: Scores, unit: str, metric: str, options: Mapping[str, Any]) -> str:
    """What to type to see the calculation."""
    from shlex import join

    if scores.per == "query":
        words = [*options["files"][:2], "--query", unit]
    else:
        words = list(options["files"][:1])
        words += [word for name in ("label", "group") if options[name] for word in (f"--{name}", options[name])]
        words += [word for score in options["score"][:1] for word in ("--score", score)]
        words += ["--of-group", unit]
    words += ["--convention", options["convention"]] if options["convention"] else []
    return one_line(join(["pingce", "explain", metric, *words]))


def _lowest(scores: Scores, count: int) -> list[list[Any]]:
    columns = scores.unit_columns()
    ids = columns.pop(scores.per, None)
    if ids is None or scores.per == "class":
        raise InputError("--worst is for queries, and for groups (--group)", "--worst 用于查询，以及分组（--group）")
    name = "auc" if scores.per == "group" else next(iter(columns))
    higher = True if scores.per == "group" else scores.find(name).metric.about.higher_is_better
    pairs = [(value, unit) for value, unit in zip(columns[name], ids, strict=True) if value == value]  # noqa: PLR0124 - not NaN
    pairs.sort(key=lambda pair: pair[0] if higher is not False else -pair[0])
    return [[str(unit), name, value] for value, unit in pairs[:count]]


def _write_conventions(job: Job, options: Mapping[str, Any]) -> None:
    """The same data under several tools' definitions, with the cause of each difference."""
    from pingce.comparison.definitions import compare_definitions

    if options["by"]:
        raise InputError(
            "--conventions and --by do not go together; use one at a time",
            "--conventions 与 --by 不能同时使用；请分别使用",
        )
    job.request.refuse_readings(Text("--conventions", " --conventions "))
    if len(job.models) > 1:
        raise InputError(
            "--conventions compares definitions on one run; give one run at a time",
            "--conventions 在同一份预测上比较不同定义；请一次只给一份预测",
        )
    for name, option in (("per_query", "-q"), ("worst", "--worst")):
        if options[name]:
            raise InputError(
                f"{option} does not go with --conventions, which compares the values of the whole run",
                f"{option} 不能与 --conventions 同用：后者比较的是整份预测的值",
            )
    tools = [tool.strip() for tool in options["conventions"].split(",") if tool.strip()]
    (model,), request, style = job.models, job.request, replace(job.style, terminal=False)
    if request.metrics is None:
        request = request.with_usual(request.task.load("state").usual)
    comparison = compare_definitions(
        lambda metrics: job.score(model, replace(request, metrics=tuple(metrics))), request, tools
    )
    if style.out_format not in _CONVENTION_FORMATS:
        raise InputError(
            f"--conventions cannot be written as {style.out_format}; choose one of {', '.join(_CONVENTION_FORMATS)}",
            f"--conventions 不能写成 {style.out_format}；可选 {'、'.join(_CONVENTION_FORMATS)}",
        )
    table = comparison.table
    text = Printout(lambda: [table()], data=table, others={"json": comparison.to_json}).text(style)
    if style.verbose and style.out_format in _WITH_WORDS:
        lines = [f"{comparison.base}: {line}" for line in comparison.signatures.values()]
        lines += [f"{row.tool}: {row.signature}" for row in comparison.rows if row.signature]
        text = "\n\n".join([text, "\n".join(map(one_line, lines))])
    write(text, options["output"])
