"""scipy's bootstrap of all pairs of runs, a call a pair and metric, from the values of each query.

It draws fewer samples than are asked for; the times are those that all of them would take at the same pace.

python -m workers.scipy_stats WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys

import numpy as np
from samples import BOOTSTRAPS, SAMPLES, differences_of_runs
from scipy import stats

from workers.clock import Values, say, timed

MEASURED = 500
"Draws."
BATCH = 10
"Draws that scipy holds at once: the number with which it is fastest here."


def main() -> None:
    """Print the figures."""
    sample, calls, rows = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    names, differences = differences_of_runs(SAMPLES[sample](rows))

    def low(column: np.ndarray) -> float:
        found = stats.bootstrap((column,), np.mean, n_resamples=MEASURED, batch=BATCH, method="percentile", rng=0)
        return float(found.confidence_interval.low)

    def bootstrap() -> Values:
        return {name: low(column) for name, column in zip(names, differences.T, strict=True)}

    result = timed(bootstrap, calls)
    times = [seconds * BOOTSTRAPS / MEASURED for seconds in result["times_s"]]
    more = {"measured_draws": MEASURED, "scaled_to_draws": BOOTSTRAPS, "drawn": result.pop("values")}
    say({**result, **more, "times_s": times}, "scipy", "numpy")


if __name__ == "__main__":
    main()
