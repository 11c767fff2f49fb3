"""Lists with tables of items beside them, and every metric of items with each of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

import pingce as pc
from pingce.metrics.declared import registry
from pingce.metrics.parameters import Choice
from pingce.metrics.ranking.items import ItemMetric, PlainLists

KINDS: list[type[ItemMetric]] = [kind for kind in registry().values() if issubclass(kind, ItemMetric)]
NUMBERS: dict[str, Sequence[Any]] = {
    "share": (0.1, 0.5),
    "at_least": (2, "k"),
    "p": (0.5,),
    "smoothing": (0.25,),
    "group": ("Y",),
}
ALWAYS: dict[str, dict[str, Any]] = {"exposure": {"group": "X"}}
"A metric per group is asked for one."


def variants(kind: type[ItemMetric]) -> Iterator[ItemMetric]:
    """The metric with each parameter in turn at each of its other values."""
    for k in (1, 2, None):
        for options in [{}, *(deviations(kind) if k != 1 else ())]:
            try:
                yield kind.make(k=k, **{**ALWAYS.get(kind.name, {}), **options})
            except pc.InputError as problem:
                words = "said by of=" if kind.name == "user_coverage" and "lists" in options else "divides by k"
                assert words in str(problem)
                assert k is None or words == "said by of="


def deviations(kind: type[ItemMetric]) -> Iterator[dict[str, Any]]:
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        words = check.words if isinstance(check, Choice) else NUMBERS[parameter.name]
        yield from ({parameter.name: word} for word in words if word != parameter.default)


ALL = [metric for kind in KINDS for metric in variants(kind)]
ITEMS, USERS = "abcdefg", ("u1", "u2", "u3", "u10", "九")
LIST = st.lists(st.sampled_from(ITEMS), min_size=1, max_size=6, unique=True)


@st.composite
def worlds(draw: st.DrawFn) -> PlainLists:
    """A few users with lists, of whom some are judged, some have a past, and some items are in no table."""
    lists = draw(st.dictionaries(st.sampled_from(USERS), LIST, min_size=1))
    grades = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from([0.0, 1.0, 2.0]), min_size=1)
    truth = draw(st.dictionaries(st.sampled_from(USERS), grades, min_size=1))
    truth = {next(iter(lists)): {"a": 1.0}} | truth
    pairs = st.tuples(st.sampled_from((*USERS, "u0")), st.sampled_from(ITEMS[:5]))
    train = draw(st.lists(pairs, min_size=1, max_size=12))
    first = next(iter(lists.values()))[0]
    catalog = {first, *draw(st.sets(st.sampled_from(ITEMS[2:] + "xyz")))}
    shown = {lists[user][0] for user in truth if user in lists}
    kinds = {item: draw(st.sets(st.sampled_from("XYZ"), max_size=2)) for item in ITEMS[1:]}
    numbers = st.tuples(st.sampled_from([1.0, 2.0, -0.5]), st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 3.0]))
    vectors = {item: draw(numbers) for item in ITEMS[:6]}
    categories = {item: sorted(some) for item, some in kinds.items() if some} | {"g": ["X"]}
    reference = draw(st.dictionaries(st.sampled_from(USERS), LIST))
    reference = {next(iter(lists)): ["a", "b"], **reference}
    for user in truth:
        reference.setdefault(user, ["c"])
    groups = {item: draw(st.sampled_from("XYZ")) for item in draw(st.sets(st.sampled_from(ITEMS)))} | dict(
        zip("xyz", "XYZ", strict=True)
    )
    return PlainLists(lists, truth, train, sorted(catalog | shown), 1, categories, vectors, reference, groups)


def tables(world: PlainLists) -> dict[str, Any]:
    """The tables beside the lists, as a call takes them."""
    items = sorted({*world.categories, *world.vectors, *world.groups})
    facts = {
        "item": items,
        "category": [list(world.categories.get(item, ())) for item in items],
        "group": [world.groups.get(item) for item in items],
        "vector": [world.vectors.get(item) for item in items],
    }
    reference = {user: list(items) for user, items in world.reference.items()}
    catalog: Any = world.catalog
    return {"train": list(world.train), "catalog": list(catalog), "items": pa.table(facts), "reference": reference}


def data(world: PlainLists) -> tuple[Any, Any]:
    """Truth and run."""
    return dict(world.truth), {user: list(items) for user, items in world.lists.items()}
