"""The pytest plugin: `pingce_check(scores, min={…}, baseline="base.json", max_drop={…})` in a test, with what changed where it fails.

pytest loads it at its start, wherever pingce is installed: nothing of pingce is imported before a test asks for the fixture.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pingce.checks.result import CheckResult


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that writes baselines."""
    parser.getgroup("pingce").addoption(
        "--pingce-update",
        action="store_true",
        help="write the scores of each pingce_check over its baseline file where the other rules pass, and check nothing against it",
    )


@pytest.fixture
def pingce_check(request: pytest.FixtureRequest) -> ModelCheck:
    """`pingce.check` as an assertion: the keywords are the same, and relative paths are those beside the test."""
    return ModelCheck(request.path.parent, update=bool(request.config.getoption("--pingce-update")))


class ModelCheck:
    """Judges scores, and fails the test with the rules, the changes and the queries that lost most."""

    def __init__(self, folder: Path, *, update: bool) -> None:
        self.folder, self.update = folder, update

    def __call__(self, scores: Any, **rules: Any) -> CheckResult:
        """Keywords are those of `pingce.check`; `scores`, `baseline` and `checks` may be paths beside the test."""
        __tracebackhide__ = True
        import pingce

        if isinstance(scores, (str, os.PathLike)):
            beside = self.folder / scores
            scores = beside if beside.exists() else Path(scores)
        for name in ("baseline", "checks"):
            if isinstance(rules.get(name), (str, os.PathLike)):
                rules[name] = self.folder / rules[name]
        written = rules.get("baseline") if self.update else None
        if isinstance(written, os.PathLike):
            rules["baseline"] = scores  # what will be written
        elif isinstance(rules.get("baseline"), os.PathLike):
            refuse_missing(Path(rules["baseline"]))
        result = pingce.check(scores, **{"changes": True, **rules})
        if not result.passed and not (written is not None and only_untested(result)):
            pytest.fail(failure_text(result), pytrace=False)
        if isinstance(written, os.PathLike):
            write_baseline(scores, Path(written))
        return result


def refuse_missing(baseline: Path) -> None:
    """A missing baseline is said with the way out."""
    __tracebackhide__ = True
    if not baseline.exists():
        from pingce.base.text import Text

        words = Text(
            f"there is no baseline {baseline}; write it with pytest --pingce-update, and commit it",
            f"没有基线 {baseline}；请用 pytest --pingce-update 写出，并提交到版本库",
        )
        pytest.fail(str(words), pytrace=False)


def only_untested(result: CheckResult) -> bool:
    """Whether all that did not pass is a comparison of the scores with themselves that could not be tested."""
    from pingce.checks.rules import OF_BASELINE

    untested = (row.passed is None and row.kind in OF_BASELINE and row.value is not None for row in result.rows)
    return all(row.passed or is_untested for row, is_untested in zip(result.rows, untested, strict=True))


def write_baseline(scores: Any, baseline: Path) -> None:
    """One document, or those of several models, with the value of each query; saved scores as they are."""
    __tracebackhide__ = True
    from pingce.base.atomic import write_whole
    from pingce.base.tables import to_json
    from pingce.base.text import Text
    from pingce.scores.base import Scores
    from pingce.scores.tables import documents

    if isinstance(scores, os.PathLike):
        content = Path(scores).read_bytes()
    elif isinstance(scores, Scores):
        content = (scores.to_json(per_query=True) + "\n").encode()
    elif isinstance(scores, Mapping) and "schema_version" in scores:
        content = (to_json(scores) + "\n").encode()
    elif isinstance(scores, Mapping) and all(isinstance(each, Scores) for each in scores.values()):
        content = (to_json(documents(scores, per_query=True)) + "\n").encode()
    else:
        words = Text(
            f"--pingce-update cannot write {type(scores).__name__}; give scores, a dict of models, or the path of saved scores",
            f"--pingce-update 无法写出 {type(scores).__name__}；请给出分数、模型字典，或已保存分数的路径",
        )
        pytest.fail(str(words), pytrace=False)
    write_whole(baseline, content)


def failure_text(result: CheckResult) -> str:
    """What a reader of the test run sees: the verdict, the tables, the reasons, and who lost most."""
    from pingce.base.tables import draw

    tables = [draw(table, 4, fancy=False) for table in result.tables()]
    lines = [str(line) for line in (*result.reasons, *result.lost)]
    return "\n\n".join([f"pingce: {result.summary}", *tables, *(["\n".join(lines)] if lines else [])])
