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
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
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


def run_action(*args: Any) -> Any:
    spec = importlib.util.spec_from_file_location("run_action", ROOT / "scripts" / "run_action.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["run_action"] = module
    spec.loader.exec_module(module)
    return module.run_action(*args)


class Api(BaseHTTPRequestHandler):
    """As much of both APIs as the steps ask: artifacts, comments, notes."""

    url: str
    comments: list[dict[str, Any]]
    artifacts: list[dict[str, Any]]
    archive: bytes
    raw: bytes | None
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
        elif "/jobs/artifacts/" in self.path:
            self.answer(self.raw or b"", 200 if self.raw else 404)
        else:
            self.answer(json.dumps(self.comments).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.command == "POST":
            self.comments.append({"id": len(self.comments) + 1, **body})
        else:
            self.comments[int(self.path.rpartition("/")[2]) - 1].update(body)
        self.answer(b"{}")

    do_PATCH = do_PUT = do_POST  # noqa: N815

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[type[Api]]:
    kind: Any = type(
        "Remembering", (Api,), {"comments": [], "artifacts": [], "archive": b"", "raw": None, "tokens": []}
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


def act(api: Any, folder: Path, run: str, event: str = "pull_request", **inputs: str) -> Any:
    """The action on one run, with pip turned into nothing: what is tested is the pingce of this environment."""
    folder.mkdir()
    (folder / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}))
    env = {
        "GITHUB_EVENT_NAME": event, "GITHUB_EVENT_PATH": str(folder / "event.json"), "GITHUB_API_URL": api.url,
        "GITHUB_REPOSITORY": "someone/models", "GITHUB_REF_NAME": "main" if event == "push" else "7/merge",
        "GITHUB_BASE_REF": "" if event == "push" else "main", "GITHUB_TOKEN": "secret", "PIP_NO_INDEX": "1",
    }  # fmt: skip
    usual = {"files": f"qrels.txt {run}", "metrics": "ndcg@10,mrr", "check-args": RULES, "requirement": "pip"}
    return run_action(ROOT / "action.yml", {**usual, "token": "secret", **inputs}, env, folder)


@pytest.mark.deep("starts a dozen processes")
def test_the_steps_of_the_action(api: Any, repository: Path, tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PYYAML IS NOT INSTALLED: the action was NOT run")
    first = act(api, tmp_path / "first", "good.run", event="push")
    assert first.code == 0, first.log
    assert "there is no baseline yet" in first.log
    assert first.outputs["check"]["passed"] == "true"
    assert "**all 3 checks passed**" in first.summary
    assert "== comment: passed over" in first.log
    assert api.comments == []

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(first.outputs["check"]["scores"], "scores.json")
    api.archive = packed.getvalue()
    for branch, day in (("main", 2), ("main", 1), ("other", 3)):
        run, url = {"head_branch": branch}, f"{api.url}/{branch}{day}/zip"
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
        "CI_API_V4_URL": api.url, "CI_PROJECT_ID": "1", "CI_DEFAULT_BRANCH": "main", "CI_JOB_NAME": "ranking",
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
    assert "**all 3 checks passed**" in first.stdout
    api.raw = (repository / "pingce" / "scores.json").read_bytes()
    worse = run(PINGCE_FILES="qrels.txt bad.run")
    assert worse.returncode == 1
    (note,) = api.comments
    assert note["body"].startswith("<!-- pingce: ranking -->\n**2 of 3 checks failed**")
    assert run(PINGCE_FILES="qrels.txt nowhere.run").returncode == 2


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
