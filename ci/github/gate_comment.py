"""The comment of a gate, which every run rewrites."""

from __future__ import annotations

import json
import os
import urllib.error
from pathlib import Path
from typing import Any

from gate_api import TROUBLE, ask
from gate_runner import note, setting


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
