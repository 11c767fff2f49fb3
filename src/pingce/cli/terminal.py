"""Moved to pingce.terminal."""

from pingce.terminal import draw, width

__all__ = ["draw", "width"]
