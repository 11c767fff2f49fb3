"""`pingce trec_eval`: what trec_eval prints for the same words, to the byte, from pingce's own evidence and metrics."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.jobs import refuse_stdin_twice
from pingce.cli.progress import Progress, doing
from pingce.conventions.trec_catalogue import wanted
from pingce.conventions.trec_measures import Line
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs.early import begin_run
from pingce.inputs.folders import files_of
from pingce.inputs.remote import local_copy

if TYPE_CHECKING:
    from pingce.inputs import Rows
    from pingce.inputs.ids import StringIds
    from pingce.scores.ranking import RankingScores


def print_measures(qrels: str, run: str, **options: Any) -> None:
    """Read, score, print."""
    lines = wanted(options["measures"], options["version"])
    refuse_stdin_twice([qrels, run])
    begin_run(run)  # before what takes time to load
    from pingce.cli.trec_lines import printed_lines, read_moments
    from pingce.inputs import read_run, read_truth

    for path in (qrels, run):
        if files_of(Path(local_copy(path))) is not None:  # several files have no last line
            raise InputError(
                f"{path}: trec_eval reads one file, not a folder or a pattern; use pingce eval",
                f"{path}：trec_eval 只读取单个文件，不支持文件夹或模式；请用 pingce eval",
            )
    options["zscores"] = read_moments(options["zscores"]) if options["zscores"] else None
    with Progress():
        doing(Text(f"reading {qrels}", f"正在读取 {qrels}"))
        truth = read_truth(qrels, input_format="trec")
        doing(Text(f"reading {run}", f"正在读取 {run}"))
        rows = read_run(run, input_format="trec")
        _refuse_other_forms(truth, rows, run)
        doing(Text(f"scoring {run}", f"正在评测 {run}"))
        scores = _scores(truth, rows, lines, options)
    if any(line.means.startswith("rbp(") for line in lines) and truth.value.max() > 1:
        note = Text(
            "rbp: with grades above 1, trec_eval 10 itself reads values before it sets them; its number may be another",
            "rbp：等级超过 1 时，trec_eval 10 自身会读取尚未赋值的变量，其数值可能不同",
        )
        sys.stderr.write(f"{note}\n")
    tag = _tag(rows) if any(line.name == "runid" for line in lines) else ""
    sys.stdout.writelines(printed_lines(scores, lines, tag, options))


def _refuse_other_forms(truth: Rows, run: Rows, path: str) -> None:
    """What pingce reads and trec_eval does not."""
    if run.meaning != "given":
        raise InputError(
            f"{path}: three columns, but trec_eval reads six (query Q0 item rank score tag); use pingce eval",
            f"{path}：有三列，而 trec_eval 读取六列（query Q0 item rank score tag）；请用 pingce eval",
        )
    broken = (truth.value % 1 != 0).nonzero()[0]
    if len(broken):
        row = int(broken[0])
        place, grade = truth.describe(row), truth.value[row]
        raise InputError(
            f"{place.en}: the grade is {grade:g}, but trec_eval knows whole grades only; use pingce eval",
            f"{place.zh}：等级为 {grade:g}，而 trec_eval 只认整数等级；请用 pingce eval",
        )


def policies_of(options: dict[str, Any]) -> Policies:
    """What trec_eval does where data leaves a choice."""
    return Policies.of(
        relevant=options["level"] or "any",
        missing="zero" if options["complete"] else "skip",
        undefined="zero",
        score_type="float32" if options["version"] == "9" else "float64",
        judged_only=options["judged_only"],
        summation="sequential",
    )


def _scores(truth: Rows, run: Rows, lines: tuple[Line, ...], options: dict[str, Any]) -> RankingScores:
    """The scores of all lines, under trec_eval's policies."""
    from pingce.cli.trec_lines import EVERY_RELEVANT, metrics_of
    from pingce.conventions.trec_quirks import all_gains
    from pingce.evidence.ranking.compute import evidence_piece, refuse_bad_grades
    from pingce.metrics.declared import DEEPEST
    from pingce.metrics.grammar import parse_metric
    from pingce.run.rankings import score_evidence

    policies = policies_of(options)
    refuse_bad_grades(truth)
    evidence, _ = evidence_piece(truth, run, policies)
    _refuse_unanswered(truth, run, evidence, options)
    cut = evidence.cut(DEEPEST if options["depth"] is None else options["depth"])
    means = dict.fromkeys([*(name for line in lines for name in metrics_of(line)), EVERY_RELEVANT])
    requests = [replace(each, metric=all_gains(each.metric, truth.value)) for each in map(parse_metric, means)]
    # trec_eval passes over in silence what pingce eval warns of.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return score_evidence(policies, requests, lambda _: cut)


class MissingTopicError(InputError):
    """A judged topic that the run does not answer, where version 10 stops."""

    exit_code = 4


class NoTopicError(InputError):
    """No topic that is both judged and answered."""

    exit_code = 7


def _refuse_unanswered(truth: Rows, run: Rows, evidence: RankingEvidence, options: dict[str, Any]) -> None:
    """Stop where trec_eval does, and with its exit code."""
    from pingce.evidence.ranking.overlap import refuse_no_overlap

    missing = (~evidence.answered).nonzero()[0]
    if options["version"] == "9":
        try:
            refuse_no_overlap(truth, run, int(evidence.answered.sum()))
        except InputError as problem:
            raise NoTopicError(*problem.text) from None
    if options["version"] == "10" and not options["complete"] and len(missing):
        examples = ", ".join(f"'{topic}'" for topic in evidence.queries.take(missing[:3]).to_list())
        raise MissingTopicError(
            f"the run does not answer {len(missing)} judged topics ({examples}), which trec_eval 10 refuses; -c counts them 0, --version 9 leaves them out",
            f"预测没有回答 {len(missing)} 个已标注的查询（{examples}），trec_eval 10 不接受；-c 将其计 0，--version 9 不计入",
        )


_LONGEST_LINE = 1 << 16


def _tag(run: Rows) -> str:
    """The sixth field of the last line: trec_eval keeps no other."""
    items = cast("StringIds", run.item)
    end = int(items.ends[-1])
    line = items.data[end : end + _LONGEST_LINE].tobytes().split(b"\n", 1)[0]
    return line.split()[2].decode("utf-8", "backslashreplace")
