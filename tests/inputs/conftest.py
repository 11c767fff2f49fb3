"""Every way to parse and to rank: the native core, and the reference in plain Python."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from pingce.base.core import native_core


@pytest.fixture(params=["native"] if os.environ.get("PINGCE_TEST_NATIVE_ONLY") else ["native", "reference"])
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The test runs once with the native core and once without."""
    monkeypatch.setenv("PINGCE_NATIVE", "1" if request.param == "native" else "0")
    native_core.cache_clear()
    if request.param == "native" and native_core() is None:
        pytest.skip("no native core in this install")
    yield request.param
    native_core.cache_clear()
