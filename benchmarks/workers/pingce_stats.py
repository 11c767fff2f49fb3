"""pingce's tests and intervals of all pairs of runs, from the values of each query.

python -m workers.pingce_stats WORK SAMPLE CALLS ROWS
"""

from __future__ import annotations

import sys

from samples import BOOTSTRAPS, PERMUTATIONS, SAMPLES, differences_of_runs

from pingce.stats.means import mean_intervals
from pingce.stats.paired import paired_p
from pingce.stats.resampling import Resampling
from workers.clock import Values, say, timed


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, sample, calls, rows = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    names, differences = differences_of_runs(SAMPLES[sample](rows))

    def permutations() -> Values:
        return dict(zip(names, paired_p(differences, samples=PERMUTATIONS).tolist(), strict=True))

    def bootstrap() -> Values:
        return dict(
            zip(
                names,
                mean_intervals(differences, resampling=Resampling(samples=BOOTSTRAPS))[:, 0].tolist(),
                strict=True,
            )
        )

    result = timed({"permutations": permutations, "bootstrap": bootstrap}[work], calls)
    drawn = result.pop("values")
    say({**result, "drawn": drawn}, "pingce", "numpy", "scipy")


if __name__ == "__main__":
    main()
