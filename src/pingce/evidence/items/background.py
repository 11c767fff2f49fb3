"""What is known of items from elsewhere: the past of users, and the items that could be shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Ints
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.directory import Directory
from pingce.evidence.items.features import Features
from pingce.evidence.items.past import Past
from pingce.evidence.items.reference_run import ReferenceRun
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.overlap import named_alike
from pingce.inputs.catalog import Catalog
from pingce.inputs.columns import Rows
from pingce.inputs.ids import Ids
from pingce.inputs.item_table import ItemTable
from pingce.tasks.ranking import BACKGROUND

if TYPE_CHECKING:
    from pingce.evidence.items.view import ItemView, Places


def refuse_absent_table(metric: str, tables: Sequence[str], present: Collection[str]) -> None:
    """Refuse a metric that reads a table of items which is not there."""
    for name in tables:
        if name in BACKGROUND and name not in present:
            raise InputError(
                f"{metric} needs {name}= (--{name}): {BACKGROUND[name].en}",
                f"{metric} 需要 {name}=（--{name}）：{BACKGROUND[name].zh}",
            )


@dataclass(frozen=True, eq=False)
class Background:
    """The tables that metrics of items read beside the lists; None for one that was not given."""

    train: Rows | None = None
    catalog: Catalog | None = None
    items: ItemTable | None = None
    reference: Rows | None = None
    policies: Policies = Policies()
    "Those that rows of the reference are under: the same as rows of the run."
    exclude: Rows | None = None
    "Pairs that are taken out of the reference, as they are out of the run."
    judged: Directory | None = None
    "The items that any query has judged, where a metric asks; they come from the truth."

    @property
    def present(self) -> list[str]:
        """The tables that were given."""
        return [name for name in BACKGROUND if getattr(self, name) is not None]

    def alike(self, run: Rows, exclude: Rows | None = None) -> Background:
        """These tables with ids of the kinds that the run has, as those of excluded pairs are already."""
        untyped = run.source.untyped_ids
        catalog = self.catalog
        train, reference = (_pairs_alike(rows, run) for rows in (self.train, self.reference))
        if catalog is not None and catalog.rows is not None:
            item = named_alike(catalog.rows, "item", run.item, untyped=untyped, side="run")
            catalog = replace(catalog, rows=replace(catalog.rows, query=item, item=item))
        items = self.items
        if items is not None:
            item = named_alike(items.rows, "item", run.item, untyped=untyped, side="run")
            items = replace(items, rows=replace(items.rows, query=item, item=item))
        return Background(train, catalog, items, reference, exclude=exclude)

    def under(self, policies: Policies) -> Background:
        """These tables, the reference among them under policies of rows."""
        if self.reference is None or policies.row_policies == self.policies.row_policies:
            return self
        return replace(self, policies=policies)

    @cached_property
    def past(self) -> Past:
        """The past of users; whoever asks has seen to it that there is one."""
        if self.train is None:
            raise ValueError("no train")
        return Past(self.train)

    @cached_property
    def _reference_run(self) -> ReferenceRun:
        if self.reference is None:
            raise ValueError("no reference")
        return ReferenceRun(self.reference, self.policies, self.exclude)

    def in_reference(self, display: ItemView, places: Places, depth: int) -> tuple[Ints, Ints]:
        """At which rank within so many the reference shows the item of each place for its query, 0 for none; and how long its lists are there."""
        run = self._reference_run
        tops = run.tops(depth, display.view.ties)
        user, item = tops.queries.find(display.view.evidence.queries), run.items.find(display.items)[places.item]
        wanted = np.where((item < 0) | (user[places.query] < 0), -1, user[places.query] * len(run.items) + item)
        length = np.append(tops.length, 0)[user]
        if not len(tops.key):
            return np.zeros(len(wanted), np.int64), length
        at = np.minimum(np.searchsorted(tops.key, wanted), len(tops.key) - 1)
        return np.where(tops.key[at] == wanted, tops.rank[at], 0), length

    def removed_from_reference(self, display: ItemView, depth: int) -> int:
        """Rows of the reference that policies took out before its lists were compared."""
        return self._reference_run.tops(depth, display.view.ties).removed

    @cached_property
    def features(self) -> Features:
        """Categories and vectors of items; whoever asks has seen to it that there are some."""
        if self.items is None:
            raise ValueError("no items")
        return Features(self.items)

    @cached_property
    def past_categories(self) -> tuple[Ints, Ints, Ints]:
        """How often each user chose each category, as `Past.categories` has it; for both tables there is somebody to see to."""
        return self.past.categories(self.features)

    @cached_property
    def _catalog_items(self) -> Directory | None:
        rows = None if self.catalog is None else self.catalog.rows
        return None if rows is None else Directory(rows.item)

    @cached_property
    def catalog_size(self) -> int:
        """How many items could be shown."""
        directory = self._catalog_items
        if directory is not None:
            return len(directory)
        size = None if self.catalog is None else self.catalog.size
        if size is None:
            raise ValueError("no catalogue")
        return size

    def in_catalog(self, items: Ids) -> NDArray[np.bool_]:
        """Which items could be shown: all, where only their number is known."""
        directory = self._catalog_items
        if directory is not None:
            inside: NDArray[np.bool_] = directory.find(items) >= 0
            return inside
        self._refuse_small(len(items))
        return np.ones(len(items), bool)

    def is_judged(self, items: Ids) -> NDArray[np.bool_]:
        """Which items any query has judged; whoever asks has seen to it that they are known."""
        if self.judged is None:
            raise ValueError("no judged items")
        inside: NDArray[np.bool_] = self.judged.find(items) >= 0
        return inside

    def refuse_strange(self, tables: Collection[str], items: Ids, queries: Ids) -> None:
        """Refuse tables that know nothing of what all lists show: their ids are other ids. Of some lists they may well."""
        if "catalog" in tables:
            self._refuse_strange_catalog(items)
        if (
            "reference" in tables
            and self.reference is not None
            and not (Directory(self.reference.query).find(queries) >= 0).any()
        ):
            raise InputError(
                "reference=: it has none of the queries of the run; give another run of the same queries",
                "reference=：其中没有预测的任何查询；请给出相同查询的另一个预测",
            )

    def _refuse_strange_catalog(self, items: Ids) -> None:
        if not len(items) or self.catalog is None or self.catalog.rows is None or self.in_catalog(items).any():
            return
        first = np.zeros(1, np.int64)
        ours, theirs = items.take(first).to_list()[0], self.catalog.rows.item.take(first).to_list()[0]
        raise InputError(
            f"catalog=: none of the {len(items)} items that lists show is in the catalogue (shown are such as {ours!r}, the catalogue has "
            f"such as {theirs!r}); give the ids that the run has",
            f"catalog=：列表展示的 {len(items)} 个条目都不在目录中（展示的如 {ours!r}，目录中的如 {theirs!r}）；请使用与预测相同的编号",
        )

    def _refuse_small(self, count: int) -> None:
        if count > self.catalog_size:
            raise InputError(
                f"catalog={self.catalog_size}: lists show {count} different items, more than there could be; give the number of all items "
                "that could be shown, or their ids",
                f"catalog={self.catalog_size}：列表展示了 {count} 个不同条目，多于目录的条目数；请给出可展示条目的总数，或其编号",
            )


_IDS = ("query", "item")


def _pairs_alike(rows: Rows | None, run: Rows) -> Rows | None:
    """Rows with ids of the kinds that the run has."""
    if rows is None:
        return None
    untyped = run.source.untyped_ids
    query, item = (named_alike(rows, part, getattr(run, part), untyped=untyped, side="run") for part in _IDS)
    return replace(rows, query=query, item=item)
