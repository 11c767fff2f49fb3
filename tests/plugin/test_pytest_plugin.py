"""The pytest plugin: a fixture that judges, says what changed, and writes baselines."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]

TEST = """
import pingce as pc

TRUTH = {f"q{i}": {"a": 1, "b": 1} for i in range(12)}
GOOD = {query: ["a", "b", "c"] for query in TRUTH}
WORSE = {query: ["c", "a", "b"] if i < 10 else ["a", "b"] for i, query in enumerate(TRUTH)}

def scores(run):
    return pc.evaluate_ranking(TRUTH, run, ["mrr", "ndcg@10"])

def test_model(pingce_check):
    result = pingce_check(scores(RUN), min={"mrr": 0.1}, baseline="base.json", max_drop={"mrr": 0.01})
    assert result.passed
"""


def run(pytester: pytest.Pytester, code: str, *words: str) -> pytest.RunResult:
    """Run a test module in this process; the plugin is named, whether it is installed or not."""
    pytester.makepyfile(test_model=code)
    return pytester.runpytest_inprocess(
        "-p", "no:pingce", "-p", "pingce.pytest_plugin", "-p", "no:cacheprovider", *words
    )


def test_a_baseline_is_written_then_held_then_missed(pytester: pytest.Pytester) -> None:
    missing = run(pytester, TEST.replace("RUN", "GOOD"))
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*there is no baseline *base.json; write it with pytest --pingce-update*"])
    run(pytester, TEST.replace("RUN", "GOOD"), "--pingce-update").assert_outcomes(passed=1)
    saved = json.loads((pytester.path / "base.json").read_text())
    assert len(saved["per_query"]["query"]) == 12
    run(pytester, TEST.replace("RUN", "GOOD")).assert_outcomes(passed=1)
    worse = run(pytester, TEST.replace("RUN", "WORSE"))
    worse.assert_outcomes(failed=1)
    worse.stdout.fnmatch_lines(
        [
            "pingce: 1 of 2 checks failed",
            "metric *value *baseline *rule *margin *verdict",
            "mrr *0.5833 *1.0000 *drop ≤ 0.01 *failed",
            "metric *baseline *value *change *better on *worse on",
            "mrr *1.0000 *0.5833 *−0.4167 *0 *10",
            "ndcg@10 *1.0000 *0.*",
            "mrr of q0: 1.0000 → 0.5000",
        ]
    )
    assert "Traceback" not in worse.stdout.str()
    assert "test_model.py:1" not in worse.stdout.str()


def test_what_is_not_judged_fails_with_its_reason(pytester: pytest.Pytester) -> None:
    code = TEST.replace("RUN", "GOOD").replace('"mrr": 0.1', '"map": 0.1').replace('baseline="base.json", ', "")
    result = run(pytester, code.replace(', max_drop={"mrr": 0.01}', ""))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["pingce: 1 of 1 could not be judged", "map: these scores does not have it*"])


def test_the_plugin_imports_nothing_of_pingce_before_it_is_used() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import pingce.pytest_plugin; new = set(sys.modules) - before;"
        "print(sorted(name for name in new if not name.startswith('_')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = done.stdout
    assert "numpy" not in names
    assert "pyarrow" not in names
    assert "pingce.checks" not in names
    assert "pingce.api" not in names
