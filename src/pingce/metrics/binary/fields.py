"""Calibration within fields: the values of a column, such as ads or positions, each by itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.fields import FieldEvidence
from pingce.metrics.binary.base import LabelledList
from pingce.metrics.binary.probabilities import ProbabilityMetric
from pingce.metrics.declared import NAN, About, Basis
from pingce.metrics.gaps import ColumnCheck
from pingce.metrics.parameters import choice, parameter

_USE = Text(
    "Advertising: a bid is right for this ad, this position, this advertiser, not in total.",
    "广告：出价要对这条广告、这个位置、这个广告主准，而不是总体准。",
)


@dataclass(frozen=True, kw_only=True)
class FieldMetric(ProbabilityMetric):
    """Base of the metrics of fields."""

    needs = "fields"
    example_form = Text("labels {}; scores {}; fields {}", "标签 {}；分数 {}；字段 {}")
    no_interval = Text(
        "every field adds a distance, which rows drawn anew make larger, the more the smaller fields are",
        "每个字段都贡献一个距离，对行重新抽样会使其变大，字段越小越明显",
    )

    by: str = parameter(
        "",
        ColumnCheck(),
        Text(
            "The column whose values are the fields; without it the groups of the call.",
            "字段所在的列；不写则为调用中的分组。",
        ),
    )

    def needed_columns(self) -> tuple[str, ...]:
        return (self.by,) if self.by else ()

    def field_columns(self) -> tuple[str, ...]:
        return self.needed_columns()

    def counted(self, fields: FieldEvidence) -> NDArray[np.bool_]:
        """The fields that count."""
        return np.ones(len(fields), bool)

    def errors(self, fields: FieldEvidence) -> Floats:
        """How far off each field is, as the metric measures it."""
        raise NotImplementedError

    def basis(self, view: BinaryView, *, undefined: bool) -> Basis:
        """The fields that it is a mean over, and those that are left out."""
        fields = view.fields(self.by)
        count = int(np.count_nonzero(self.counted(fields)))
        return Basis(count, "fields", len(fields) - count)


class FieldCalibrationError(FieldMetric):
    """Mean distance between predicted and observed positives, field by field: within a field errors cancel.

    field_ece = Σ_z |Σ_z (y − p)| / n                                                                      [pan2020]
    """

    name = "field_ece"
    title = Text("Field-level calibration error (Field-ECE)", "字段校准误差（Field-ECE）")
    about = About(
        Text("How far off are clicks within each field?", "每个字段之内，点击预估差多少？"),
        _USE,
        Text(
            "Rare fields add the noise of their few clicks; large ones hide small ones: look at field_rce and the table of the worst fields.",
            "稀少的字段带来少量点击的噪声；大字段会盖过小字段：同时看 field_rce 与最差字段表。",
        ),
        ("field_rce", "pcoc", "ece"),
        Text(
            "field u: |1 − 1.7| = 0.7, v: |1 − 0.8| = 0.2; (0.7 + 0.2) / 4 = 0.225",
            "字段 u：|1 − 1.7| = 0.7，v：|1 − 0.8| = 0.2；(0.7 + 0.2) / 4 = 0.225",
        ),
        groups=("u", "u", "v", "v"),
        higher_is_better=False,
        also=("字段校准", "Field-ECE", "分字段"),
    )

    def errors(self, fields: FieldEvidence) -> Floats:
        """|Σ (y − p)| / n of each field."""
        return np.asarray(np.abs(fields.excess) / fields.rows)

    def of_probabilities(self, view: BinaryView) -> float:
        fields = view.fields(self.by)
        return float(exact_sum(np.abs(fields.excess)) / _total(fields.rows))

    def define(self, rows: LabelledList) -> float:
        off = [abs(_excess(member)) for member in rows.members()]
        return float(sum(off, Fraction(0)) / (Fraction(rows.count(0)) + Fraction(rows.count(1))))


@dataclass(frozen=True, kw_only=True)
class FieldRelativeCalibrationError(FieldMetric):
    """Mean share by which the clicks of a field are over- or under-estimated, weighted by rows.

    field_rce = Σ_z n_z · |Σ_z (y − p)| / Σ_z y / Σ_z n_z over fields with clicks                          [pan2020]
    """

    name = "field_rce"
    title = Text("Field-level relative calibration error (Field-RCE)", "字段相对校准误差（Field-RCE）")
    formula_zh = "field_rce = Σ_z n_z · |Σ_z (y − p)| / Σ_z y / Σ_z n_z，只对有点击的字段求和"
    about = About(
        Text("By how many per cent are clicks off within each field?", "每个字段之内，点击预估偏差百分之几？"),
        _USE,
        Text(
            "Fields without clicks have no share and are left out, with their rows: see how many.",
            "没有点击的字段无从计算比例，连同其行一起不计入：请看计数。",
        ),
        ("field_ece", "pcoc"),
        Text(
            "field u: 2 · 0.7 / 1 = 1.4, v: 2 · 0.2 / 1 = 0.4; (1.4 + 0.4) / 4 = 0.45",
            "字段 u：2 · 0.7 / 1 = 1.4，v：2 · 0.2 / 1 = 0.4；(1.4 + 0.4) / 4 = 0.45",
        ),
        groups=("u", "u", "v", "v"),
        range="0 … ∞",
        higher_is_better=False,
        undefined=Text("no field has a positive row", "没有任何字段有正例"),
        also=("字段校准", "Field-RCE", "相对校准误差"),
    )

    zero: str = choice(
        Text("A field without a positive row.", "没有正例的字段。"),
        drop=Text("left out with its rows, and counted", "连同其行不计入，并如实计数"),
        keep=Text("adds nothing, and its rows are divided by", "不贡献误差，但其行计入分母"),
    )

    def counted(self, fields: FieldEvidence) -> NDArray[np.bool_]:
        return np.asarray(fields.positives > 0)

    def errors(self, fields: FieldEvidence) -> Floats:
        """|Σ (y − p)| / Σ y of each field; NaN without clicks."""
        out = np.full(len(fields), NAN)
        np.divide(np.abs(fields.excess), fields.positives, out=out, where=self.counted(fields))
        return out

    def of_probabilities(self, view: BinaryView) -> float:
        fields = view.fields(self.by)
        kept = self.counted(fields)
        if not kept.any():
            return NAN
        rows = fields.rows[kept].astype(np.float64)
        return float(exact_dot(self.errors(fields)[kept], rows) / _total(fields.rows if self.zero == "keep" else rows))

    def define(self, rows: LabelledList) -> float:
        total, count = Fraction(0), Fraction(0)
        for member in rows.members():
            size, positives = Fraction(member.count(0)) + Fraction(member.count(1)), Fraction(member.count(1))
            total += size * abs(_excess(member)) / positives if positives else 0
            count += size if positives or self.zero == "keep" else 0
        return float(total / count) if rows.count(1) else NAN


def _excess(rows: LabelledList) -> Fraction:
    """Σ (y − p)."""
    return sum((Fraction(weight) * (y - Fraction(score)) for y, score, weight in rows.rows()), Fraction(0))


def _total(rows: NDArray[np.generic]) -> Fraction:
    return exact_sum(rows.astype(np.float64))
