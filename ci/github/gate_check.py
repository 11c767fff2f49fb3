"""The check: what is scored and judged, with a baseline and without, and the summary of it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from gate_baseline import EXPIRED, FIRST, SCORES, UNKNOWN
from gate_runner import folder, in_words, note, set_output, setting

ALONE = ("min", "max")
"Kinds of rules that need no baseline."
NO_BASELINE = "there is no baseline to compare with"
"What pingce says of such a rule."


def check() -> None:
    """Evaluate once, judge what was saved, and write the summary; the verdict is an output, so that later steps still run."""
    scores, result, summary = (folder() / name for name in (SCORES, "check.json", "summary.md"))
    metrics = ["-m", setting("METRICS")] if setting("METRICS") else []
    # The value of each query goes along: tests and changes need it.
    words = [
        "eval",
        *shlex.split(setting("FILES")),
        *metrics,
        *shlex.split(setting("EVAL_ARGS")),
        "-q",
        "-o",
        str(scores),
    ]
    code = pingce(*words)
    if code == 0:
        code = judge(scores, result, summary)
    else:
        text = in_words(
            "**pingce could not score these files**: see the log of the step.",
            "**pingce 无法为这些文件打分**：详见该步骤的日志。",
        )
        summary.write_text(text + "\n", encoding="utf-8")
        code = 2
    with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as file:
        file.write(f"### {setting('ARTIFACT')}\n\n{summary.read_text(encoding='utf-8')}\n")
    passed = str(code == 0).lower()
    set_output(passed=passed, exit_code=code, scores=scores, result=result, summary=summary)


def judge(scores: Path, result: Path, summary: Path) -> int:
    """Twice over the saved scores, which costs nothing: for programs and for readers. Without a baseline its rules are not judged."""
    baseline = setting("BASELINE")
    rules = shlex.split(setting("CHECK_ARGS"))
    rules += ["--checks", setting("CHECKS")] if setting("CHECKS") else []
    rules += ["--baseline", baseline] if baseline else ["--no-baseline"]
    words = ["check", str(scores), *rules, "--changes"]
    code = pingce(*words, "-o", str(result), "--quiet")
    code = max(code, pingce(*words, "-o", str(summary)))
    text = (
        summary.read_text(encoding="utf-8")
        if summary.exists()
        else in_words(
            "**pingce could not judge these scores**: see the log of the step.\n",
            "**pingce 无法判断这些分数**：详见该步骤的日志。\n",
        )
    )
    rows = json.loads(result.read_text(encoding="utf-8"))["checks"] if result.exists() else []
    # A file of rules may name a baseline, too.
    compared = bool(baseline) or any(row["kind"] not in ALONE and not lacks_baseline(row) for row in rows)
    summary.write_text(("" if compared else lack_text()) + text, encoding="utf-8")
    return first_code(rows) if is_first() and code == 2 and rows else code


def is_first() -> bool:
    """Whether a run may go without a baseline: where none is known of, or on the base branch itself where it is gone."""
    lack = setting("LACK")
    return lack in (FIRST, UNKNOWN) or (lack == EXPIRED and not setting("GITHUB_BASE_REF"))


def first_code(rows: list[dict[str, Any]]) -> int:
    """The verdict of a first run, by all rules but those that lack a baseline."""
    verdicts = [row["passed"] for row in rows if not lacks_baseline(row)]
    return 2 if None in verdicts else 0 if all(verdicts) else 1


def lacks_baseline(row: dict[str, Any]) -> bool:
    """Whether a rule was not judged because there is no baseline, and for no other reason."""
    return row["passed"] is None and (row["reason"] or {}).get("en") == NO_BASELINE


def lack_text() -> str:
    """What the summary says first where there is no baseline."""
    reason = setting("REASON").replace("<", "&lt;").replace("@", "@&#8203;")
    why = {
        FIRST: in_words("there is no baseline yet, these scores are the first", "尚无基线，这是首次得到的分数"),
        EXPIRED: in_words(
            "the baseline has expired; run this gate on the base branch", "基线已过期；请在基准分支上运行该关卡"
        ),
        UNKNOWN: in_words(
            "runs have passed on the base branch before, and no scores of them are kept: a first run if this gate is new, "
            "else they were deleted",
            "此前基准分支上已有通过的运行，却没有保存的分数：若该关卡是新加入的则为首次运行，否则分数已被删除",
        ),
    }.get(setting("LACK"), in_words(f"the baseline could not be fetched ({reason})", f"无法取得基线（{reason}）"))
    text = in_words(
        f"Compared with nothing: {why}. Rules that need a baseline were not judged.",
        f"没有比较对象：{why}。需要基线的规则未作判断。",
    )
    note(text, "warning" if is_first() else "error")
    return f"> ⚠️ **{text}**\n\n"


def pingce(*words: str) -> int:
    """The command that was installed, never a folder of that name in the repository; what it says goes to the log."""
    print("pingce", shlex.join(words), flush=True)
    command = shutil.which("pingce", path=sysconfig.get_path("scripts"))
    if command is None:
        note("the command pingce is not installed", "error")
        return 2
    return subprocess.run([command, *words], check=False).returncode
