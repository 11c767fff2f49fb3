"""The pytest plugin: `pingce_check(scores, min={…}, baseline="base.json", max_drop={…})` in a test, with what changed where it fails.

pytest loads it at its start, wherever pingce is installed: nothing of pingce is imported before a test asks for the fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from pingce.checks.result import CheckResult


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that writes baselines."""
    parser.getgroup("pingce").addoption(
        "--pingce-update",
        action="store_true",
        help="write the scores of each pingce_check over its baseline file, and check nothing against it",
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
        """Keywords are those of `pingce.check`; `baseline` and `checks` may be paths beside the test."""
        __tracebackhide__ = True
        import pingce

        for name in ("baseline", "checks"):
            if isinstance(rules.get(name), str):
                rules[name] = self.folder / rules[name]
        if self._is_file(rules.get("baseline")):
            self._settle(scores, rules["baseline"])
        result = pingce.check(scores, **{"changes": True, **rules})
        if not result.passed:
            pytest.fail(failure_text(result), pytrace=False)
        return result

    @staticmethod
    def _is_file(baseline: Any) -> bool:
        from pathlib import Path

        return isinstance(baseline, Path)

    def _settle(self, scores: Any, baseline: Path) -> None:
        """Write the baseline where that was asked for; a missing one is said with the way out."""
        __tracebackhide__ = True
        if self.update:
            from pingce.base.atomic import write_whole

            write_whole(baseline, (scores.to_json(per_query=True) + "\n").encode())
        elif not baseline.exists():
            from pingce.base.text import Text

            words = Text(
                f"there is no baseline {baseline}; write it with pytest --pingce-update, and commit it",
                f"没有基线 {baseline}；请用 pytest --pingce-update 写出，并提交到版本库",
            )
            pytest.fail(str(words), pytrace=False)


def failure_text(result: CheckResult) -> str:
    """What a reader of the test run sees: the verdict, the tables, the reasons, and who lost most."""
    from pingce.base.tables import draw

    tables = [draw(table, 4, fancy=False) for table in result.tables()]
    lines = [str(line) for line in (*result.reasons, *result.lost)]
    return "\n\n".join([f"pingce: {result.summary}", *tables, *(["\n".join(lines)] if lines else [])])
