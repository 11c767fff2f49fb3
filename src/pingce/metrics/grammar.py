"""Names of metrics: `name(param=value, …)@k`. One small tokenizer; a mistake gets a hint."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field
from functools import partial
from typing import Any, TypeAlias, TypeVar

from pingce.base.errors import InputError, did_you_mean
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policy_set import PolicySet, Stated
from pingce.metrics.declared import DEEPEST, Metric, readings, registry
from pingce.metrics.parameters import Parameters, field_name, shown
from pingce.tasks import TASKS

_LONGEST_K = 20
_LONGEST_NAME = 100
_PolicySet = TypeVar("_PolicySet", bound=PolicySet)


@dataclass(frozen=True)
class MetricRequest:
    """A metric as it was asked for: its spelling, what it is, and the policies written with it."""

    name: str
    metric: Any
    policies: Stated = field(default_factory=dict)

    @cached_property
    def id(self) -> str:
        """The canonical spelling: equal for all spellings of the same computation."""
        canonical: str = self.metric.id
        if not self.policies:
            return canonical
        head, at, k = without_cutoff(canonical)
        inside = ",".join(f"{name}={shown(value)}" for name, value in sorted(self.policies.items()))
        merged = f"{head[:-1]},{inside})" if head.endswith(")") else f"{head}({inside})"
        return merged + at + k

    def under(self, policies: _PolicySet) -> _PolicySet:
        """The policies of the call with the metric's own on top."""
        return policies.but(**self.policies)


AnyMetric: TypeAlias = "str | Metric | MetricRequest"


def parse_metric(text: AnyMetric, *, default_k: int | None = None, task: str = "ranking") -> MetricRequest:
    """The metric that a text names; `default_k` is for names that take a cut-off and have none."""
    if isinstance(text, (MetricRequest, Metric)):
        request = text if isinstance(text, MetricRequest) else MetricRequest(text.id, text)
        if request.metric.task != task:
            where, here = TASKS[request.metric.task].noun, TASKS[task].noun
            raise InputError(
                f"{request.name} is a metric of {where.en}, not of {here.en}",
                f"{request.name} 是{where.zh}的指标，不是{here.zh}的",
            )
        return request
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{text!r} is not the name of a metric", f"{text!r} 不是指标名称")
    written = read_metric(text, task=task)
    metric = written.kind.make(k=written.cutoff(default_k), **written.parameters)
    _refuse_other_meaning(text.strip(), metric, written.parameters)
    return MetricRequest(text.strip(), metric, written.policies)


@dataclass(frozen=True)
class Written:
    """A metric as it is written: its kind, and what stands there, without any default."""

    kind: type[Any]
    parameters: Parameters
    policies: Stated
    k: float | None

    def cutoff(self, default: int | None) -> float | None:
        """Its cut-off, or a default for one that takes some number of places and says none."""
        return default if self.k is None and self.kind.takes == "k" else self.k


def read_metric(text: str, *, task: str = "ranking") -> Written:
    """The parts of a metric in the grammar, or in the spelling of the one tool that has it."""
    kinds_of_policy = TASKS[task].load("policies")
    short = kinds_of_policy.short_names
    names = {*(field.name for field in dataclasses.fields(kinds_of_policy)), *short}

    def parts(text: str) -> tuple[type[Any], Parameters, str | None]:
        name, parameters, k = _Reader(text).metric()
        kind = _find(name, task)
        kind.refuse_unknown(key for key in parameters if key not in names)
        return kind, parameters, k

    try:
        kind, parameters, k = parts(text.strip())
    except InputError as mistake:
        meaning = _meaning_of(text.strip(), task)
        if meaning is None:
            raise
        if text.strip().partition("(")[0] in written_names(task):
            raise _own_name(mistake, meaning, text.strip(), task) from None
        kind, parameters, k = parts(meaning)
    policies = {short.get(key, key): value for key, value in parameters.items() if key in names}
    checked = kinds_of_policy().but(**policies)
    rest = {key: value for key, value in parameters.items() if key not in names}
    chosen = {key: getattr(checked, key) for key in policies}
    return Written(kind, rest, chosen, None if k is None else _cutoff(text, k, kind))


def _cutoff(text: str, written: str, kind: type[Metric]) -> float:
    """What stands after @, for a metric that takes it: plain digits, or a plain share."""
    short = len(written) <= _LONGEST_K
    digits = written.replace(".", "", 1) if kind.takes == "p" else written
    plain = short and digits.isascii() and digits.isdigit()
    if kind.takes != "k" or (plain and int(written) >= 1):
        return kind.cutoff_of((float if kind.takes == "p" else int)(written) if plain else written)
    excerpt = written if short else f"{written[:_LONGEST_K]}…"
    text = text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"
    raise InputError(
        f"'{text}': k must be a whole number from 1 to {DEEPEST}, not '{excerpt}'",
        f"'{text}'：k 须为 1 到 {DEEPEST} 的整数，而不是 '{excerpt}'",
    )


def parse_metrics(
    texts: Iterable[AnyMetric] | AnyMetric, *, default_k: int | None = None, task: str = "ranking"
) -> list[MetricRequest]:
    """Several metrics; a text may name more than one, separated by commas."""
    return each_metric(texts, partial(parse_metric, default_k=default_k, task=task))


def each_metric(
    texts: Iterable[AnyMetric] | AnyMetric, read: Callable[[AnyMetric], MetricRequest]
) -> list[MetricRequest]:
    """Several metrics, each read by itself; one that is asked for twice counts once."""
    if isinstance(texts, (str, Metric, MetricRequest)):
        texts = [texts]
    if isinstance(texts, Mapping):
        raise InputError(
            f"metrics is a dict ({', '.join(map(repr, list(texts)[:4]))}); give a list of names with their cut-offs, e.g. ['ndcg@10', 'map']",
            f"metrics 是字典（{'、'.join(map(repr, list(texts)[:4]))}）；请给出名称列表，截断位置写在 @ 之后，例如 ['ndcg@10', 'map']",
        )
    if not isinstance(texts, Iterable):
        raise InputError(f"{texts!r} is not the name of a metric", f"{texts!r} 不是指标名称")
    pieces = [piece for text in texts for piece in (split_names(text) if isinstance(text, str) else [text])]
    if not pieces:
        raise InputError("no metric was asked for", "没有指定任何指标")
    return list({request.name: request for request in map(read, pieces)}.values())


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


def without_cutoff(name: str) -> tuple[str, str, str]:
    """A canonical name before its cut-off, the @ and the cut-off; the @ of a metric within brackets is none of its own."""
    head, at, k = name.rpartition("@")
    return (name, "", "") if not at or ")" in k else (head, at, k)


def written_names(task: str = "ranking") -> dict[str, type[Any]]:
    """Every name and alias that may be written: those of metrics, and of what is read out of their values."""
    return known_names(task) | {name: kind for kind in readings(task).values() for name in (kind.name, *kind.aliases)}


def known_names(task: str = "ranking") -> dict[str, type[Any]]:
    """Every name and alias."""
    return {name: kind for kind in registry(task).values() for name in (kind.name, *kind.aliases)}


def _find(name: str, task: str) -> type[Any]:
    kinds = written_names(task)
    plain = name.lower().replace("-", "_")
    if plain in kinds:
        return kinds[plain]
    hint = did_you_mean(plain, kinds) if len(plain) < _LONGEST_NAME else Text("", "")
    elsewhere = [other for other in TASKS if other != task and plain in written_names(other)]
    if elsewhere:
        other = TASKS[elsewhere[0]]
        way = f"evaluate_{other.name}, task='{other.name}'"
        form = Text("", "")
        if other.of_matrices:
            columns = ", ".join(f"{role.name}=" for role in other.columns.roles)
            form = Text(
                f", with two matrices, or with lines that {columns} name", f"，给出两个矩阵，或由 {columns} 标明的各行"
            )
        hint = Text(
            f"; it is a metric of {other.noun.en}: {way}{form.en}", f"；它是{other.noun.zh}的指标：{way}{form.zh}"
        )
    raise InputError(
        f"unknown metric '{name}'{hint.en} (pingce metrics lists them all)",
        f"未知的指标 '{name}'{hint.zh}（pingce metrics 可列出全部）",
    )


def _meanings(text: str, task: str) -> dict[str, list[str]]:
    """What a tool's spelling means in the grammar, and which tools mean it."""
    meanings: dict[str, list[str]] = {}
    for convention, entry in TASKS[task].load("tool_spellings")(text, task):
        meanings.setdefault(parse_metric(entry, task=task).id, []).append(convention)
    return meanings


def _meaning_of(text: str, task: str) -> str | None:
    """The one meaning of a tool's spelling; None where no tool has it. Two meanings are refused."""
    meanings = _meanings(text, task)
    if len(meanings) > 1:
        raise _two_meanings(text, meanings)
    return next(iter(meanings), None)


def _own_name(mistake: InputError, meaning: str, text: str, task: str) -> InputError:
    """A mistake in the grammar that is right in a tool: the name is pingce's own, so the tool must be named."""
    tools = ", ".join(_meanings(text, task)[meaning][:3])
    return InputError(
        f"{mistake.text.en}; in {tools} '{text}' means {meaning}: write that, or name the tool (convention=…)",
        f"{mistake.text.zh}；在 {tools} 中 '{text}' 是 {meaning}：请这样写，或指明工具（convention=…）",
    )


def _refuse_other_meaning(text: str, metric: Metric, written: Collection[str]) -> None:
    """Refuse capitals that only tools write so (nDCG) where all mean other metrics, unless all that differs from one is `written`.

    Names in small letters are pingce's own, and capitals alone are shouting.
    """
    name = text.partition("(")[0].partition("@")[0].strip()
    if name.islower() or name.isupper() or metric.id in _meanings(text, metric.task):
        return
    meanings = _meanings(name if metric.k is None else f"{name}@{metric.k}", metric.task)
    if meanings and not any(_differs_by(meaning, metric, written) for meaning in meanings):
        raise _two_meanings(text, meanings | {metric.id: ["pingce"]})


def _differs_by(meaning: str, metric: Metric, written: Collection[str]) -> bool:
    """Whether a tool's metric is this one but for parameters that were written."""
    theirs = parse_metric(meaning, task=metric.task).metric
    other = [p.name for p in theirs.parameters() if getattr(theirs, p.name) != p.default]
    return type(theirs) is type(metric) and set(other) <= set(written)


def _two_meanings(text: str, meanings: dict[str, list[str]]) -> InputError:
    tools = [", ".join(tools[:3]) for tools in meanings.values()]
    pairs = list(zip(meanings, tools, strict=True))
    words = Text(
        "; ".join(f"{meaning} in {tool}" for meaning, tool in pairs),
        "；".join(f"在 {tool} 中是 {meaning}" for meaning, tool in pairs),
    )
    first = meanings[next(iter(meanings))][0]
    return InputError(
        f"'{text}' means several things: {words.en}; write the one you mean, or name the tool (convention={first})",
        f"'{text}' 有多种含义：{words.zh}；请写出所指的一种，或指明工具（convention={first}）",
    )


class _Reader:
    """Reads one metric from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def metric(self) -> tuple[str, Parameters, str | None]:
        """Name, parameters with policies among them, cut-off."""
        name = self._until("(@").strip()
        parameters = self._parameters() if self._skip("(") else {}
        if self._skip("@"):
            return name, parameters, self.text[self.at :].strip()
        if self.at < len(self.text):
            raise self._unexpected()
        return name, parameters, None

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

    def _parameters(self) -> Parameters:
        parameters: dict[str, str | dict[str, str]] = {}
        while not self._skip(")"):
            name = field_name(self._until("=,)").strip())
            if not name or not self._skip("="):
                raise self._unexpected()
            if name in parameters:
                raise InputError(f"'{self.text}': {name} is given twice", f"'{self.text}'：{name} 出现两次")
            parameters[name] = self._table() if self._skip("{") else self._value()
            self._skip(",")
        return parameters

    def _value(self) -> str:
        """What stands before the next comma or bracket; a metric may stand there, with brackets of its own."""
        start, depth = self.at, 0
        while self.at < len(self.text) and (depth or self.text[self.at] not in ",)"):
            depth += (self.text[self.at] in "({") - (self.text[self.at] in ")}")
            self.at += 1
        return self.text[start : self.at].strip()

    def _table(self) -> dict[str, str]:
        pairs = [pair.split(":") for pair in self._until("}").split(",") if pair.strip()]
        if not self._skip("}") or any(len(pair) != 2 for pair in pairs):
            raise self._unexpected()
        table = {pair[0].strip(): pair[1].strip() for pair in pairs}
        if len(table) < len(pairs):
            raise InputError(f"'{self.text}': a grade is given twice", f"'{self.text}'：有等级给出两次")
        return table

    def _unexpected(self) -> InputError:
        rest = self.text[self.at :] or "…"
        return InputError(
            f"'{self.text}': cannot read '{rest}'; metrics are written name(param=value)@k, e.g. ndcg(gain=linear)@10",
            f"'{self.text}'：无法解析 '{rest}'；指标写作 name(param=value)@k，例如 ndcg(gain=linear)@10",
        )
