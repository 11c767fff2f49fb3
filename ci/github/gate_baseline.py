"""The baseline: the scores that the last passed run on the base branch left, or why there are none."""

from __future__ import annotations

import io
import json
import urllib.error
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gate_api import TROUBLE, ask
from gate_runner import folder, note, set_output, setting

SCORES = "scores.json"
FIRST, EXPIRED, UNKNOWN, FAILED = "first", "expired", "unknown", "failed"
"Why there is none: nothing passed before, what a run left has expired, runs passed and nothing of them is listed, it could not be asked."


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
    is_gone = False
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
        is_gone = is_gone or bool(of_branch)
        if len(listed) < 100:
            break
    return None, EXPIRED if is_gone else UNKNOWN if has_passed(branch) else FIRST


def has_passed(branch: str) -> bool:
    """Whether this workflow has passed on the branch before, so that what it left may have been deleted."""
    workflow = quote(setting("GITHUB_WORKFLOW_REF").partition("@")[0].rpartition("/")[2])
    path = f"actions/workflows/{workflow}/runs" if workflow else "actions/runs"
    try:
        runs = json.loads(ask(f"{path}?branch={quote(branch)}&status=success&per_page=1"))
    except urllib.error.HTTPError as problem:
        if problem.code != 404:
            raise
        return False
    return bool(runs["total_count"])


def is_of_branch(artifact: dict[str, Any], branch: str) -> bool:
    """Whether a run on the branch left it: one of this repository, not of a fork with a branch of the same name."""
    run = artifact.get("workflow_run") or {}
    home = run.get("repository_id")
    return run.get("head_branch") == branch and home is not None and run.get("head_repository_id") == home
