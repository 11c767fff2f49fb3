"""What decisions cost: at the threshold of the page, and least, at the prices of the metrics that were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.html.markup import cell, head, model_names, num, row, table, tag, text, title_cell
from pingce.html.plain import number
from pingce.metrics.binary.costs import BestCost, Cost, CostThreshold

if TYPE_CHECKING:
    from pingce.html.material import Material
    from pingce.scores.binary import BinaryScores


@dataclass(frozen=True)
class Price:
    """What a false positive and a false negative cost."""

    fp: float
    fn: float

    @property
    def name(self) -> str:
        """As the command line writes it."""
        return f"fp={self.fp:g},fn={self.fn:g}"

    def place(self, scores: BinaryScores) -> int | None:
        """The place of the threshold that costs least among the distinct scores; None where calling nothing positive does."""
        place = CostThreshold(fp=self.fp, fn=self.fn).place(scores.evidence.thresholds)
        return place - 1 if place else None

    def least(self, scores: BinaryScores) -> float:
        """The least cost per row."""
        return BestCost(fp=self.fp, fn=self.fn).value(scores.view)

    def of_cells(self, cells: Json) -> float:
        """The cost per row of a decision."""
        total: float = cells["tp"] + cells["fp"] + cells["tn"] + cells["fn"]
        cost: float = self.fp * cells["fp"] + self.fn * cells["fn"]
        return cost / total


def prices_of(material: Material) -> list[Price]:
    """The prices that the metrics of a page name, each once."""
    metrics = (value.metric for value in material.first.values_by_name.values())
    return list(dict.fromkeys(Price(each.fp, each.fn) for each in metrics if isinstance(each, (Cost, BestCost))))


def cost_data(scores: Mapping[str, BinaryScores], prices: Sequence[Price], presets: Sequence[Json]) -> list[Json]:
    """By price: the least cost of each model, and where; `at` is its place among the thresholds of the page."""
    return [
        {
            "name": price.name,
            "fp": price.fp,
            "fn": price.fn,
            "models": [
                {
                    "least": price.least(model),
                    "threshold": _threshold(price, model),
                    "at": places.get(price.name),
                }
                for model, places in zip(scores.values(), presets, strict=True)
            ],
        }
        for price in prices
    ]


def _threshold(price: Price, scores: BinaryScores) -> float | None:
    place = price.place(scores)
    return None if place is None else number(float(scores.evidence.thresholds.score[place]))


def draw_costs(data: Json, cells: Sequence[Json]) -> str:
    """A row per price and model: the cost at the threshold of the call, the least one, and where it is."""
    costs = data["threshold"].get("costs", ())
    rows = [
        row(
            title_cell(model),
            cell(tag("code", price["name"])),
            num(Price(price["fp"], price["fn"]).of_cells(at)),
            num(best["least"]),
            _where(best["threshold"]),
            data_price=str(place),
            data_of=str(number),
        )
        for place, price in enumerate(costs)
        for number, (model, best, at) in enumerate(zip(model_names(data), price["models"], cells, strict=True))
    ]
    titles = [head(key) for key in ("model", "prices", "cost", "least_cost", "least_at")]
    return table("costs", titles, rows, labels=2) if rows else ""


def _where(threshold: float | None) -> str:
    """The score from which rows are called positive."""
    if threshold is None:
        return cell(text(Text("call nothing positive", "一律判为负")), kind="num")
    return num(threshold, f"≥ {threshold:.6g}")
