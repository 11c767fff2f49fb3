"""The GitHub Action and the GitLab template: their steps run here, against a scratch repository and an API that remembers."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import zipfile
from collections.abc import Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUERIES = [f"q{at:02}" for at in range(40)]
QRELS = "".join(f"{query} 0 a 1\n" for query in QUERIES)
GOOD = "".join(f"{query} Q0 {item} {rank} {9 - rank} t\n" for query in QUERIES for rank, item in enumerate("ab"))
BAD = "".join(f"{query} Q0 {item} {rank} {9 - rank} t\n" for query in QUERIES for rank, item in enumerate("xyab"))
RULES = "--min ndcg@10=0.3 --max-drop ndcg@10=0.01 --non-inferior mrr=0.05"


def yaml_of(path: Path) -> Any:
    yaml = pytest.importorskip("yaml", reason="PYYAML IS NOT INSTALLED: the files of CI were NOT read")
    return yaml.safe_load(path.read_text("utf-8"))


def load(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run_action(*args: Any) -> Any:
    return load("run_action", ROOT / "scripts" / "run_action.py").run_action(*args)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the steps, on a pull request into main."""
    monkeypatch.syspath_prepend(str(ROOT / "ci" / "github"))
    parts = ("runner", "api", "baseline", "check", "comment")
    modules = {part: load(f"gate_{part}", ROOT / "ci" / "github" / f"gate_{part}.py") for part in parts}
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    (tmp_path / "summary.md").write_text("fine")
    for name, value in {
        "GITHUB_BASE_REF": "main", "GITHUB_OUTPUT": str(tmp_path / "output"), "RUNNER_TEMP": str(tmp_path),
        "ARTIFACT": "scores", "BASELINE": "", "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "SUMMARY": str(tmp_path / "summary.md"), "GITHUB_GRAPHQL_URL": "https://api/graphql",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    return SimpleNamespace(**modules)


def artifact(day: int, home: int = 1, branch: str = "main", *, expired: bool = False) -> dict[str, Any]:
    run = {"head_branch": branch, "repository_id": 1, "head_repository_id": home}
    return {
        "expired": expired, "created_at": f"2026-01-{day:02}", "workflow_run": run,
        "archive_download_url": f"https://{home}/{day}",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pages", "passed", "fetched", "lack"),
    [
        ([[]], 0, None, "first"),
        ([[]], None, None, "first"),
        ([[]], 3, None, "unknown"),
        ([[artifact(9, home=666), artifact(8, branch="other")]], 0, None, "first"),
        ([[artifact(9, expired=True)]], 3, None, "expired"),
        ([[artifact(9, home=666), artifact(2), artifact(3), artifact(4, expired=True)]], 3, "https://1/3", ""),
        ([[artifact(9, branch="other")] * 100, [artifact(1)]], 3, "https://1/1", ""),
    ],
)
def test_the_baseline_is_of_this_repository_and_branch(
    gate: Any, monkeypatch: pytest.MonkeyPatch, pages: list[Any], passed: int | None, fetched: str | None, lack: str
) -> None:
    def ask(path: str) -> bytes:
        if path.startswith("actions/artifacts?name=scores&"):
            return json.dumps({"artifacts": pages[int(path.rpartition("=")[2]) - 1]}).encode()
        if path == "actions/workflows/gate.yml/runs?branch=main&status=success&per_page=1":
            if passed is None:  # it is not of this repository
                raise urllib.error.HTTPError("https://api", 404, "Not Found", Message(), None)
            return json.dumps({"total_count": passed}).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("scores.json", path)
        return packed.getvalue()

    monkeypatch.setenv("GITHUB_WORKFLOW_REF", "someone/models/.github/workflows/gate.yml@refs/heads/main")
    monkeypatch.setattr(gate.baseline, "ask", ask)
    path, why = gate.baseline.download_baseline()
    assert (path and path.read_text(), why) == (fetched, lack)


def test_a_baseline_that_cannot_be_fetched_is_no_first_run(
    gate: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def ask(*_: Any) -> bytes:
        raise urllib.error.HTTPError("https://api", 403, "Forbidden\nbaseline=x", Message(), None)

    monkeypatch.setattr(gate.baseline, "ask", ask)
    gate.baseline.find_baseline()
    words = "HTTPError: HTTP Error 403: Forbidden baseline=x"
    assert (tmp_path / "output").read_text() == f"baseline=\nlack=failed\nreason={words}\n"


WHY = {
    "first": "there is no baseline yet",
    "unknown": "runs have passed on the base branch before, and no scores of them are kept",
    "expired": "the baseline has expired",
    "failed": "the baseline could not be fetched",
    "": "the baseline could not be fetched",
}


@pytest.mark.parametrize(
    ("lack", "base", "rows", "code"),
    [
        ("first", "main", [("min", True), ("max_drop", None)], 0),
        ("first", "main", [("min", False), ("max_drop", None)], 1),
        ("first", "main", [("min", None), ("max_drop", None)], 2),
        ("unknown", "main", [("min", True), ("max_drop", None)], 0),
        ("expired", "", [("min", True), ("max_drop", None)], 0),
        ("expired", "main", [("min", True), ("max_drop", None)], 2),
        ("failed", "", [("min", True), ("max_drop", None)], 2),
        ("", "", [("max_drop", None)], 2),
    ],
)
def test_the_verdict_without_a_baseline(
    gate: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lack: str, base: str, rows: Any, code: int
) -> None:
    def pingce(*words: str) -> int:
        assert "--no-baseline" in words
        lacks = {"en": gate.check.NO_BASELINE}
        checks = [
            {"kind": kind, "passed": passed, "reason": lacks if kind == "max_drop" else None} for kind, passed in rows
        ]
        Path(words[words.index("-o") + 1]).write_text(json.dumps({"checks": checks}))
        return 2

    monkeypatch.setattr(gate.check, "pingce", pingce)
    for name, value in {"LACK": lack, "REASON": "@all <b>", "GITHUB_BASE_REF": base}.items():
        monkeypatch.setenv(name, value)
    summary = tmp_path / "summary.md"
    assert gate.check.judge(tmp_path / "scores.json", tmp_path / "check.json", summary) == code
    assert summary.read_text().startswith(f"> ⚠️ **Compared with nothing: {WHY[lack]}")
    assert "@all" not in summary.read_text()
    assert "<b>" not in summary.read_text()


@pytest.mark.parametrize("problem", [urllib.error.URLError("no route"), TimeoutError("slow"), ConnectionResetError()])
def test_a_comment_that_cannot_be_written_ends_nothing(
    gate: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], problem: Exception
) -> None:
    def ask(*_: Any) -> bytes:
        raise problem

    monkeypatch.setattr(gate.comment, "ask", ask)
    gate.comment.comment()
    out = capsys.readouterr().out
    assert out.startswith("::warning title=pingce::the comment could not be written")
    assert "permissions" not in out


def test_a_comment_of_someone_else_is_left_alone(gate: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    marker, bot = "<!-- pingce: scores -->", {"login": "github-actions[bot]", "type": "Bot"}
    comments: list[dict[str, Any]] = [
        {"id": 1, "body": marker, "user": {"login": "mallory", "type": "User"}},
        {"id": 2, "body": None, "user": None},
        {"id": 3, "body": marker, "user": {"login": "github-actions", "type": "User"}},
    ]
    asked: list[tuple[str, ...]] = []

    def ask(path: str, method: str = "GET", body: Any = None) -> bytes:
        if path.endswith("/graphql"):
            return b'{"data": {"viewer": {"login": "github-actions"}}}' if asked else b'{"data": null}'
        asked.append((method, path))
        return json.dumps(comments).encode()

    monkeypatch.setattr(gate.comment, "ask", ask)
    gate.comment.comment()
    assert asked[-1] == ("POST", "issues/7/comments")
    comments[2]["user"] = bot
    gate.comment.comment()
    assert asked[-1] == ("PATCH", "issues/comments/3")


class Api(BaseHTTPRequestHandler):
    """As much of both APIs as the steps ask: artifacts, comments, notes."""

    url: str
    comments: list[dict[str, Any]]
    artifacts: list[dict[str, Any]]
    archive: bytes
    raw: bytes | None
    jobs: list[dict[str, Any]] | None
    "Those that passed; None where they may not be listed."
    refusal: int
    tokens: list[str | None]

    def answer(self, body: bytes, code: int = 200) -> None:
        self.send_response(code)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path.startswith("/blob"):
            self.tokens.append(self.headers.get("Authorization"))
            self.answer(self.archive)
        elif self.path.endswith("/zip"):
            self.send_response(302)
            self.send_header("Location", f"{self.url.replace('127.0.0.1', 'localhost')}/blob")
            self.end_headers()
        elif "/actions/artifacts" in self.path:
            self.answer(json.dumps({"artifacts": self.artifacts}).encode())
        elif "/actions/runs?" in self.path:
            self.answer(b'{"total_count": 0}')
        elif "/jobs/artifacts/" in self.path:
            assert self.path.endswith("?job=rank%20%26%20file")
            self.answer(self.raw or b"", 200 if self.raw else self.refusal)
        elif "/jobs?" in self.path:
            self.answer(json.dumps(self.jobs).encode(), 403 if self.jobs is None else 200)
        elif "/jobs/" in self.path:
            self.answer(b"", 404)  # what an earlier job left is gone
        elif self.path == "/user":
            self.answer(b'{"id": 5}')
        else:
            self.answer(json.dumps(self.comments).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/graphql":
            self.answer(b'{"data": {"viewer": {"login": "github-actions[bot]"}}}')
            return
        if self.command == "POST":
            writer = {"login": "github-actions[bot]", "type": "Bot"}
            self.comments.append({"id": len(self.comments) + 1, "user": writer, "author": {"id": 5}, **body})
        else:
            self.comments[int(self.path.rpartition("/")[2]) - 1].update(body)
        self.answer(b"{}")

    do_PATCH = do_PUT = do_POST  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[type[Api]]:
    kind: Any = type(
        "Remembering",
        (Api,),
        {"comments": [], "artifacts": [], "archive": b"", "raw": None, "jobs": [], "refusal": 404, "tokens": []},
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    kind.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield kind
    server.shutdown()
    server.server_close()


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch repository with a judged run."""
    folder = tmp_path / "repository"
    folder.mkdir()
    for name, text in (("qrels.txt", QRELS), ("good.run", GOOD), ("bad.run", BAD)):
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return folder


def act(api: Any, folder: Path, run: str, event: str = "pull_request", url: str = "", **inputs: str) -> Any:
    """The action on one run, with pip turned into nothing: what is tested is the pingce of this environment."""
    folder.mkdir()
    (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    env = {
        "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(folder / "event.json"), "GITHUB_API_URL": url or api.url,
        "GITHUB_GRAPHQL_URL": f"{api.url}/graphql", "GITHUB_REPOSITORY": "someone/models", "GITHUB_REF_NAME": "main" if event == "push" else "7/merge",
        "GITHUB_BASE_REF": "" if event == "push" else "main", "GITHUB_TOKEN": "secret", "PIP_NO_INDEX": "1",
    }  # fmt: skip
    usual = {"files": f"qrels.txt {run}", "metrics": "ndcg@10,mrr", "check-args": RULES, "requirement": "pip"}
    return run_action(ROOT / "action.yml", {**usual, "token": "secret", **inputs}, env, folder)


@pytest.mark.deep("starts a dozen processes")
def test_the_steps_of_the_action(api: Any, repository: Path, tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PYYAML IS NOT INSTALLED: the action was NOT run")
    first = act(api, tmp_path / "first", "good.run", event="push")
    assert first.code == 0, first.log
    assert first.outputs["check"]["passed"] == "true"
    assert "**Compared with nothing: there is no baseline yet, these scores are the first." in first.summary
    assert "**2 of 3 could not be judged**" in first.summary
    below = act(api, tmp_path / "below", "good.run", event="push", **{"check-args": f"{RULES} --min mrr=2"})
    assert below.code == 1, below.log  # a first run is judged by what needs no baseline
    lost = act(api, tmp_path / "lost", "good.run", event="push", url="http://127.0.0.1:9")
    assert lost.code == 2, lost.log
    assert "the baseline could not be fetched (URLError" in lost.summary
    assert "== comment: passed over" in first.log
    assert api.comments == []

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(first.outputs["check"]["scores"], "scores.json")
    api.archive = packed.getvalue()
    for branch, day in (("main", 2), ("main", 1), ("other", 3)):
        run = {"head_branch": branch, "repository_id": 1, "head_repository_id": 1}
        url = f"{api.url}/{branch}{day}/zip"
        api.artifacts.append(
            {"expired": False, "created_at": f"2026-01-0{day}", "workflow_run": run, "archive_download_url": url}
        )
    worse = act(api, tmp_path / "worse", "bad.run")
    assert worse.code == 1, worse.log
    assert api.tokens == [None]  # the token is not sent to where archives lie
    assert worse.outputs["check"] == worse.outputs["check"] | {"passed": "false", "exit-code": "1"}
    assert json.loads(Path(worse.outputs["check"]["result"]).read_text())["passed"] is False
    (comment,) = api.comments
    assert comment["body"].startswith("<!-- pingce: pingce-baseline -->\n")
    (repository / "pingce").mkdir()
    (repository / "pingce" / "__main__.py").write_text("raise SystemExit(0)")  # not what is run
    assert "**2 of 3 checks failed**" in comment["body"]
    assert "| ndcg@10 | 1.0000 | 0.5000 | −0.5000 | 0 | 40 |" in comment["body"]
    assert "mrr of q00: 1.0000 → 0.3333" in comment["body"]
    assert worse.summary.partition("\n")[2].strip() in comment["body"]

    again = act(api, tmp_path / "again", "good.run", language="zh")
    assert again.code == 0, again.log
    (comment,) = api.comments  # the same one, written anew
    assert "**全部 3 项检查通过**" in comment["body"]
    broken = act(api, tmp_path / "broken", "nowhere.run")
    assert broken.code == 2
    assert "could not score these files" in broken.summary


@pytest.mark.deep("starts a dozen processes")
def test_the_lines_of_the_gitlab_template(api: Any, repository: Path) -> None:
    job = yaml_of(ROOT / "ci" / "gitlab" / "pingce.yml")[".pingce"]
    lines = [*job["before_script"][1:], *job["script"]]  # nothing is installed
    usual = {"PINGCE_FILES": "qrels.txt good.run", "PINGCE_METRICS": "ndcg@10,mrr", "PINGCE_CHECK": RULES}
    gitlab = {
        "CI_API_V4_URL": api.url, "CI_PROJECT_ID": "1", "CI_DEFAULT_BRANCH": "main", "CI_JOB_NAME": "rank & file",
        "CI_JOB_TOKEN": "secret", "CI_MERGE_REQUEST_IID": "3", "PINGCE_TOKEN": "secret",
    }  # fmt: skip

    def run(**more: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, **{key: str(value) for key, value in job["variables"].items()}, **usual, **gitlab, **more}
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(lines)],
            env=env,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    first = run()
    assert first.returncode == 0, first.stderr
    assert "these scores are the first" in first.stderr
    assert "**Compared with nothing: there is no baseline yet" in first.stdout
    assert "**2 of 3 could not be judged**" in first.stdout
    assert run(PINGCE_CHECK=f"{RULES} --min mrr=2").returncode == 1
    api.jobs = [{"id": 3, "name": "rank & file", "ref": "main"}]
    gone = run()
    assert gone.returncode == 2
    assert "the baseline is GONE: job 3 passed on main" in gone.stderr
    assert "the baseline has expired or was deleted" in gone.stdout
    assert run(CI_COMMIT_BRANCH="main").returncode == 0
    api.jobs = None
    untold = run()
    assert untold.returncode == 0, untold.stderr
    assert "WARNING: pingce compares with NOTHING: there is no baseline; whether there never was one" in untold.stderr
    assert "a first run, or it has expired (PINGCE_TOKEN would tell)" in untold.stdout
    api.refusal = 403
    lost = run()
    assert lost.returncode == 2
    assert "the baseline could not be fetched" in lost.stdout
    api.comments[:] = [{"id": at + 1, "body": "by hand", "author": {"id": 9}} for at in range(3)]
    api.comments.append({"id": 4, "body": "<!-- pingce: rank & file -->", "author": {"id": 9}})  # a copy
    api.raw = (repository / "pingce" / "scores.json").read_bytes()
    worse = run(PINGCE_FILES="qrels.txt bad.run")
    assert worse.returncode == 1
    note = api.comments[4]
    assert len(api.comments) == 5
    assert note["body"].startswith("<!-- pingce: rank & file -->\n**2 of 3 checks failed**")
    assert run(PINGCE_FILES="qrels.txt nowhere.run").returncode == 2


OURS, OTHER = {"id": 3, "name": "rank", "ref": "main"}, {"id": 4, "name": "rank", "ref": "refs/merge-requests/1/head"}


@pytest.mark.parametrize(
    ("latest", "jobs", "kept", "code"),
    [
        (200, [], 404, 0),
        (404, [], 404, 3),
        (404, [OTHER], 200, 3),
        (404, [OTHER] * 100 + [OURS], 404, 5),
        (404, [OURS], 200, 0),
        (404, [OURS], 500, 6),
        (404, None, 404, 6),
        (403, [], 404, 4),
    ],
)
def test_gitlab_tells_a_first_run_from_a_baseline_that_is_gone(
    latest: int, jobs: Any, kept: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def urlopen(request: Any, timeout: int) -> Any:
        path = request.full_url.partition("/projects/1")[2]
        page = int(path.rpartition("=")[2]) - 1 if path.startswith("/jobs?") else 0
        answers = {"/jobs?": 403 if jobs is None else 200, "/jobs/artifacts/": latest, "/jobs/3/": kept}
        status = next(status for start, status in answers.items() if path.startswith(start))
        if status != 200:
            raise urllib.error.HTTPError(request.full_url, status, "no", Message(), None)
        listed = json.dumps((jobs or [])[100 * page : 100 * page + 100]).encode()
        return io.BytesIO(listed if path.startswith("/jobs?") else b"scores")

    variables = {"CI_API_V4_URL": "https://api", "CI_PROJECT_ID": "1", "CI_DEFAULT_BRANCH": "main"}
    for name, value in {**variables, "CI_JOB_NAME": "rank", "CI_JOB_TOKEN": "secret"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pingce").mkdir()
    lines = yaml_of(ROOT / "ci" / "gitlab" / "pingce.yml")[".pingce"]["before_script"][2]
    program = lines.partition("<<'PYTHON' || PINGCE_LACK=$?\n")[2].partition("\nPYTHON\n")[0]
    if code:
        with pytest.raises(SystemExit) as end:
            exec(program, {})
        assert end.value.code == code
    else:
        exec(program, {})
    assert (tmp_path / "pingce" / "baseline.json").exists() == (code == 0)


def test_every_input_is_used_and_documented() -> None:
    action = yaml_of(ROOT / "action.yml")
    text = (ROOT / "action.yml").read_text("utf-8")
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("gates.md", "gates.zh-CN.md")]
    for name, about in action["inputs"].items():
        assert f"inputs.{name} " in text or f"inputs.{name}}}" in text, name
        assert about["description"]
        assert all(f"| `{name}` |" in page for page in pages), name
    for step in action["runs"]["steps"]:
        assert "uses" in step or step["shell"] == "bash"
        assert not re.search(r"\$\{\{", step.get("run", "")), "values go through the environment, never into the script"


def test_files_of_ci_are_yaml() -> None:
    files = [
        *ROOT.glob(".github/**/*.yml"),
        ROOT / ".pre-commit-config.yaml",
        ROOT / ".pre-commit-hooks.yaml",
        ROOT / "CITATION.cff",
    ]
    assert len(files) >= 7
    for path in files:
        assert yaml_of(path), path.name
    (hook,) = yaml_of(ROOT / ".pre-commit-hooks.yaml")
    named = {"scores.json": True, "models/scores.json": True, "old_scores.json": False, "scores.json.bak": False}
    assert {name: re.search(hook["files"], name) is not None for name in named} == named
