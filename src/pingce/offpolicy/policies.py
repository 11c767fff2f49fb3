"""The policies of off-policy values."""

from __future__ import annotations

from typing import TypedDict

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Undefined
from pingce.evidence.policy_set import PolicySet, policy


class OffpolicyKeywords(TypedDict, total=False):
    """The policies of off-policy values as keywords."""

    undefined: Undefined | None


@dataclass(frozen=True)
class OffpolicyPolicies(PolicySet):
    """The policies of off-policy values."""

    task = "offpolicy"
    always = ("undefined",)
    keywords = OffpolicyKeywords

    undefined: Undefined = policy(
        "skip",
        Text("A value that is not defined.", "没有定义的值。"),
        Text(
            "a value that is not defined, such as snips where all weights are 0: by default NaN, `null` in JSON, – in tables, and counted",
            "没有定义的值，例如权重全为 0 时的 snips：默认为 NaN，JSON 中为 `null`，表格中为 –，并计数",
        ),
    )
