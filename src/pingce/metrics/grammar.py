"""Names of metrics: `name(param=value, …)@k`. One small tokenizer; a mistake gets a hint."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pingce.errors import InputError, did_you_mean
from pingce.evidence.policies import Policies, relevant_from
from pingce.metrics.base import DEEPEST, RankingMetric, registry
from pingce.metrics.parameters import shown
from pingce.metrics.spellings import translate

POLICY_NAMES = {f.name for f in dataclasses.fields(Policies)}
_SHORT_POLICIES = {"rel": "relevant"}
_LONGEST_K = 20


@dataclass(frozen=True)
class Asked:
    """A metric as it was asked for: its spelling, what it is, and the policies written with it."""

    name: str
    metric: RankingMetric
    policies: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def id(self) -> str:
        """The canonical spelling: equal for all spellings of the same computation."""
        if not self.policies:
            return self.metric.id
        head, at, k = self.metric.id.partition("@")
        inside = ",".join(f"{name}={shown(value)}" for name, value in sorted(self.policies.items()))
        merged = f"{head[:-1]},{inside})" if head.endswith(")") else f"{head}({inside})"
        return merged + at + k

    def under(self, policies: Policies) -> Policies:
        """The policies of the call with the metric's own on top."""
        return policies.but(**self.policies)


def parse_metric(text: str | RankingMetric | Asked, *, default_k: int | None = None) -> Asked:
    """The metric that a text names; `default_k` is for names that take a cut-off and have none."""
    if isinstance(text, Asked):
        return text
    if isinstance(text, RankingMetric):
        return Asked(text.id, text)
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{text!r} is not the name of a metric", f"{text!r} 不是指标名称")
    name, parameters, k = _Reader(translate(text.strip())).metric()
    kind = _find(name)
    own = {key: value for key, value in parameters.items() if key not in POLICY_NAMES and key not in _SHORT_POLICIES}
    policies = {_SHORT_POLICIES.get(key, key): value for key, value in parameters.items() if key not in own}
    Policies().but(**policies)
    if "relevant" in policies:
        policies["relevant"] = relevant_from(policies["relevant"])
    if k is None and kind.takes_k:
        k = default_k
    return Asked(text.strip(), kind.make(k=k, **own), policies)


def parse_metrics(texts: Iterable[str | RankingMetric | Asked], *, default_k: int | None = None) -> list[Asked]:
    """Several metrics; a text may name more than one, separated by commas."""
    if isinstance(texts, (str, RankingMetric, Asked)):
        texts = [texts]
    pieces = [piece for text in texts for piece in (split_names(text) if isinstance(text, str) else [text])]
    asked = [parse_metric(piece, default_k=default_k) for piece in pieces]
    if not asked:
        raise InputError("no metric was asked for", "没有指定任何指标")
    return list({metric.name: metric for metric in asked}.values())


def split_names(text: str) -> list[str]:
    """The names between commas that stand outside brackets."""
    names, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth == 0:
            names.append(text[start:at])
            start = at + 1
    names.append(text[start:])
    return [name.strip() for name in names if name.strip()]


def known_names() -> dict[str, type[RankingMetric]]:
    """Every name and alias."""
    return {name: kind for kind in registry().values() for name in (kind.name, *kind.aliases)}


def _find(name: str) -> type[RankingMetric]:
    known = known_names()
    plain = name.lower().replace("-", "_")
    if plain in known:
        return known[plain]
    hint = did_you_mean(plain, known)
    raise InputError(
        f"unknown metric '{name}'{hint.en} (pingce metrics lists them all)",
        f"未知的指标 '{name}'{hint.zh}（pingce metrics 可列出全部）",
    )


class _Reader:
    """Reads one metric from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def metric(self) -> tuple[str, dict[str, Any], int | None]:
        """Name, parameters, cut-off."""
        name = self._until("(@").strip()
        parameters = self._parameters() if self._skip("(") else {}
        k = self._cutoff() if self._skip("@") else None
        if self.at < len(self.text):
            raise self._unexpected()
        return name, parameters, k

    def _until(self, stops: str) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in stops:
            self.at += 1
        return self.text[start : self.at]

    def _skip(self, letter: str) -> bool:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        if self.text[self.at : self.at + 1] != letter:
            return False
        self.at += 1
        return True

    def _parameters(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._skip(")"):
            name = self._until("=,)").strip()
            if not name or not self._skip("="):
                raise self._unexpected()
            if name in found:
                raise InputError(f"'{self.text}': {name} is given twice", f"'{self.text}'：{name} 出现两次")
            found[name] = self._table() if self._skip("{") else self._until(",)").strip()
            self._skip(",")
        return found

    def _table(self) -> dict[str, str]:
        pairs = [pair.split(":") for pair in self._until("}").split(",") if pair.strip()]
        if not self._skip("}") or any(len(pair) != 2 for pair in pairs):
            raise self._unexpected()
        table = {pair[0].strip(): pair[1].strip() for pair in pairs}
        if len(table) < len(pairs):
            raise InputError(f"'{self.text}': a grade is given twice", f"'{self.text}'：有等级给出两次")
        return table

    def _cutoff(self) -> int:
        written = self.text[self.at :].strip()
        self.at = len(self.text)
        if not written.isascii() or not written.isdigit() or len(written) > _LONGEST_K or int(written) < 1:
            said = written if len(written) <= _LONGEST_K else f"{written[:_LONGEST_K]}…"
            text = self.text if len(self.text) <= 100 else f"{self.text[:100]}…"
            raise InputError(
                f"'{text}': k must be a whole number from 1 to {DEEPEST}, not '{said}'",
                f"'{text}'：k 须为 1 到 {DEEPEST} 的整数，而不是 '{said}'",
            )
        return int(written)

    def _unexpected(self) -> InputError:
        rest = self.text[self.at :] or "…"
        return InputError(
            f"'{self.text}': cannot read '{rest}'; metrics are written name(param=value)@k, e.g. ndcg(gain=linear)@10",
            f"'{self.text}'：无法解析 '{rest}'；指标写作 name(param=value)@k，例如 ndcg(gain=linear)@10",
        )
