"""Batches are limited by rows for as long as a job runs, and by what the session had before and after."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pingce.spark.batches import MOST, limit_by_rows

pytest.importorskip("pyspark", reason="NO PYSPARK: nothing to limit")
ROWS, BYTES = (f"spark.sql.execution.arrow.max{what}PerBatch" for what in ("Records", "Bytes"))
NO_LIMIT = "2147483647"


@pytest.mark.parametrize("rows", ["10000", "0", "-1", "7", str(MOST)])
@pytest.mark.parametrize("size", ["67108864", NO_LIMIT])
def test_rows_are_limited_whatever_the_owner_set(rows: str, size: str) -> None:
    """No limit of bytes may be the owner's, too."""
    settings = {ROWS: rows, BYTES: size}
    session = SimpleNamespace(conf=SimpleNamespace(get=settings.__getitem__, set=settings.__setitem__))
    lifted = {ROWS: "7" if rows == "7" else str(MOST), BYTES: NO_LIMIT}
    with limit_by_rows(session):
        assert settings == lifted
        with limit_by_rows(session):
            assert settings == lifted
        assert settings == lifted
    assert settings == {ROWS: rows, BYTES: size}
