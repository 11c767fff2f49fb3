"""Docstrings in another language: what `website.build` wrote takes the place of the English."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from griffe import Extension, Object


class Translation(Extension):  # type: ignore[misc]
    """Puts the texts of a file in place, by the full names of what they belong to."""

    def __init__(self, texts: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = json.loads(Path(texts).read_text(encoding="utf-8"))

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Replace the docstring of whatever was read."""
        if obj.docstring is not None and obj.path in self.texts:
            obj.docstring.value = self.texts[obj.path]
