"""Shared by all tests: Hypothesis profiles, and a promise that the native core is there when it must be."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pingce.base.text import use_language

settings.register_profile(
    "default", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=int(os.environ.get("PINGCE_TEST_EXAMPLES", "200")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def english() -> None:
    """Messages are compared in English unless a test chooses otherwise."""
    use_language("en")


@pytest.fixture(autouse=True)
def interruptible() -> None:
    """Ctrl-C raises and a lost terminal ends, also in children: who started the tests may have them ignored (nohup)."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.hookimpl(hookwrapper=True)
def pytest_collection() -> Iterator[None]:
    """Fifteen thousand tests are no garbage: nobody looks for it among them, now or later."""
    gc.disable()
    yield
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is deep says why, and what is drawn draws what the profile says, or more."""
    for item in items:
        if "torch " in item.nodeid:  # a case of a test whose others need nothing
            item.add_marker(pytest.mark.deep("torch is large, and takes as long to import as a hundred tests"))
        if (mark := item.get_closest_marker("deep")) is not None and not mark.args:
            raise pytest.UsageError(f"{item.nodeid} is deep without a reason: pytest.mark.deep('why')")
        chosen = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
        if chosen is not None and chosen.max_examples < settings().max_examples:
            raise pytest.UsageError(
                f"{item.nodeid} draws fewer examples than the profile: drawn.at_least raises, never lowers"
            )


# What a test's name holds that needs something heavy, and what that is; or that others have computed before.
_TOGETHER = {
    "tests/browser/": "browser",
    "tests/spark/": "cluster",
    "ensors": "torch",
    "torch ": "torch",
    "tests/training/test_torch": "torch",
    "tests/conformance/test_conventions.py": "numbers of all tools",
    "tests/docs/": "generated pages",
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One process has the cluster, one the browser, one imports torch; all cases of any other test go where there is room.

    One case at a time would have the scheduler count what it has dealt, twelve thousand times.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByPlace(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            places = (place for part, place in _TOGETHER.items() if part in nodeid)
            return next(places, nodeid.partition("[")[0])

    return ByPlace(config, log)
