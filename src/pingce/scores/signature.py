"""Signatures: the whole definition of a value as one line that can be read back.

A choice that is not written stands at its default of the version that is.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import quote, unquote

from pingce import __version__
from pingce.base.errors import InputError, did_you_mean
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.policy_set import PolicySet
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest, known_names, read_metric, split_names, written_names
from pingce.metrics.parameters import shown, spelled
from pingce.scores.values import Value
from pingce.tasks import TASKS

_SAFE = "".join(chr(code) for code in range(33, 127) if chr(code) not in "%|") + " "
_SHORT = {long: short for short, long in Policies.short_names.items()}
_BRACKETS = re.compile(r"[][(){},%]")
"Letters at which a list of metrics, or of classes, would break."
_LONGEST_LABELS = 80

Parts: TypeAlias = Sequence[tuple[str, Any]]


def written(value: Value, data: Parts) -> str:
    """The line: parameters with those taken from the data (minor ones where they are not at their default), policies, data."""
    metric = value.metric
    pairs = [(p, value.resolved.get(p.name, getattr(metric, p.name))) for p in metric.parameters()]
    parameters = [
        (spelled(p.name), choice) for p, choice in pairs if not p.metadata.get("minor") or choice != p.default
    ]
    head = metric.name + (f"@{metric.k}" if metric.k is not None else "")
    return "|".join([head, *_choices([*parameters, *_policies(value), *data]), f"pingce:{__version__}"])


def differences(value: Value, data: Parts) -> str:
    """The parts that are not at their default."""
    metric, default = value.metric, type(value.policies)()
    parts = [(spelled(p.name), choice) for p in metric.parameters() if (choice := getattr(metric, p.name)) != p.default]
    parts += [(name, choice) for name, choice in _policies(value) if choice != getattr(default, name)]
    return "|".join(_choices([*parts, *(part for part in data if part[1] == "given" or part[0] == "labels")]))


def _policies(value: Value) -> Parts:
    """Policies that are always said, if they matter to the value; then others that are not at their default."""
    policies, default, metric = value.policies, type(value.policies)(), value.metric
    names = [spelled(p.name) for p in metric.parameters() if getattr(metric, p.name) != p.default]
    always = metric.signed_policies(policies.always, names)
    others = [f.name for f in dataclasses.fields(policies) if f.name not in policies.always]
    changed = [name for name in others if getattr(policies, name) != getattr(default, name)]
    return [(name, getattr(policies, name)) for name in (*always, *changed)]


def _choices(parts: Parts) -> list[str]:
    return [f"{_SHORT.get(name, name)}:{_escaped(shown(value))}" for name, value in parts if value is not None]


def _escaped(text: str) -> str:
    """A value of one line without the separator; letters of any script stay readable."""
    return "".join(
        letter if letter in _SAFE or (letter.isprintable() and ord(letter) > 127) else quote(letter) for letter in text
    )


def labels_text(labels: Sequence[Any]) -> str:
    """Classes as a signature says them: each by name if they are few, else their number and a digest."""
    names = [json.dumps(label, ensure_ascii=False) for label in labels]
    text = "{" + ",".join(_BRACKETS.sub(lambda letter: quote(letter[0]), name) for name in names) + "}"
    if len(text) <= _LONGEST_LABELS:
        return text
    import hashlib

    digest = hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(names)} classes {digest[:16]}"


@dataclass(frozen=True)
class Signed(MetricRequest):
    """A metric read from a signature: every policy is pinned, whatever the call says."""

    version: str = ""
    given: Mapping[str, str] = dataclasses.field(default_factory=dict)
    "What the signature says of the data."

    @cached_property
    def id(self) -> str:
        """The canonical spelling."""
        return str(self.metric.id)

    @property
    def task(self) -> str:
        """The task of the metric."""
        return str(self.metric.task)


def from_signature(signature: str) -> Signed:
    """The evaluation that a signature describes: give it to an `evaluate_*` call among, or as, its metrics.

    >>> import pingce as pc
    >>> truth, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    >>> scores = pc.evaluate_ranking(truth, run, ["ndcg(gain=linear)@10"])
    >>> again = pc.evaluate_ranking(truth, run, pc.from_signature(scores.signature("ndcg(gain=linear)@10")))
    >>> again == scores
    True
    """
    pieces = signature.strip().split("|") if isinstance(signature, str) else []
    if len(pieces) < 2:
        raise InputError(
            f"{signature!r} is no signature; it looks like ndcg@10|gain:exp2|…|pingce:{__version__}",
            f"{signature!r} 不是签名；签名形如 ndcg@10|gain:exp2|…|pingce:{__version__}",
        )
    choices = dict(_part(signature, piece) for piece in pieces[1:])
    if len(choices) < len(pieces) - 1:
        raise InputError(f"'{signature}': a choice is said twice", f"'{signature}'：有选项出现两次")
    version = _version(signature, choices.pop("pingce", None))
    task = _task(signature, pieces[0], choices)
    policy_set, (head, at, k) = TASKS[task].load("policies"), pieces[0].partition("@")
    names = {_SHORT.get(f.name, f.name): f.name for f in dataclasses.fields(policy_set)}
    policies = {names[name]: value for name, value in choices.items() if name in names}
    of_metric = {*names, *(spelled(p.name) for p in written_names(task)[head].parameters())}
    data_names = set(TASKS[task].signed_data) - of_metric
    data = {name: value for name, value in choices.items() if name in data_names}
    parameters = {name: value for name, value in choices.items() if name not in names and name not in data}
    inside = ",".join(f"{name}={value}" for name, value in parameters.items() if name not in ("by", "label"))
    read = read_metric(f"{head}({inside}){at}{k}", task=task)
    plain = {name: value for name, value in parameters.items() if name in ("by", "label")}
    metric = read.kind.make(k=read.k, **{**read.parameters, **plain})
    pinned = {f.name: getattr(policy_set.of(**policies), f.name) for f in dataclasses.fields(policy_set)}
    return Signed(metric.id, metric, pinned, version, data)


def with_signatures(metrics: Any) -> Any:
    """The same metrics, with each that is written as a signature read."""
    if isinstance(metrics, str) and "|" in metrics:
        metrics = split_names(metrics)
    if not isinstance(metrics, (list, tuple)):
        return metrics
    return [from_signature(each) if isinstance(each, str) and "|pingce:" in each else each for each in metrics]


def _part(signature: str, piece: str) -> tuple[str, str]:
    name, colon, value = piece.partition(":")
    if not colon:
        raise InputError(
            f"'{signature}': cannot read '{piece}'; the parts of a signature are name:value",
            f"'{signature}'：无法解析 '{piece}'；签名的各部分写作 名称:值",
        )
    return name, unquote(value)


_VERSION = re.compile(r"(\d{1,9}(?:\.\d{1,9}){0,9})[0-9A-Za-z.+-]{0,99}", re.ASCII)
"The numbers of a release, and whatever marks it as one before or after; of bounded length, or a long one would take for ever."


def _version(signature: str, version: str | None) -> str:
    if version is None or not _VERSION.fullmatch(version):
        raise InputError(
            f"'{signature}' does not end with the version (pingce:{__version__}): is it cut off?",
            f"'{signature}' 末尾没有版本（pingce:{__version__}）：是否被截断？",
        )
    if _release(version) > _release(__version__):
        raise InputError(
            f"this signature is of pingce {version}, newer than this pingce {__version__}; upgrade to read it",
            f"该签名来自 pingce {version}，比当前的 pingce {__version__} 新；请升级后再读",
        )
    return version


def _release(version: str) -> tuple[int, ...]:
    match = _VERSION.fullmatch(version)
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def _task(signature: str, head: str, choices: Mapping[str, str]) -> str:
    """The task whose metric has just these choices; a signature says all that its metric always says."""
    name = head.partition("@")[0]
    having = [task for task in TASKS if name in written_names(task)]
    if not having:
        hint = did_you_mean(name, [metric for task in TASKS for metric in known_names(task)])
        raise InputError(
            f"'{signature}': unknown metric '{name}'{hint.en}", f"'{signature}'：未知的指标 '{name}'{hint.zh}"
        )
    problems = {task: _unlike(written_names(task)[name], TASKS[task].load("policies"), choices) for task in having}
    task = min(having, key=lambda task: len(problems[task]))
    if problems[task]:
        raise InputError(
            f"'{signature}' is no whole signature of {name}: it {'; it '.join(text.en for text in problems[task])}",
            f"'{signature}' 不是 {name} 的完整签名：{'；'.join(text.zh for text in problems[task])}",
        )
    return task


def _unlike(metric: type[Metric], policies: type[PolicySet], choices: Mapping[str, str]) -> list[Text]:
    """What a signature lacks, or says too much, to be one of this metric."""
    task = TASKS[metric.task]
    always = {_SHORT.get(name, name) for name in metric.signed_policies(policies.always, choices)} | {
        *task.always_signed
    }
    parameters = [p for p in metric.parameters() if p.default is not None and not p.metadata.get("minor")]
    needed = {spelled(p.name) for p in parameters} | always
    allowed = {spelled(p.name) for p in metric.parameters()} | {*task.signed_data}
    allowed |= {_SHORT.get(f.name, f.name) for f in dataclasses.fields(policies)}
    lacking = [Text(f"does not say {name}", f"没有写明 {name}") for name in sorted(needed - set(choices))]
    strange = sorted(set(choices) - allowed)
    return lacking + [Text(f"says {name}, which it cannot have", f"写了它不可能有的 {name}") for name in strange]


_WEIGHTED = {
    "query_weight:given": Text("queries", "查询"),
    "item_weight:given": Text("items", "条目"),
}


def weighted_units(signature: str) -> Text | None:
    """What has weights by which queries count differently in a value: they themselves, or their items; None where nothing has."""
    units = [text for part, text in _WEIGHTED.items() if part in signature.split("|")]
    return Text(" and ".join(unit.en for unit in units), "与".join(unit.zh for unit in units)) if units else None


def is_weighted(signature: str) -> bool:
    """Whether queries count differently in a value, by weights of their own or by those of their items."""
    return weighted_units(signature) is not None


_HINTS = {
    "labels": Text(
        "; give labels= as they were then, in that order (none: leave it out); explain calls them classes=",
        "；请按当时的类别与顺序给出 labels=（无则不给）；explain 中写作 classes=",
    ),
    "positive": Text("; say the same positive= (--positive)", "；请给出相同的 positive=（--positive）"),
}


def refuse_unmet(metrics: Iterable[MetricRequest], **facts: str | None) -> None:
    """Refuse data that is not what a signature says: no weights where there were some, other scores, another class."""
    for metric in metrics:
        if not isinstance(metric, Signed):
            continue
        for name, value in facts.items():
            wanted = metric.given.get(name)
            beside = name == "bins" and not metric.metric.reads_table()
            if wanted != value and not beside and not (name in ("exclude", "catalog") and wanted is None):
                hint = _HINTS.get(name, Text("", ""))
                raise InputError(
                    f"{metric.name}: the signature was made with {name}:{wanted or 'none'}, here it is {name}:{value or 'none'}{hint.en}",
                    f"{metric.name}：该签名对应 {name}:{wanted or '无'}，此处为 {name}:{value or '无'}{hint.zh}",
                )
