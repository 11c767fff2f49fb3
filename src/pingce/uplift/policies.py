"""The policies of uplift."""

from __future__ import annotations

from typing import TypedDict

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Undefined
from pingce.evidence.policy_set import PolicySet, policy


class UpliftKeywords(TypedDict, total=False):
    """The policies of uplift as keywords."""

    undefined: Undefined | None


@dataclass(frozen=True)
class UpliftPolicies(PolicySet):
    """The policies of uplift."""

    task = "uplift"
    always = ("undefined",)
    keywords = UpliftKeywords

    undefined: Undefined = policy(
        "skip",
        Text("A value that is not defined.", "没有定义的值。"),
        Text(
            "a value that is not defined, such as uplift where no row was treated: by default NaN, `null` in JSON, – in tables, and counted",
            "没有定义的值，例如没有干预组时的增益：默认为 NaN，JSON 中为 `null`，表格中为 –，并计数",
        ),
    )
