"""scikit-uplift on outcomes, treatments and scores in memory.

python -m workers.scikit_uplift WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys

from samples import SAMPLES
from sklift.metrics import qini_auc_score

from workers.clock import Values, say, timed


def main() -> None:
    """Print the figures."""
    sample, calls, rows = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    columns = SAMPLES[sample](rows)

    def qini() -> Values:
        return {"qini": float(qini_auc_score(columns["y_true"], columns["y_score"], columns["treatment"]))}

    say(timed(qini, calls), "scikit-uplift", "scikit-learn", "numpy")


if __name__ == "__main__":
    main()
