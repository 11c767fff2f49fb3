"""ranx's test of all pairs of runs, as its `compare` makes it, from the values of each query.

It draws fewer permutations than are asked for; the times are those that all of them would take at the same pace.

python -m workers.ranx_stats WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys

from ranx.statistical_tests import compute_statistical_significance
from samples import PERMUTATIONS, SAMPLES

from workers.clock import Values, say, timed

MEASURED = 100
"Permutations."


def main() -> None:
    """Print the figures."""
    sample, calls, rows = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    scores: dict[str, dict[str, object]] = {}
    for name, column in SAMPLES[sample](rows).items():
        run, _, metric = name.partition("/")
        scores.setdefault(run, {})[metric] = column

    def test() -> Values:
        compute_statistical_significance(list(scores), scores, stat_test="fisher", n_permutations=MEASURED)
        return {}

    result = timed(test, calls)
    times = [seconds * PERMUTATIONS / MEASURED for seconds in result["times_s"]]
    say({**result, "times_s": times, "measured_draws": MEASURED, "scaled_to_draws": PERMUTATIONS}, "ranx", "numba")


if __name__ == "__main__":
    main()
