"""Warnings point at the line of the caller, however many calls of pingce lie between."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from pingce.base import errors
from pingce.base.errors import PingceWarning, warn_user


def _inside(depth: int) -> None:
    """Call warn_user from `depth` frames whose code claims to be a file of pingce."""
    code = compile(
        "def go(depth):\n    return go(depth - 1) if depth else warn_user('far off')\n",
        str(Path(errors.__file__).with_name("deep.py")),
        "exec",
    )
    names: dict[str, object] = {"warn_user": warn_user}
    exec(code, names)
    names["go"](depth)  # type: ignore[operator]


@pytest.mark.parametrize("depth", [0, 1, 30])
def test_the_first_frame_outside_is_warned(depth: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _inside(depth)
    assert [(warning.filename, str(warning.message)) for warning in caught] == [(__file__, "far off")]
    assert caught[0].category is PingceWarning


def test_filters_by_module_and_errors_work() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module=__name__.replace(".", r"\."))
        warn_user("passed over")
        warnings.filterwarnings("error", category=PingceWarning)
        with pytest.raises(PingceWarning, match="an error"):
            warn_user("an error")


def test_a_line_warns_once_by_default(tmp_path: Path) -> None:
    script = tmp_path / "twice.py"
    script.write_text("from pingce.base.errors import warn_user\nfor _ in range(2):\n    warn_user('once')\n")
    process = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert process.stderr == f"{script}:3: PingceWarning: once\n  warn_user('once')\n"
