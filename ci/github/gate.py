"""The steps of action.yml: find the baseline, evaluate and check, rewrite one comment. Only the standard library and the command pingce."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

SCORES = "scores.json"


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


def note(text: str) -> None:
    """A line in the log of the run that the page of the run shows too."""
    print(f"::notice title=pingce::{text}")


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
    """The file that was named, else the scores that the last run on the base branch left as an artifact."""
    path = setting("BASELINE")
    if not path:
        try:
            path = str(download_baseline() or "")
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as problem:
            note(f"no baseline could be fetched ({problem})")
    set_output(baseline=path)


def download_baseline() -> Path | None:
    """The newest artifact of the base branch; none where there was no run before."""
    branch = setting("GITHUB_BASE_REF") or setting("GITHUB_REF_NAME")
    listed = json.loads(ask(f"actions/artifacts?name={setting('ARTIFACT')}&per_page=100"))["artifacts"]
    kept = [each for each in listed if not each["expired"] and each["workflow_run"]["head_branch"] == branch]
    if not kept:
        return None
    newest = max(kept, key=lambda each: str(each["created_at"]))
    archive = zipfile.ZipFile(io.BytesIO(ask(newest["archive_download_url"])))
    path = folder() / "baseline.json"
    path.write_bytes(archive.read(SCORES))
    return path


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
        summary.write_text("**pingce could not score these files**: see the log of the step.\n", encoding="utf-8")
        code = 2
    with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as file:
        file.write(f"### {setting('ARTIFACT')}\n\n{summary.read_text(encoding='utf-8')}\n")
    passed = str(code == 0).lower()
    set_output(passed=passed, exit_code=code, scores=scores, result=result, summary=summary)


def judge(scores: Path, result: Path, summary: Path) -> int:
    """Twice over the saved scores, which costs nothing: for programs and for readers."""
    baseline = setting("BASELINE")
    if not baseline:
        note("there is no baseline yet: these scores are the first")
        baseline = str(scores)
    rules = shlex.split(setting("CHECK_ARGS"))
    rules += ["--checks", setting("CHECKS")] if setting("CHECKS") else []
    words = ["check", str(scores), *rules, "--baseline", baseline, "--changes"]
    code = pingce(*words, "-o", str(result), "--quiet")
    return max(code, pingce(*words, "-o", str(summary)))


def pingce(*words: str) -> int:
    """The command of this interpreter; what it says goes to the log."""
    print("pingce", shlex.join(words), flush=True)
    return subprocess.run([sys.executable, "-m", "pingce", *words], check=False).returncode


def comment() -> None:
    """Write the comment of this gate, or rewrite the one that an earlier run wrote; a missing permission is no failure."""
    number = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))["pull_request"]["number"]
    marker = f"<!-- pingce: {setting('ARTIFACT')} -->"
    text = Path(setting("SUMMARY")).read_text(encoding="utf-8")
    body = {"body": f"{marker}\n### {setting('ARTIFACT')}\n\n{text}"}
    try:
        earlier = find_comment(number, marker)
        if earlier is None:
            ask(f"issues/{number}/comments", "POST", body)
        else:
            ask(f"issues/comments/{earlier}", "PATCH", body)
    except urllib.error.HTTPError as problem:
        note(f"the comment could not be written ({problem}); the job needs permissions: pull-requests: write")


def find_comment(number: int, marker: str) -> int | None:
    """The comment of an earlier run, looked for page by page."""
    for page in range(1, 100):
        comments = json.loads(ask(f"issues/{number}/comments?per_page=100&page={page}"))
        found = [each["id"] for each in comments if each["body"].startswith(marker)]
        if found:
            return int(found[0])
        if len(comments) < 100:
            break
    return None


if __name__ == "__main__":
    {"baseline": find_baseline, "check": check, "comment": comment}[sys.argv[1]]()
