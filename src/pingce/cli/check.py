"""`pingce check`: a gate for continuous integration. Exit 0 all passed, 1 a check failed, 2 one could not be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pingce.base.addresses import public_path
from pingce.base.errors import InputError
from pingce.base.progress import part
from pingce.base.text import Text
from pingce.checks.call import check_documents, checked_alpha, documents_of
from pingce.checks.drops import Trial
from pingce.checks.result import CheckResult
from pingce.checks.rules import KINDS, Rule, read_rules, refuse_unknown_metrics, rules_from_words
from pingce.cli.jobs import open_job
from pingce.cli.options import LISTS, ROWS, are_rows, complete
from pingce.cli.output import Printout, Style, chosen_format, say, tell, write
from pingce.cli.progress import Progress
from pingce.inputs.content import cannot_read
from pingce.inputs.remote import local_copy
from pingce.scores import Scores
from pingce.scores.read import is_document, read_documents
from pingce.scores.saved import SavedScores


def check(files: tuple[str, ...], **options: Any) -> None:
    """Read, judge, write, and leave with the verdict."""
    rules, baseline, alpha = _rules(options)
    trial = Trial(checked_alpha(0.05 if alpha is None else alpha), options["samples"], options["seed"])
    changes = options["changes"]
    if not changes and rules and not any(rule.of_baseline for rule in rules) and options["baseline"] is not None:
        raise InputError(
            "--baseline is given, but no --max-drop, --non-inferior or --equivalent: say how much worse a metric may be",
            "给出了 --baseline，但没有 --max-drop、--non-inferior 或 --equivalent：请说明指标最多可变差多少",
        )
    out_format = chosen_format(options, "check")
    candidates = _candidates(files, rules, options)
    with Progress() as progress, part(0, 1):
        progress.at(Text("judging", "正在检查"))
        may_lack = options["no_baseline"]
        result = check_documents(candidates, rules, baseline, trial, changes=changes, may_lack=may_lack)
    _write(result, out_format, options)
    click.get_current_context().exit(result.exit_code)


def _rules(options: Mapping[str, Any]) -> tuple[list[Rule], Any, float | None]:
    """The rules of the options and of the file, the baseline and the level."""
    sure = options["significant"]
    rules = [rule for kind in KINDS for rule in rules_from_words(kind, options[kind], significant=sure)]
    baseline, alpha = options["baseline"], options["alpha"]
    if options["checks"]:
        file = read_rules(options["checks"], significant=sure)
        rules += file.rules
        baseline = baseline or file.baseline
        alpha = file.alpha if alpha is None else alpha
    if not rules:
        raise InputError(
            "there is nothing to check; give --min, --max, --max-drop, --non-inferior, --equivalent or --checks",
            "没有检查项；请给出 --min、--max、--max-drop、--non-inferior、--equivalent 或 --checks",
        )
    return rules, baseline, alpha


def _candidates(files: Sequence[str], rules: Sequence[Rule], options: dict[str, Any]) -> Sequence[SavedScores]:
    """What is judged: saved documents as they are; anything else is evaluated now, by the metrics of the rules."""
    for file in files:  # before any metric is blamed
        if file != "-" and not Path(local_copy(file)).exists():
            raise cannot_read(Path(file), FileNotFoundError())
    if all(is_document(file) for file in files):
        names = [public_path(file) if len(files) > 1 else None for file in files]
        pairs = zip(files, names, strict=True)
        documents = [replace(each, file=name) for file, name in pairs for each in read_documents(file)]
        refuse_unknown_metrics(rules, dict.fromkeys(document.task for document in documents))
        return documents
    rows = are_rows(options, "check", alone=False)
    if len(files) == 1 and not options["task"] and not rows:
        _refuse_lone(files[0], rules)
    tasks = ROWS if rows or len(files) == 1 else LISTS
    refuse_unknown_metrics(rules, (options["task"],) if options["task"] else tasks)
    return documents_of(_scores(files, rules, options), rules, changes=options["changes"])


def _refuse_lone(file: str, rules: Sequence[Rule]) -> None:
    """One file cannot be a ranking and its truth: if the rules are of rankings, it was meant to be saved scores, or half."""
    try:
        refuse_unknown_metrics(rules, LISTS)
    except InputError:
        return
    if Path(public_path(file)).suffix.lower() == ".json":
        read_documents(file)
    raise InputError(
        f"{file}: one file is no ranking with its truth; give QRELS RUN, or scores saved with pingce eval -f json",
        f"{file}：只有一个文件，缺少真值或预测；请给出 QRELS RUN，或 pingce eval -f json 保存的分数",
    )


def _scores(files: Sequence[str], rules: Sequence[Rule], options: Mapping[str, Any]) -> Mapping[str, Scores]:
    """What `pingce eval` would compute, without its output."""
    metrics = tuple(dict.fromkeys(rule.metric for rule in rules))
    silent = {"metrics": metrics, "out_format": None, "output": None, "samples": None, "seed": None}
    with open_job(tuple(files), complete(options) | silent | {"files": files}, "check") as job:
        scores = job.scores()
        if not options["quiet"]:
            say(scores, job.warnings, job.reading)
        return scores


def _write(result: CheckResult, out_format: str, options: Mapping[str, Any]) -> None:
    places, quiet = options["places"], options["quiet"]
    others = {"md": lambda: result.to_markdown(places=places), "json": result.to_json}
    unsure = (row.reason for row in result.rows if row.passed is None and row.reason)
    tell(*(unsure if quiet else (*result.reasons, *result.lost, result.summary)))
    style = Style(out_format, places, terminal=options["output"] is None)
    write(Printout(result.tables, others=others).text(style), options["output"])
