"""The steps of action.yml: find the baseline, evaluate and check, rewrite one comment. Only the standard library and the command pingce."""

from __future__ import annotations

import http.client
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

SCORES = "scores.json"
FIRST, EXPIRED, FAILED = "first", "expired", "failed"
"Why there is no baseline: no run left one, what one left is gone, or it could not be asked for."
ALONE = ("min", "max")
"Kinds of rules that need no baseline."
NO_BASELINE = "there is no baseline to compare with"
"What pingce says of such a rule."
TROUBLE = (OSError, http.client.HTTPException, KeyError, TypeError, ValueError, zipfile.BadZipFile)
"What a network, or an answer of another shape, may end in."


def setting(name: str) -> str:
    """A variable of the step, empty where it is not set."""
    return os.environ.get(name, "").strip()


def folder() -> Path:
    """Where files of this gate lie, apart from those of another gate in the same job."""
    path = Path(setting("RUNNER_TEMP") or ".") / "pingce" / setting("ARTIFACT")
    path.mkdir(parents=True, exist_ok=True)
    return path


def set_output(**values: object) -> None:
    """Outputs of the step, for later ones."""
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.writelines(f"{name.replace('_', '-')}={value}\n" for name, value in values.items())


def note(text: str, kind: str = "notice") -> None:
    """A line in the log of the run that the page of the run shows too."""
    print(f"::{kind} title=pingce::{' '.join(text.split())}", flush=True)


def in_words(en: str, zh: str) -> str:
    """In the language of the gate."""
    return zh if setting("PINGCE_LANG").startswith("zh") else en


class WithoutToken(urllib.request.HTTPRedirectHandler):
    """Archives lie at another host, which must not get the token."""

    def redirect_request(self, *args: Any) -> urllib.request.Request | None:
        """The next request, without what was meant for the first host."""
        request = super().redirect_request(*args)
        if request is not None:
            request.headers.pop("Authorization", None)
        return request


def ask(path: str, method: str = "GET", body: Any = None) -> bytes:
    """The answer of GitHub's API."""
    url = path if "://" in path else f"{setting('GITHUB_API_URL')}/repos/{setting('GITHUB_REPOSITORY')}/{path}"
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), method=method)
    request.add_header("Accept", "application/vnd.github+json")
    request.add_header("Authorization", f"Bearer {setting('TOKEN')}")
    with urllib.request.build_opener(WithoutToken).open(request, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def find_baseline() -> None:
    """The file that was named, else the scores that the last passed run on the base branch left; why there are none is told."""
    path, lack, reason = setting("BASELINE"), "", ""
    if not path:
        try:
            fetched, lack = download_baseline()
            path = str(fetched or "")
        except TROUBLE as problem:
            lack, reason = FAILED, " ".join(f"{type(problem).__name__}: {problem}".split())
            note(f"the baseline could not be fetched ({reason})", "error")
    set_output(baseline=path, lack=lack, reason=reason)


def download_baseline() -> tuple[Path | None, str]:
    """The newest artifact of the base branch of this repository, looked for page by page; else why there is none."""
    branch = setting("GITHUB_BASE_REF") or setting("GITHUB_REF_NAME")
    lack = FIRST
    for page in range(1, 1000):
        listed = json.loads(ask(f"actions/artifacts?name={quote(setting('ARTIFACT'))}&per_page=100&page={page}"))[
            "artifacts"
        ]
        of_branch = [each for each in listed if is_of_branch(each, branch)]
        kept = [each for each in of_branch if not each["expired"]]
        if kept:
            newest = max(kept, key=lambda each: str(each["created_at"]))
            archive = zipfile.ZipFile(io.BytesIO(ask(newest["archive_download_url"])))
            path = folder() / "baseline.json"
            path.write_bytes(archive.read(SCORES))
            return path, ""
        lack = EXPIRED if of_branch else lack
        if len(listed) < 100:
            break
    return None, lack


def is_of_branch(artifact: dict[str, Any], branch: str) -> bool:
    """Whether a run on the branch left it: one of this repository, not of a fork with a branch of the same name."""
    run = artifact.get("workflow_run") or {}
    home = run.get("repository_id")
    return run.get("head_branch") == branch and home is not None and run.get("head_repository_id") == home


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
    """Whether a run may go without a baseline: where there never was one, or on the base branch itself where it is gone."""
    lack = setting("LACK")
    return lack == FIRST or (lack == EXPIRED and not setting("GITHUB_BASE_REF"))


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


def comment() -> None:
    """Write the comment of this gate, or rewrite the one that an earlier run wrote; what goes wrong is said, and is no failure."""
    try:
        event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        number = event["pull_request"]["number"]
        marker = f"<!-- pingce: {setting('ARTIFACT')} -->"
        text = Path(setting("SUMMARY")).read_text(encoding="utf-8")
        body = {"body": f"{marker}\n### {setting('ARTIFACT')}\n\n{text}"}
        earlier = find_comment(number, marker)
        if earlier is None:
            ask(f"issues/{number}/comments", "POST", body)
        else:
            ask(f"issues/comments/{earlier}", "PATCH", body)
    except TROUBLE as problem:
        refused = isinstance(problem, urllib.error.HTTPError) and problem.code in (401, 403)
        hint = "; the job needs permissions: pull-requests: write" if refused else ""
        note(f"the comment could not be written ({problem}){hint}", "warning")


def find_comment(number: int, marker: str) -> int | None:
    """The comment of an earlier run, looked for page by page; one that someone else wrote is left alone."""
    login = own_login()
    for page in range(1, 100):
        comments = json.loads(ask(f"issues/{number}/comments?per_page=100&page={page}"))
        for each in comments:
            if (each["body"] or "").startswith(marker) and is_by(each.get("user") or {}, login):
                return int(each["id"])
        if len(comments) < 100:
            break
    return None


def own_login() -> str:
    """Who the token writes as; where that is not told, the bot of the job's own token."""
    try:
        answer = json.loads(ask(os.environ["GITHUB_GRAPHQL_URL"], "POST", {"query": "query{viewer{login}}"}))
        return str(answer["data"]["viewer"]["login"])
    except TROUBLE:
        return "github-actions[bot]"


def is_by(user: dict[str, Any], login: str) -> bool:
    """Whether the user has that login; of bots it may be told without its ending."""
    names = (login, f"{login}[bot]") if user.get("type") == "Bot" else (login,)
    return user.get("login") in names


if __name__ == "__main__":
    {"baseline": find_baseline, "check": check, "comment": comment}[sys.argv[1]]()
