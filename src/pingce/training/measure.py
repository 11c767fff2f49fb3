"""Metrics as a training library asks for them: numbers of labels and predictions, again and again."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError, PingceWarning, warn_user
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.classes import plain_label
from pingce.inputs.data import RankingData, RowData
from pingce.inputs.flat import checked_sizes
from pingce.metrics.declared import Metric
from pingce.request import MetricNames, Request
from pingce.run.feed import evaluate, request_from_keywords, row_data
from pingce.tasks import TASKS, Task, checked_task
from pingce.tasks.options import Keywords, no_option_here, refuse_options

_BESIDE = ("convention", "positive", "labels")
"Keywords of evaluate calls, beside policies, that a metric may be asked with."


@dataclass(frozen=True, eq=False)
class Groups:
    """Which rows belong together: the id of each, or how many rows each group has, one group after another."""

    ids: Any = None
    sizes: Any = None

    def __bool__(self) -> bool:
        return self.ids is not None or self.sizes is not None

    def per_row(self, rows: int) -> Any:
        """An id for each row; None where nothing is known."""
        if self.sizes is None:
            return self.ids
        sizes = checked_sizes(self.sizes, rows, Text("the data", "数据"))
        return np.repeat(np.arange(len(sizes)), sizes)


NO_GROUPS = Groups()
"Of rows that stand alone."


@dataclass(frozen=True, eq=False)
class Measure:
    """Metrics of one task, resolved once; `values` gives what the task's evaluate call gives, to the last bit."""

    request: Request
    warned: list[bool] = field(default_factory=list, repr=False)
    "Whether warnings were given: a loop hears them the first time."

    @classmethod
    def of(cls, metrics: MetricNames, task: str | None, options: Keywords, place: str) -> Measure:
        """What a caller asked for; without a task, it is the first that has these metrics (`task_with`)."""
        stated = {name: value for name, value in options.items() if value is not None}
        kind = checked_task(task) if task is not None else task_with(metrics, stated)
        _refuse_unfit(kind, stated, place)
        if not kind.of_rows and "convention" not in stated:
            stated.setdefault("ties", "expected")
        measure = cls(request_from_keywords(kind.name, metrics, stated))
        if not kind.of_rows:
            _refuse_without_ids(measure)
        return measure

    @property
    def metrics(self) -> list[Metric]:
        """The metrics, as they were asked for."""
        return [request.metric for request in self.request.metrics or ()]

    @property
    def names(self) -> list[str]:
        """Their spellings."""
        return [request.name for request in self.request.metrics or ()]

    @property
    def ties(self) -> list[str]:
        """How each metric of a ranking orders equal scores: as it says itself, else as the call does."""
        return [request.under(self.request.policies).ties for request in self.request.metrics or ()]

    @property
    def needs_groups(self) -> bool:
        """Whether a value is made of groups of rows: users of GAUC, queries of a ranking."""
        return not self.request.task.of_rows or any(metric.of_groups for metric in self.metrics)

    def higher_is_better(self, stated: bool | None = None, at: int = 0) -> bool:
        """Whether more of a metric is better; a choice must have a direction.

        What the caller says is of a metric alone; of several it is of those that declare no direction.
        """
        better = self.metrics[at].higher_is_better
        if stated is not None and (better is None or len(self.metrics) == 1):
            better = stated
        if better is None:
            name = self.names[at]
            raise InputError(
                f"of {name} neither more nor less is better, so that nothing can be chosen by it; say which you mean with higher_is_better=True "
                "or False",
                f"{name} 并非越大或越小越好，无法据此选择；请用 higher_is_better=True 或 False 指明",
            )
        return better

    def refuse_no_groups(self, groups: Groups, keyword: str) -> None:
        """Refuse rows without groups where a metric needs them."""
        if self.needs_groups and not groups:
            name = next(
                (each for each, metric in zip(self.names, self.metrics, strict=True) if metric.of_groups), self.names[0]
            )
            raise InputError(
                f"{name} is made of groups of rows, and nothing says which rows belong together; give {keyword}=, the user or query of each row",
                f"{name} 由分组的行计算，而没有说明哪些行属于同一组；请给出 {keyword}=，即每行的用户或查询",
            )

    def refuse_weight(self, weight: Any) -> None:
        """Refuse weights of rows in rankings, where queries are what counts."""
        if weight is not None and not self.request.task.of_rows:
            name = self.names[0]
            raise InputError(
                f"weight=: {name} counts every query once, and rows of a list have no weights; leave them out",
                f"weight=：{name} 对每个查询计一次，列表中的行没有权重；请不要给出",
            )

    def values(self, truth: Any, prediction: Any, groups: Groups = NO_GROUPS, weight: Any = None) -> dict[str, float]:
        """The value of each metric by its spelling; a matrix of predictions holds probabilities, a column per class."""
        self.refuse_no_groups(groups, "group")
        if not self.request.task.of_rows:
            self._warn_of_weight(weight)
            reading = replace(self.request.reading, queries=_flat(groups.ids), sizes=groups.sizes)
            data = RankingData(_flat(truth), _flat(prediction))
            scores = self._evaluate(replace(self.request, reading=reading), data)
        else:
            request, sides = self._sides(truth, prediction, weight)
            columns = {**sides, "weight": weight}
            if self.needs_groups:
                columns["group"] = groups.per_row(len(truth))
            scores = self._evaluate(request, row_data(request.task.name, truth, columns.pop("prediction"), columns))
        return {name: float(scores[name]) for name in self.names}

    def _warn_of_weight(self, weight: Any) -> None:
        """Say that weights which come with the data are not used."""
        if weight is not None:
            name = ",".join(self.names)
            warn_user(
                Text(
                    f"{name} counts every query once: the weights of the data's rows are not used",
                    f"{name} 对每个查询计一次：不使用数据中各行的权重",
                )
            )

    def _evaluate(self, request: Request, data: RowData | RankingData) -> Any:
        if not self.warned:
            self.warned.append(True)
            return evaluate(request, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PingceWarning)
            return evaluate(request, data)

    def _sides(self, truth: Any, prediction: Any, weight: Any) -> tuple[Request, dict[str, object]]:
        """Predictions, or probabilities of classes that are numbered as the columns are."""
        shape: tuple[int, ...] = getattr(prediction, "shape", ())
        if len(shape) != 2 or shape[1] < 2:
            return self.request, {"prediction": prediction}
        request = self.request
        if request.labels is None and (true := np.asarray(truth)).dtype.kind in "biuf":
            request = replace(request, labels=numbered_classes(true, shape[1], weight))
        return request, {"prediction": None, "proba": prediction}


def _flat(column: Any) -> Any:
    """A column as a line of values, where a model gives it as a matrix with one column."""
    shape: tuple[int, ...] = getattr(column, "shape", ())
    return np.asarray(column).reshape(-1) if len(shape) == 2 and shape[1] == 1 else column


def numbered_classes(truth: Any, count: int, weight: Any = None) -> Sequence[int]:
    """Classes that nobody named, which are numbered as the columns of probabilities are; true labels must be among them."""
    labels = truth if weight is None or len(weight) != len(truth) else truth[np.asarray(weight) != 0]
    labels = labels[np.isfinite(labels)]  # others are refused where they are read, by their row
    outside = labels[(labels < 0) | (labels >= count)]
    if len(outside):
        label = plain_label(outside[0])
        raise InputError(
            f"the predictions have {count} columns, which are taken for the classes 0 to {count - 1}, but a true label is {label}; say which "
            "class each column is with labels=[…]",
            f"预测有 {count} 列，依次视为类别 0 到 {count - 1}，而真实标签中有 {label}；请用 labels=[…] 说明各列是哪一类",
        )
    return list(range(count))


def task_with(metrics: MetricNames, options: Keywords) -> Task:
    """The first task that has such metrics: of rows, in the order of the tasks, then of lists.

    So `recall` is that of labels and `recall@10` that of rankings; tasks that need columns of their own are left out.
    """
    problem: InputError | None = None
    names = [metrics] if isinstance(metrics, str) or not hasattr(metrics, "__iter__") else list(metrics)
    for task in sorted(TASKS.values(), key=lambda task: not task.of_rows):
        if task.columns.required():
            continue
        try:
            Request.of(task.name, names, convention=options.get("convention"))
        except InputError as refusal:
            problem = problem or refusal
        else:
            return task
    raise problem or AssertionError("there are tasks")


def _refuse_unfit(task: Task, options: Keywords, place: str) -> None:
    where = Text(f"{place} of {task.name}", f"{place}（{task.name}）")
    refuse_options(options, where, task.name)
    for name in options:
        if name not in _BESIDE and name not in task.load("policies").among(dict.fromkeys(options)):
            raise no_option_here(name, where, task.name)
    if task.columns.required():
        needed = ", ".join(f"{name}=" for name in task.columns.required())
        raise InputError(
            f"{place} has no way to give {needed}, which metrics of {task.name} need; use pc.evaluate_{task.name}",
            f"{place} 无法给出 {task.name} 的指标所需的 {needed}；请用 pc.evaluate_{task.name}",
        )


def _refuse_without_ids(measure: Measure) -> None:
    """Refuse what rows without item ids cannot answer: which items are shown, and in which order equal scores stand."""
    from pingce.metrics.ranking import RankingMetric

    for metric, ties in zip(measure.metrics, measure.ties, strict=True):
        if not isinstance(metric, RankingMetric):
            continue
        if metric.of_items:
            raise InputError(
                f"{metric.id} looks at which items are shown, and rows in a training loop have no item ids; use pc.evaluate_ranking on the lists",
                f"{metric.id} 要看展示了哪些条目，而训练循环中的行没有条目编号；请对列表使用 pc.evaluate_ranking",
            )
        if ties == "expected" and not metric.knows_expected():
            raise InputError(
                f"{metric.id} has no closed form for ties=expected, and without item ids equal scores have no order; say ties='worst' or 'best', "
                "or 'order' (as rows stand)",
                f"{metric.id} 没有 ties=expected 的闭式解，而没有条目编号时相同分数没有先后；请指定 ties='worst' 或 'best'，或 'order'（按行的顺序）",
            )
