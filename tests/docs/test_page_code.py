"""The code and the commands of the pages run, and lines that state a value are right. Twins have the same code, which another test holds."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from page_code import blocks, commands, exit_code, run_commands, run_python
from stand_ins import write_stand_ins

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = ["cookbook.md", "how-it-works.md", "index.md", *(f"{folder}/{path.name}" for folder in ("start", "guides", "migrate") for path in sorted((DOCS / folder).glob("*.md")) if ".zh-CN" not in path.name)]  # fmt: skip

OLDER = [
    *(f"docs/{name}.md" for name in ("decisions", "engines", "factors", "fairness", "protocols", "runs")),
]


@pytest.fixture
def beside_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the demo's files in `demo`."""
    shutil.copytree(ROOT / "src" / "pingce" / "demo", tmp_path / "demo")
    (tmp_path / "demo" / "README.md").unlink()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in WRITTEN if blocks(DOCS / name, "python")])
@pytest.mark.filterwarnings("ignore")
def test_python_of_pages(name: str, beside_the_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stated = run_python(DOCS / name)
    capsys.readouterr()
    assert stated or name == "guides/reports.md"


def test_the_cookbook_has_twenty_recipes_of_ten_lines() -> None:
    _, *recipes = blocks(DOCS / "cookbook.md", "python")
    assert len(recipes) == 20
    assert max(len(recipe.splitlines()) for recipe in recipes) <= 10


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["../README.md", *(name for name in WRITTEN if commands(DOCS / name))])
def test_commands_of_pages_in_an_empty_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page makes what its commands read, the files of the demo too: a reader may begin with any of them."""
    monkeypatch.chdir(tmp_path)
    assert run_commands(DOCS / name)
    capsys.readouterr()


@pytest.mark.parametrize("name", [name for name in WRITTEN if "demo/" in (DOCS / name).read_text(encoding="utf-8")])
def test_pages_make_the_files_of_the_demo_first(name: str) -> None:
    first, *_ = commands(DOCS / name)
    assert first == ["demo", "--data", "demo"]


def test_outputs_on_pages_are_those_of_commands_on_them() -> None:
    shown = re.compile(r"^<!-- run (.+) -->$", re.MULTILINE)
    pages = {path: shown.findall(path.read_text(encoding="utf-8")) for path in sorted(DOCS.rglob("*.md"))}
    assert sum(map(len, pages.values())) > 10
    for path, runs in pages.items():
        for command in runs:
            assert shlex.split(command)[1:] in commands(path), (path.name, command)


@pytest.mark.sweep
@pytest.mark.parametrize("name", OLDER)
def test_commands_with_files_of_their_own(name: str, beside_the_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Small files have the names that the page gives; a check may fail, and a leak may be found."""
    write_stand_ins(beside_the_demo)
    for words in commands(ROOT / name):
        if words != ["demo"]:
            assert exit_code([word.replace("/data/tmp", ".") for word in words]) in (0, 1), (
                words,
                capsys.readouterr().err,
            )
    capsys.readouterr()


def test_a_wrong_value_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 2\nx / 3  # 0.667\n```\n", encoding="utf-8")
    assert run_python(page) == 1
    page.write_text("```python\nx = 2\nx / 3  # 0.666\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=re.escape("x / 3  # 0.666")):
        run_python(page)
