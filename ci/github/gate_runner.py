"""What the runner of GitHub gives a step, and takes from it: settings, files, outputs, lines of the log."""

from __future__ import annotations

import os
from pathlib import Path


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
