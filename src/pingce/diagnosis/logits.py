"""Scores that are no probabilities: what a threshold made for probabilities does to them, and what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

_ROUNDING = 0.01
"Scores that are less far below 0 are probabilities gone astray, not logits."


def improbable(scores: BinaryScores) -> tuple[Text, ...]:
    """Cautions where scores lie outside [0, 1]: a threshold of 0.5 that nobody chose, and usual metrics left out."""
    if scores.evidence.rows.are_probabilities:
        return ()
    return (*_unchosen_threshold(scores), *_left_out(scores))


def _unchosen_threshold(scores: BinaryScores) -> tuple[Text, ...]:
    """What the usual threshold decides; nothing where one was chosen, or where no metric needs it."""
    deciding = [value for value in scores.values_by_name.values() if value.metric.needs == "cells"]
    values = [value for value in deciding if "threshold" not in value.policies.explicit]
    if not values:
        return ()
    cells = scores.evidence.view(values[0].policies).cells
    total, count = _number(cells.total), _number(cells.tp + cells.fp)
    unit = Text("rows", "行") if scores.evidence.rows.weight is None else Text("of the weight", "总权重")
    sign = "≥" if values[0].policies.compare == "ge" else ">"
    names = _listed([value.name for value in values])
    about, remedy = _range(scores), _remedy(scores)
    return (
        Text(
            f"{about.en}, and {names.en} took the usual threshold: score {sign} 0.5 calls {count} of {total} {unit.en} "
            f"positive; {remedy.en}",
            f"{about.zh}，而 {names.zh} 用了通常的阈值：按分数 {sign} 0.5，{total} {unit.zh}中有 {count} 判为正；{remedy.zh}",
        ),
    )


def _left_out(scores: BinaryScores) -> tuple[Text, ...]:
    """Usual metrics that need probabilities."""
    if not scores.left_out:
        return ()
    about, names = _range(scores), _listed(scores.left_out)
    return (
        Text(
            f"left out of the usual metrics, since probabilities are needed: {names.en}; {about.en}: give probabilities (of "
            "logits, the sigmoid), or name the metrics",
            f"通常的指标中略去了 {names.zh}，因为需要概率；{about.zh}：请给出概率（若为 logit，取 sigmoid），或指明指标",
        ),
    )


def _range(scores: BinaryScores) -> Text:
    low, high = scores.evidence.rows.score_range
    logits = Text("no probabilities: they look like logits", "不是概率，像是 logit")
    kind = logits if _look_like_logits(scores) else Text("no probabilities", "不是概率")
    ends = f"{_score(low)}", f"{_score(high)}"
    return Text(f"the scores go from {ends[0]} to {ends[1]} ({kind.en})", f"分数从 {ends[0]} 到 {ends[1]}（{kind.zh}）")


def _look_like_logits(scores: BinaryScores) -> bool:
    return scores.evidence.rows.score_range[0] < -_ROUNDING


def _score(value: float) -> str:
    """Few digits; all of them where few would say a probability of what is none."""
    value += 0.0  # 0 has no sign here
    short = f"{value:g}"
    return repr(value) if 0 <= float(short) <= 1 and not 0 <= value <= 1 else short


def _remedy(scores: BinaryScores) -> Text:
    """Ways out: of logits the threshold that stands for one half is known."""
    if _look_like_logits(scores):
        return Text(
            "for logits say threshold=0 (--threshold 0), or give probabilities (their sigmoid)",
            "若为 logit，请用 threshold=0（--threshold 0），或给出概率（取 sigmoid）",
        )
    return Text(
        "say which threshold is meant with threshold= (--threshold), or give probabilities",
        "请用 threshold=（--threshold）指明阈值，或给出概率",
    )


def _listed(names: Any) -> Text:
    return Text(", ".join(names), "、".join(names))


def _number(count: Any) -> str:
    return f"{int(count)}" if int(count) == count else f"{float(count):g}"
