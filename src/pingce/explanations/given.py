"""What `pingce.explain` was given: its rows, and the explanation of a metric over them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, did_you_mean
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.explanations.derivation import Explanation
from pingce.explanations.tasks import MARKS
from pingce.metrics.grammar import MetricRequest

if TYPE_CHECKING:
    from pingce.inputs import Rows
    from pingce.inputs.vectors import Vector


@dataclass(frozen=True, eq=False)
class Given:
    """The arguments that hold data."""

    truth: Any = None
    prediction: Any = None
    query: str | int | None = None
    grades: Sequence[float | None] | None = None
    judged: Sequence[float] | None = None
    data: Any = None
    group: Any = None
    weight: Any = None
    group_weight: Mapping[str, Any] | None = None
    positive: Any = None
    proba: Any = None
    classes: Iterable[Any] | None = None
    of_class: Any = None
    of_group: Any = None
    exclude: Any = None
    columns: Mapping[str, str | int] | None = None
    input_format: str | None = None
    encoding: str | None = None
    threads: int | None = None
    queries: Any = None
    items: Any = None
    named: tuple[str, ...] = ()
    "Names under which truth and prediction were given, where these say something about the task."

    def said(self) -> list[str]:
        """The arguments that say something about the task."""
        own = [one.name for one in fields(self) if one.name in MARKS and getattr(self, one.name) is not None]
        return [*self.named, *own]

    def explained(self, task: str, asked: MetricRequest, policies: Any) -> Explanation:
        """The explanation of a metric under some policies."""
        if task == "ranking":
            return self._ranking(asked, policies)
        if task == "binary":
            from pingce.explanations.binary.base import explain_binary

            found = explain_binary(self._binary_rows(asked), asked, policies)
            return found if self.of_group is None else _of_group(found, self.of_group)
        if task == "multiclass":
            from pingce.explanations.multiclass.base import explain_multiclass

            return explain_multiclass(self._class_rows, asked, policies, of_class=self.of_class)
        from pingce.explanations.regression.base import explain_regression

        return explain_regression(self._number_rows, asked, policies)

    def _ranking(self, asked: MetricRequest, policies: Any) -> Explanation:
        from pingce.explanations.ranking.base import explain_ranking

        truth, run, exclude = self._ranking_rows
        return explain_ranking(
            truth,
            run,
            asked,
            policies,
            query=self.query,
            exclude=exclude,
            threads=self.threads,
            named=self.grades is None,
        )

    @cached_property
    def _ranking_rows(self) -> tuple[Rows, Rows, Rows | None]:
        from pingce.inputs import read_excluded, read_run, read_truth

        if self.grades is not None:
            return bare_list(self.grades, self.judged)
        if self.truth is None or self.prediction is None:
            raise InputError(
                "explain needs data: qrels, a run and query=, or grades=[…] in ranked order",
                "讲解需要数据：qrels、预测与 query=，或按名次给出的 grades=[…]",
            )
        reading: dict[str, Any] = {
            "columns": self.columns,
            "input_format": self.input_format,
            "encoding": self.encoding,
            "threads": self.threads,
            "queries": self.queries,
            "items": self.items,
        }
        exclude = None if self.exclude is None else read_excluded(self.exclude, **reading)
        return read_truth(self.truth, **reading), read_run(self.prediction, **reading), exclude

    def _columns(self, **numbers: Any) -> dict[str, Any]:
        from pingce.inputs.predictions import chosen

        if self.truth is None or (self.prediction is None and self.proba is None):
            raise InputError(
                "explain needs data: what is true and what was predicted",
                "讲解需要数据：真值与预测",
            )
        wanted = {"y_true": self.truth, numbers.pop("called"): self.prediction, "weight": self.weight}
        return chosen(
            self.data,
            wanted | numbers.pop("more", {}),
            **numbers,
            input_format=self.input_format,
            encoding=self.encoding,
        )[0]

    def _binary_rows(self, asked: MetricRequest) -> Any:
        from pingce.inputs.binary import binary_rows

        more = dict(self.group_weight or {})
        named = [name for name in asked.metric.needed_columns() if name not in more]
        columns = self._columns(called="y_score", more={"group": self.group} | {f"by.{name}": name for name in named})
        if self.of_group is not None:
            columns, more = _rows_of_group(self.of_group, columns, more)
        return binary_rows(
            columns["y_true"],
            columns["y_score"],
            group=columns["group"],
            weight=columns["weight"],
            positive=self.positive,
            group_weight=more | {name: columns[f"by.{name}"] for name in named if f"by.{name}" in columns},
        )

    @cached_property
    def _class_rows(self) -> Any:
        from pingce.inputs.multiclass import class_rows

        columns = self._columns(called="y_pred")
        return class_rows(
            columns["y_true"], columns["y_pred"], proba=self.proba, labels=self.classes, weight=columns["weight"]
        )

    @cached_property
    def _number_rows(self) -> Any:
        from pingce.inputs.regression import number_rows

        columns = self._columns(called="y_pred", numbers=("y_true", "y_pred", "weight"))
        return number_rows(columns["y_true"], columns["y_pred"], columns["weight"])


def _of_group(found: Explanation, group: Any) -> Explanation:
    words = Text(f"group '{group}': {found.subject.en}", f"分组 '{group}'：{found.subject.zh}")
    return replace(found, subject=words)


def _rows_of_group(
    wanted: Any, columns: Mapping[str, Any], more: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns at the rows of one group."""
    import numpy as np

    from pingce.inputs.vectors import same_length, vector

    if columns["group"] is None:
        raise InputError(
            "of_group= needs the groups: give group= or --group too", "of_group= 需要分组：请同时给出 group= 或 --group"
        )
    given = {name: vector(column, name) for name, column in columns.items() if column is not None}
    others = {name: vector(column, name) for name, column in more.items()}
    same_length(*given.values(), *others.values())
    names = _names(given["group"])
    rows = np.array([at for at, name in enumerate(names) if str(name) == str(wanted)], dtype=np.intp)
    if not len(rows):
        hint = did_you_mean(str(wanted), dict.fromkeys(map(str, names[:10_000])))
        raise InputError(f"there is no group '{wanted}'{hint.en}", f"没有分组 '{wanted}'{hint.zh}")

    def taken(some: Mapping[str, Vector]) -> dict[str, Any]:
        return {name: column.take(rows) for name, column in some.items()}

    return {**columns, **taken(given)}, taken(others)


def _names(groups: Vector) -> list[Any]:
    values = groups.values
    found: list[Any] = values.tolist() if groups.is_array else values.to_pylist()
    return found


def bare_list(grades: Sequence[float | None], judged: Sequence[float] | None = None) -> tuple[Rows, Rows, None]:
    """A query whose list has these grades, and judged items that were not returned where more are given."""
    from pingce.inputs import read_run, read_truth
    from pingce.lists import grades_given

    ranked = grades_given(grades, "grades")
    known = [grade for grade in ranked if grade is not None]
    every = known if judged is None else [grade for grade in grades_given(judged, "judged") if grade is not None]
    if Counter(grade for grade in known if grade > 0) - Counter(every):
        raise InputError(
            "judged must hold the grades of all judged items, those of the ranked list among them",
            "judged 须包含全部已标注条目的等级，排序列表中的也在内",
        )
    if not ranked or not (known or every):
        raise InputError(
            "grades must hold at least one number: the grades of the items, from the top",
            "grades 至少要有一个数：从第 1 位起各条目的等级",
        )
    absent = (Counter(every) - Counter(known)).elements()
    truth = {place: grade for place, grade in enumerate(ranked, 1) if grade is not None}
    truth |= dict(enumerate(absent, len(ranked) + 1))
    return read_truth({1: truth}), read_run({1: list(range(1, len(ranked) + 1))}), None
