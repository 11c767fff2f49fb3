"""The pytest plugin: a fixture that judges, says what changed, and writes baselines."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import pingce as pc

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


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    """What a check imports, before pytester forgets what a run inside it has imported: NumPy cannot be loaded twice."""
    scores = pc.evaluate_ranking({str(at): {"a": 1} for at in range(9)}, {"1": ["a"]}, ["mrr"])
    pc.check(scores, baseline=scores, non_inferior={"mrr": 0.1})


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
    result.stdout.fnmatch_lines(
        ["pingce: 1 of 1 could not be judged", "map: no such metric in these scores; there are *"]
    )


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


def test_a_baseline_is_written_of_several_models_and_of_saved_scores(pytester: pytest.Pytester) -> None:
    code = TEST.replace("scores(RUN)", '{"one": scores(GOOD), "two": scores(WORSE)}')
    code = code.replace(
        '"base.json"', '__import__("pathlib").Path("base.json")'
    )  # beside the test, whatever it is run in
    pytester.mkdir("elsewhere")
    test = pytester.makepyfile(test_model=code)
    words = ["-p", "no:pingce", "-p", "pingce.pytest_plugin", "-p", "no:cacheprovider", str(test)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(pytester.path / "elsewhere")
        pytester.runpytest_inprocess(*words, "--pingce-update").assert_outcomes(passed=1)
        pytester.runpytest_inprocess(*words).assert_outcomes(passed=1)
    saved = json.loads((pytester.path / "base.json").read_text())
    assert [each["run"] for each in saved["runs"]] == ["one", "two"]
    (pytester.path / "scores.json").write_text(json.dumps(saved["runs"][0]))
    run(pytester, TEST.replace("scores(RUN)", '"scores.json"'), "--pingce-update").assert_outcomes(passed=1)
    assert json.loads((pytester.path / "base.json").read_text()) == saved["runs"][0]
    other = run(pytester, TEST.replace("scores(RUN)", 'pc.read_scores("scores.json")'), "--pingce-update")
    other.assert_outcomes(failed=1)
    other.stdout.fnmatch_lines(["--pingce-update cannot write SavedScores; give scores, *"])


def test_scores_below_a_floor_do_not_become_the_baseline(pytester: pytest.Pytester) -> None:
    run(pytester, TEST.replace("RUN", "GOOD"), "--pingce-update").assert_outcomes(passed=1)
    before = (pytester.path / "base.json").read_bytes()
    low = TEST.replace("RUN", "WORSE").replace('"mrr": 0.1', '"mrr": 0.9')
    run(pytester, low, "--pingce-update").assert_outcomes(failed=1)
    assert (pytester.path / "base.json").read_bytes() == before
    few = TEST.replace("range(12)", "range(2)").replace("RUN", "WORSE").replace("max_drop", "non_inferior")
    run(pytester, few, "--pingce-update").assert_outcomes(failed=1)  # its own assertion: nothing was proved yet
    assert (pytester.path / "base.json").read_bytes() != before
