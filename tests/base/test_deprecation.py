"""What is deprecated says so two versions ahead, at the caller's line, and does not outlive its version."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import pingce as pc
from pingce.base.deprecation import PingceDeprecationWarning, deprecated, is_overdue
from pingce.base.text import Text, use_language

WAY_OUT = Text("call similar", "请改用 similar")
SOURCE = Path(pc.__file__).parent


def old_overlap(first: int, second: int = 2) -> int:
    """The sum."""
    return first + second


class OldShape:
    """Something with a side."""

    def __init__(self, side: int) -> None:
        self.side = side


def test_a_call_warns_at_the_line_of_the_caller_with_versions_and_the_way_out() -> None:
    marked = deprecated(since="0.2.0", removed="0.4.0", instead=WAY_OUT)(old_overlap)
    with pytest.warns(PingceDeprecationWarning) as caught:
        assert marked(1, second=4) == 5
    (warning,) = caught
    assert Path(warning.filename) == Path(__file__)
    assert str(warning.message) == (
        "old_overlap is deprecated since pingce 0.2.0 and will be removed in 0.4.0; call similar"
    )
    assert issubclass(PingceDeprecationWarning, FutureWarning)
    assert inspect.signature(marked) == inspect.signature(old_overlap)
    assert marked.__doc__ == "The sum."
    use_language("zh")
    with pytest.warns(PingceDeprecationWarning, match="old_overlap 自 pingce 0.2.0 起弃用，将在 0.4.0 中移除；请改用"):
        marked(1)


def test_a_class_stays_a_class() -> None:
    marked = deprecated(since="0.2.0", removed="1.0.0", instead=WAY_OUT)(OldShape)
    assert marked is OldShape
    with pytest.warns(PingceDeprecationWarning, match="OldShape is deprecated since pingce 0.2.0"):
        assert marked(3).side == 3


@pytest.mark.parametrize(
    ("since", "removed", "is_allowed"),
    [
        ("0.2.0", "0.4.0", True),
        ("0.2.1", "0.4.0", True),
        ("0.2.0", "0.3.0", False),
        ("0.2.0", "0.2.1", False),
        ("0.9.0", "1.0.0", True),
        ("1.2.0", "1.10.0", True),
        ("1.2.0", "0.9.0", False),
    ],
)
def test_it_stays_for_two_versions(since: str, removed: str, is_allowed: bool) -> None:
    if is_allowed:
        deprecated(since=since, removed=removed, instead=WAY_OUT)
        return
    with pytest.raises(ValueError, match="stays for 2 minor versions"):
        deprecated(since=since, removed=removed, instead=WAY_OUT)


def removals(folder: Path) -> dict[str, str]:
    """What is marked in the sources of a folder, by file and line, and in which version it must be gone."""
    marked = {}
    for path in folder.rglob("*.py"):
        text = path.read_text("utf-8")
        if "@deprecated(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "deprecated":
                (version,) = (word.value.value for word in node.keywords if word.arg == "removed")  # type: ignore[attr-defined]
                marked[f"{path.name}:{node.lineno}"] = version
    return marked


def test_nothing_deprecated_outlives_its_version() -> None:
    assert {place: version for place, version in removals(SOURCE).items() if is_overdue(version, pc.__version__)} == {}


def test_that_test_finds_what_is_overdue(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text('@deprecated(since="0.1.0", removed="0.3.0", instead=x)\ndef f(): ...\n')
    assert removals(tmp_path) == {"old.py:1": "0.3.0"}
    assert [is_overdue("0.3.0", version) for version in ("0.2.9", "0.3.0rc1", "0.3.0", "1.0.0")] == [
        False, True, True, True,
    ]  # fmt: skip
