"""Decisions that are all alike, and groups that are: numbers that say nothing about the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.errors import did_you_mean
from pingce.base.text import Text, counted
from pingce.evidence.policies import BinaryPolicies

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores


def alike(scores: BinaryScores) -> tuple[Text, ...]:
    """Cautions where a threshold lies above every score, or no group has both classes."""
    return (*_unreached_threshold(scores), *_single_class_groups(scores))


def _unreached_threshold(scores: BinaryScores) -> tuple[Text, ...]:
    """A caution for each threshold that no score reaches; scores that are no probabilities have their own sentence."""
    names: dict[BinaryPolicies, list[str]] = {}
    for value in scores.values_by_name.values():
        explicit = "threshold" in value.policies.explicit
        if value.metric.needs == "cells" and (explicit or scores.evidence.rows.are_probabilities):
            names.setdefault(value.policies, []).append(value.name)
    cells = {policies: scores.evidence.view(policies).cells for policies in names}
    unreached = [policies for policies, counts in cells.items() if counts.tp + counts.fp == 0]
    return tuple(_caution(scores, policies.threshold, names[policies]) for policies in unreached)


def _caution(scores: BinaryScores, threshold: float, names: list[str]) -> Text:
    highest = scores.evidence.rows.score_range[1]
    return Text(
        f"no row reaches the threshold {threshold:g} (the highest score is {highest:g}): every row is called negative, and "
        f"nothing of the model is left in {', '.join(names)}; choose threshold= (--threshold), or look at auc, pr_auc, best_f",
        f"没有一行达到阈值 {threshold:g}（最高分为 {highest:g}）：所有行都判为负，{'、'.join(names)} 说明不了模型；"
        "请用 threshold=（--threshold）选择阈值，或看 auc、pr_auc、best_f",
    )


def _single_class_groups(scores: BinaryScores) -> tuple[Text, ...]:
    """That every group has one class only, where GAUC was to be computed."""
    names = [name for name, value in scores.values_by_name.items() if value.unit == "groups" and not value.count]
    groups = scores.counts.get("groups")
    if not names or not groups or groups["scored"]:
        return ()
    count = groups["all"]
    return (
        Text(
            f"none of the {counted(count, 'group')} has both classes: {', '.join(names)} undefined; group= (--group) should be the user or the request, "
            "not the row",
            f"{count} 组中没有一组同时有两个类别：{'、'.join(names)} 没有定义；group=（--group）应为用户或请求，而不是行号",
        ),
    )


def unread_weights(scores: BinaryScores) -> tuple[Text, ...]:
    """A caution for each column of group_weight= that no metric names."""
    named = {name for value in scores.values_by_name.values() for name in value.metric.needed_columns()}
    return tuple(_unread(name, named) for name in scores.weight_columns if name not in named)


def _unread(name: str, named: set[str]) -> Text:
    hint = did_you_mean(name, sorted(named))
    return Text(
        f"group_weight has a column '{name}' that no metric reads; write gauc(by={name}), or leave it out{hint.en}",
        f"group_weight 中的列 '{name}' 没有指标读取；请写 gauc(by={name})，或不给出该列{hint.zh}",
    )
