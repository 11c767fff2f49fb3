"""The steps of action.yml: find the baseline, evaluate and check, rewrite one comment. Only the standard library and the command pingce."""

from __future__ import annotations

import sys

from gate_baseline import find_baseline
from gate_check import check
from gate_comment import comment

STEPS = {"baseline": find_baseline, "check": check, "comment": comment}

if __name__ == "__main__":
    STEPS[sys.argv[1]]()
