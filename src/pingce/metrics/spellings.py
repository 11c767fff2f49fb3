"""Spellings that belong to one tool, and carry that tool's definition."""

from __future__ import annotations

import re
from typing import Final

_K = r"[_.](?P<k>\d+)"
_X = r"[_.](?P<x>[01](?:\.\d+)?)"

TOOL_SPELLINGS: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (rf"ndcg_cut{_K}", "ndcg(gain=linear)@{k}"),
        (rf"map_cut{_K}", "ap@{k}"),
        (rf"P{_K}", "precision@{k}"),
        (rf"recall{_K}", "recall@{k}"),
        (rf"success{_K}", "hit_rate@{k}"),
        (rf"relative_P{_K}", "precision(over=min)@{k}"),
        (rf"iprec_at_recall{_X}", "iprec(recall={x})"),
        (r"11pt_avg", "ap11"),
        (r"gm_map", "gm_ap"),
        (r"Rprec", "r_precision"),
        (r"set_P", "precision"),
        (r"set_recall", "recall"),
        (r"set_F", "f(squared=no)"),
        (r"set_relative_P", "precision(over=min)"),
    )
)


def translate(text: str) -> str:
    """A tool's spelling in the grammar of pingce; any other text as it is."""
    for pattern, meaning in TOOL_SPELLINGS:
        found = pattern.fullmatch(text)
        if found:
            return meaning.format(**found.groupdict())
    return text
