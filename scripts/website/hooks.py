"""What mkdocs cannot be told in its file: headings keep Chinese words in their anchors."""

from __future__ import annotations

from typing import Any

from pymdownx.slugs import slugify


def on_config(config: Any) -> Any:
    """Anchors of headings have their words, in any language."""
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slugify(case="lower")
    return config
