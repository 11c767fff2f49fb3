"""erfc, of which every p of a normal distribution is made: its bits are those of every machine."""

from __future__ import annotations

import math

import pytest

from pingce.base.erfc import erfc

FROZEN = (
    (0.0, "0x1.0000000000000p+0"),
    (0.1, "0x1.c66b42bb6099ap-1"),
    (0.3, "0x1.57be3bbf10af8p-1"),
    (0.7, "0x1.49ee7bdd1d374p-2"),
    (0.9, "0x1.9fee964dd7469p-3"),
    (1.2, "0x1.6f5a9c2697cc7p-4"),
    (1.3, "0x1.0e4daf646962ep-4"),
    (2.5, "0x1.aab859b20ac9ep-12"),
    (2.9, "0x1.58c1056c73872p-15"),
    (5.0, "0x1.b0c1a759f773ap-40"),
    (12.5, "0x1.1345b1de4a541p-230"),
    (26.0, "0x1.284bfe1cdea24p-981"),
    (28.0, "0x0.0p+0"),
    (math.inf, "0x0.0p+0"),
)


@pytest.mark.parametrize(("x", "bits"), FROZEN)
def test_bits(x: float, bits: str) -> None:
    assert erfc(x).hex() == bits


def test_it_is_erfc() -> None:
    for step in range(2600):
        x = step / 100
        assert erfc(x) == pytest.approx(math.erfc(x), rel=2e-15), x
    assert math.isnan(erfc(math.nan))
    assert erfc(27.9) == 0
    assert erfc(5e-324) == 1
