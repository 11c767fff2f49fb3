"""Scores for tools that track experiments (MLflow, Weights & Biases, TensorBoard), each imported only where it is used."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pingce import __version__
from pingce.base.errors import InputError, is_whole
from pingce.base.records import dataclass

if TYPE_CHECKING:
    from pingce.scores.base import Scores

FOLDER: Final = "pingce"
"Under which documents, signatures and versions stand."
_METRICS_AT_ONCE, _TAGS_AT_ONCE = 1000, 100
"What MLflow takes in one request."
_Item = TypeVar("_Item")


def legal_name(text: str) -> str:
    """A name that every tool takes: letters, digits and underscores, with `_at_` for a cut-off; other letters by their numbers.

    >>> legal_name("ap(norm=min)@100"), legal_name("用户")
    ('ap_norm_min_at_100', 'u7528u6237')
    """
    numbered = "".join(
        f"u{ord(letter):04x}" if letter.isalnum() and not letter.isascii() else letter for letter in text
    )
    return re.sub(r"[^A-Za-z0-9.-]+", "_", numbered.replace("@", "_at_")).strip("_") or "_"


def legal_prefix(prefix: str) -> str:
    """What stands before names, legal in each of its parts, with a slash at its end; nothing where it is empty.

    >>> legal_prefix("va lid@10/"), legal_prefix("../x")
    ('va_lid_at_10/', '_/x/')
    """
    if not isinstance(prefix, str):
        raise InputError(
            f"prefix={prefix!r}: give the text that stands before names, such as 'valid', or '' for none",
            f"prefix={prefix!r}：请给出名称前的文字，例如 'valid'；不需要时写 ''",
        )
    parts = [legal_name(part).strip(".") or "_" for part in prefix.split("/") if part]
    return "".join(f"{part}/" for part in parts)


@dataclass(frozen=True)
class Logged:
    """What is logged of scores, under names that are legal and differ."""

    values: Mapping[str, float]
    "Values that are defined, and the ends of their intervals (`.low`, `.high`)."
    signatures: Mapping[str, str]
    "The definition of each value, defined or not."
    undefined: tuple[str, ...]
    "Names of values that are not defined, and so are not logged."


def logged(scores: Scores, prefix: str = "") -> Logged:
    """The values of scores by names that tools take; two that would have one name are numbered."""
    values: dict[str, float] = {}
    signatures: dict[str, str] = {}
    for name, number in scores.items():
        key = _key(name, prefix, signatures)
        signatures[key] = scores.signature(name)
        low, high = scores.interval(name) or (None, None)
        for ending, end in (("", number), (".low", low), (".high", high)):
            if end is not None and isfinite(end):
                values[key + ending] = float(end)
    return Logged(values, signatures, tuple(key for key in signatures if key not in values))


def _key(name: str, prefix: str, taken: Mapping[str, str]) -> str:
    plain = legal_prefix(prefix) + legal_name(name)
    more = (f"{plain}.{number}" for number in range(2, len(taken) + 3))
    return plain if plain not in taken else next(key for key in more if key not in taken)


def library(name: str) -> Any:
    """A library that tracks; where it is missing, how to install it."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise InputError(
            f"{package} is not installed here: pip install 'pingce[{package}]'",
            f"此处没有安装 {package}：请执行 pip install 'pingce[{package}]'",
        ) from None


def _report(path: str | os.PathLike[str] | None) -> Path | None:
    """The file of a report, which must be there."""
    if path is None or Path(path).is_file():
        return None if path is None else Path(path)
    raise InputError(
        f"{path}: no such report; write it first with pc.report(…, path={os.fspath(path)!r})",
        f"{path}：没有这份报告；请先用 pc.report(…, path={os.fspath(path)!r}) 写出",
    )


class Tracked:
    """What of scores goes to tools that track experiments."""

    def log_mlflow(
        self, *, prefix: str = "", step: int | None = None, report: Any = None, run_id: str | None = None
    ) -> None:
        """Log to MLflow: values and the ends of intervals as metrics, signatures as tags, the document as an artifact.

        Names are made legal (`ndcg@10` is `ndcg_at_10`), below `prefix/` if there is one, which is made legal too. `report` is the path of a page that `pc.report` wrote.
        Without `run_id` the active run is meant, or a new one.
        """
        to_mlflow(cast("Scores", self), prefix, step, report, run_id)

    def log_wandb(self, *, prefix: str = "", step: int | None = None, report: Any = None, run: Any = None) -> None:
        """Log to Weights & Biases: values and intervals, signatures into the configuration, the document as an artifact.

        `run` is that of `wandb.init()`; without it the active one.
        """
        to_wandb(cast("Scores", self), prefix, step, report, run)

    def log_tensorboard(self, writer: Any, step: int | None = None, *, prefix: str = "") -> None:
        """Log to TensorBoard by a SummaryWriter: values and the ends of intervals as scalars, signatures as text."""
        to_tensorboard(cast("Scores", self), writer, step, prefix)


def to_mlflow(scores: Scores, prefix: str, step: int | None, report: Any, run_id: str | None) -> None:
    """Metrics, signatures as tags, and documents as artifacts of a run of MLflow."""
    mlflow, page, values = library("mlflow"), _report(report), logged(scores, prefix)
    _refuse_odd(step, run_id)
    run = run_id or (mlflow.active_run() or mlflow.start_run()).info.run_id
    client, entities, now = mlflow.MlflowClient(), mlflow.entities, mlflow.utils.time.get_current_time_millis()
    metrics = [entities.Metric(name, value, now, step or 0) for name, value in values.values.items()]
    place = legal_prefix(prefix).rstrip("/")
    ending = f".{place}" if place else ""
    tags = {f"{FOLDER}.version": __version__, f"{FOLDER}.task{ending}": scores.task}
    tags |= {f"{FOLDER}.signature.{name}": signature for name, signature in values.signatures.items()}
    tags |= {f"{FOLDER}.undefined{ending}": ", ".join(values.undefined)} if values.undefined else {}
    for some in _chunks(metrics, _METRICS_AT_ONCE):
        client.log_batch(run, metrics=some)
    for some in _chunks([entities.RunTag(*tag) for tag in tags.items()], _TAGS_AT_ONCE):
        client.log_batch(run, tags=some)
    folder = f"{FOLDER}/{place}".rstrip("/")
    client.log_text(run, scores.to_json(), f"{folder}/scores.json")
    if page is not None:
        client.log_artifact(run, str(page), folder)


def _refuse_odd(step: object, run_id: object) -> None:
    """Refuse a step that MLflow would cut to a whole number, and a run where its id is wanted."""
    if step is not None and not is_whole(step, -(1 << 63)):
        raise InputError(
            f"step={step!r}: give a whole number, such as the epoch",
            f"step={step!r}：请给出整数，例如轮数",
        )
    if run_id is not None and not isinstance(run_id, str):
        raise InputError(
            f"run_id is {type(run_id).__name__}; give the id of the run, run.info.run_id",
            f"run_id 的类型是 {type(run_id).__name__}；请给出 run 的编号 run.info.run_id",
        )


def _chunks(items: Iterable[_Item], most: int) -> Iterator[list[_Item]]:
    rest = iter(items)
    while some := list(islice(rest, most)):
        yield some


def to_wandb(scores: Scores, prefix: str, step: int | None, report: Any, run: Any) -> None:
    """Values, signatures in the configuration, and documents as an artifact of a run of Weights & Biases."""
    wandb, page, values = library("wandb"), _report(report), logged(scores, prefix)
    run = wandb.run if run is None else run
    if run is None:
        raise InputError(
            "no run of Weights & Biases is active; call wandb.init() first, or give run=",
            "没有正在进行的 Weights & Biases run；请先调用 wandb.init()，或给出 run=",
        )
    run.log(dict(values.values), step=step)
    earlier = dict(run.config.get(FOLDER, {}))
    signatures = {**earlier.get("signatures", {}), **values.signatures}
    run.config.update({FOLDER: {"version": __version__, "signatures": signatures}}, allow_val_change=True)
    place = legal_prefix(prefix).rstrip("/").replace("/", "_")
    artifact = wandb.Artifact("-".join(filter(None, (FOLDER, place, str(run.id)))), type="evaluation")
    with artifact.new_file("scores.json", encoding="utf-8") as file:
        file.write(scores.to_json())
    if page is not None:
        artifact.add_file(str(page))
    run.log_artifact(artifact)


def to_tensorboard(scores: Scores, writer: Any, step: int | None, prefix: str) -> None:
    """Scalars, and signatures as text, for whatever writes summaries."""
    if not (hasattr(writer, "add_scalar") and hasattr(writer, "add_text")):
        raise InputError(
            f"writer is {type(writer).__name__}, which has no add_scalar; give a SummaryWriter of torch.utils.tensorboard or tensorboardX",
            f"writer 的类型是 {type(writer).__name__}，没有 add_scalar；请给出 torch.utils.tensorboard 或 tensorboardX 的 SummaryWriter",
        )
    values = logged(scores, prefix)
    for name, value in values.values.items():
        writer.add_scalar(name, value, step)
    lines = [f"| {name} | `{signature}` |" for name, signature in values.signatures.items()]
    writer.add_text(
        f"{legal_prefix(prefix)}{FOLDER}/signatures", "\n".join(["| metric | signature |", "|---|---|", *lines]), step
    )
