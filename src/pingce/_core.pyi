"""
The native core of pingce: text to columns, columns to evidence. It knows no metric.
"""

import enum
from collections.abc import Sequence
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from pingce import _core

class Duplicates(enum.Enum):
    error = 0

    first = 1

    last = 2

    best = 3

class NotANumber(enum.Enum):
    error = 0

    last = 1

    first = 2

    drop = 3

def ranking_evidence(
    truth_query: list[tuple[Any, ...]],
    truth_item: list[tuple[Any, ...]],
    grades: NDArray[numpy.float64],
    run_query: list[tuple[Any, ...]],
    run_item: list[tuple[Any, ...]],
    scores: NDArray[numpy.float64],
    excluded_query: list[tuple[Any, ...]],
    excluded_item: list[tuple[Any, ...]],
    duplicates: Duplicates,
    nan: NotANumber,
    depth: int,
    threads: int,
) -> dict[str, Any]: ...
def take(
    pieces: list[tuple[Any, ...]], rows: NDArray[numpy.int64]
) -> NDArray[numpy.int64] | tuple[NDArray[numpy.uint8], NDArray[numpy.int64]]: ...
def first_empty(pieces: list[tuple[Any, ...]], threads: int) -> int | None: ...
def list_places(
    query: list[tuple[Any, ...]],
    item: list[tuple[Any, ...]],
    scores: NDArray[numpy.float64],
    excluded_query: list[tuple[Any, ...]],
    excluded_item: list[tuple[Any, ...]],
    duplicates: Duplicates,
    nan: NotANumber,
    depth: int,
    threads: int,
) -> dict[str, Any]: ...
def number_table(values: NDArray[numpy.int64], low: int, size: int) -> NDArray[numpy.int32]: ...
def look_up(values: NDArray[numpy.int64], low: int, table: NDArray[numpy.int32]) -> NDArray[numpy.int64]: ...

class PairIndex:
    def __init__(self, group: NDArray[numpy.int64], item: NDArray[numpy.int64], groups: int, items: int) -> None: ...
    def owners(self) -> NDArray[numpy.int64]: ...
    def has(self, group: NDArray[numpy.int64], item: NDArray[numpy.int64]) -> NDArray[numpy.uint8]: ...

class TextFault(enum.IntEnum):
    none = 0

    few_fields = 1

    many_fields = 2

    not_a_number = 3

    carriage_return = 4

    row_or_comment = 5

def parse_text(
    bytes: NDArray[numpy.uint8],
    query: int,
    item: int,
    value: int,
    fields: int,
    exact: bool,
    threads: int,
    within: bool = False,
) -> dict[str, Any]: ...

class EarlyText:
    def __init__(
        self, handle: int, size: int, query: int, item: int, value: int, fields: int, exact: bool, threads: int
    ) -> None: ...
    def bytes(self) -> NDArray[numpy.uint8] | None: ...
    def is_ascii(self, bytes: NDArray[numpy.uint8]) -> bool: ...
    def is_of(
        self, bytes: NDArray[numpy.uint8], query: int, item: int, value: int, fields: int, exact: bool
    ) -> bool: ...
    def columns(self) -> dict[str, Any]: ...

def row_losses(
    positive: NDArray[numpy.uint8], scores: NDArray[Any], epsilon: float, threads: int
) -> NDArray[numpy.float64]: ...
def drawn_sums(
    starts: NDArray[numpy.int64],
    cells: NDArray[numpy.uint32],
    amounts: NDArray[numpy.int64],
    cell_count: int,
    draws: tuple[int, int, int],
    threads: int,
) -> NDArray[numpy.int64]: ...

class Factors:
    def __init__(
        self, users: NDArray[Any], items: NDArray[Any], columns: list[Any], is_wide: bool, apart: bool, rounds: bool
    ) -> None: ...
    def scores(
        self,
        users: NDArray[numpy.int64],
        begin: NDArray[numpy.int64],
        items: NDArray[numpy.int64],
        threads: int,
        level: int,
    ) -> object: ...
    def counts(
        self,
        users: NDArray[numpy.int64],
        begin: NDArray[numpy.int64],
        items: NDArray[numpy.int64],
        threads: int,
        level: int,
    ) -> dict[str, Any]: ...
    def heads(
        self,
        users: NDArray[numpy.int64],
        begin: NDArray[numpy.int64],
        excluded: NDArray[numpy.int64],
        depth: int,
        threads: int,
        level: int,
    ) -> dict[str, Any]: ...

def row_counts(
    scores: NDArray[Any],
    users: NDArray[numpy.int64],
    begin: NDArray[numpy.int64],
    items: NDArray[numpy.int64],
    order: NDArray[numpy.int64],
    threads: int,
) -> dict[str, Any]: ...
def factor_levels() -> list[str]: ...
def group_pairs(
    groups: list[tuple[Any, ...]],
    positive: NDArray[numpy.uint8],
    scores: NDArray[Any],
    weights: NDArray[numpy.float64],
    epsilon: float,
    column: NDArray[numpy.float64],
    threads: int,
) -> dict[str, Any]: ...
def twice_concordant(positive: NDArray[numpy.uint8], scores: NDArray[Any], threads: int) -> tuple[int, int]: ...
def tabulate(
    positive: NDArray[numpy.uint8], scores: NDArray[Any], threads: int
) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
def tabulate_flags(
    first: NDArray[numpy.uint8], second: NDArray[numpy.uint8], scores: NDArray[Any], threads: int
) -> tuple[NDArray[Any], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]: ...
def tabulate_weights(
    positive: NDArray[numpy.uint8], scores: NDArray[Any], weights: NDArray[numpy.float64], threads: int
) -> tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.float64], tuple[int, int]]: ...
def merge_tables(
    score: NDArray[Any],
    true_positives: NDArray[numpy.int64],
    false_positives: NDArray[numpy.int64],
    other_score: NDArray[Any],
    other_true_positives: NDArray[numpy.int64],
    other_false_positives: NDArray[numpy.int64],
    threads: int,
) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
def join_tables(
    tables: Sequence[tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64]]], threads: int
) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
def probability_sums(
    positive: NDArray[numpy.uint8],
    scores: NDArray[Any],
    weights: NDArray[numpy.float64],
    epsilon: float,
    bins: int,
    threads: int,
    loss: bool = True,
) -> dict[str, Any]: ...
def weight_cells(
    positive: NDArray[numpy.uint8],
    scores: NDArray[Any],
    weights: NDArray[numpy.float64],
    threshold: float,
    reach: bool,
    threads: int,
) -> list[list[tuple[int, int, int]]]: ...
def weight_sums(
    positive: NDArray[numpy.uint8], weights: NDArray[numpy.float64], threads: int
) -> list[list[tuple[int, int, int]]]: ...
def error_sums(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int, names: Sequence[str] = ...
) -> dict[str, Any]: ...
def largest_error(truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int) -> float | None: ...
def squared_log_errors(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
) -> list[tuple[int, int, int]] | None: ...
def log_errors(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
) -> NDArray[numpy.float64]: ...
def log_cosh(errors: NDArray[numpy.float64], threads: int) -> NDArray[numpy.float64]: ...
def deviances(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], power: float, threads: int
) -> NDArray[numpy.float64]: ...
def middle_errors(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
) -> tuple[float, float]: ...
def mid_ranks(values: NDArray[numpy.float64], threads: int) -> NDArray[numpy.float64]: ...
def exact_total(a: NDArray[numpy.float64], b: NDArray[numpy.float64], threads: int) -> list[tuple[int, int, int]]: ...
def pool(
    positives: NDArray[numpy.float64], rows: NDArray[numpy.float64]
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]: ...
def ends(values: NDArray[Any], threads: int) -> tuple[float, float] | None: ...
def two_labels(values: NDArray[Any], threads: int) -> tuple[int, int, int, NDArray[numpy.uint8]] | None: ...
def vector_path() -> str: ...
def use_vectors(wanted: bool) -> bool: ...
def number_pairs(
    truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], weights: NDArray[numpy.uint64], threads: int
) -> dict[str, Any]: ...
def group_orders(
    groups: list[tuple[Any, ...]], truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
) -> dict[str, Any]: ...
def hashes(pieces: list[tuple[Any, ...]], seed: int, threads: int) -> NDArray[numpy.uint64]: ...
def deal(pieces: list[tuple[Any, ...]], parts: int, seed: int, threads: int) -> NDArray[numpy.int32]: ...
def changes(pieces: list[tuple[Any, ...]], threads: int) -> NDArray[numpy.int64]: ...
def check_count(count: int) -> None: ...
def sorted_rows(pieces: list[tuple[Any, ...]]) -> NDArray[numpy.int64]: ...

class IdIndex:
    def __init__(self, pieces: list[tuple[Any, ...]], threads: int) -> None: ...
    def groups(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64]]: ...
    def find(self, pieces: list[tuple[Any, ...]], threads: int) -> NDArray[numpy.int64]: ...

def newton_sums(
    odds: NDArray[numpy.float64],
    positives: NDArray[numpy.float64],
    negatives: NDArray[numpy.float64],
    intercept: float,
    slope: float,
    threads: int,
) -> tuple[float, float, float, float, float]: ...
def line_loss(
    odds: NDArray[numpy.float64],
    positives: NDArray[numpy.float64],
    negatives: NDArray[numpy.float64],
    intercept: float,
    slope: float,
    threads: int,
) -> float: ...
def count_draws(words: NDArray[numpy.uint64], rows: int, threads: int) -> NDArray[numpy.float64]: ...
def sum_kept(
    words: NDArray[numpy.uint64], values: NDArray[numpy.int64], columns: int, threads: int
) -> NDArray[numpy.int64]: ...

class TieOrder(enum.Enum):
    id = 0

    id_ascending = 1

    order = 2

def align_lists(
    queries: list[list[tuple[Any, ...]]],
    items: list[list[tuple[Any, ...]]],
    scores: Sequence[NDArray[numpy.float64]],
    duplicates: Duplicates,
    nan: NotANumber,
    ties: TieOrder,
    threads: int,
) -> dict[str, Any]: ...
def fuse_lists(
    queries: list[list[tuple[Any, ...]]],
    items: list[list[tuple[Any, ...]]],
    scores: Sequence[NDArray[numpy.float64]],
    points: Sequence[NDArray[numpy.float64]],
    duplicates: Duplicates,
    nan: NotANumber,
    ties: TieOrder,
    threads: int,
) -> dict[str, Any]: ...
def order_lists(
    begin: NDArray[numpy.int64],
    scores: NDArray[numpy.float64],
    pieces: list[tuple[Any, ...]],
    member: NDArray[numpy.int64],
    ties: TieOrder,
    threads: int,
) -> NDArray[numpy.int64]: ...
def majority_order(
    begin: NDArray[numpy.int64],
    start: NDArray[numpy.int64],
    ranks: NDArray[numpy.int64],
    votes: NDArray[numpy.float64],
    threads: int,
) -> NDArray[numpy.int64]: ...
def inversions(begin: NDArray[numpy.int64], values: NDArray[numpy.int64], threads: int) -> NDArray[numpy.int64]: ...
def flatten(
    lists: list[Any],
) -> tuple[NDArray[numpy.int64] | tuple[NDArray[numpy.uint8], NDArray[numpy.int64]], NDArray[numpy.float64]] | None: ...

class Core(Protocol):
    __name__: str
    @property
    def Duplicates(self) -> type[_core.Duplicates]: ...
    @property
    def NotANumber(self) -> type[_core.NotANumber]: ...
    @property
    def PairIndex(self) -> type[_core.PairIndex]: ...
    @property
    def TextFault(self) -> type[_core.TextFault]: ...
    @property
    def EarlyText(self) -> type[_core.EarlyText]: ...
    @property
    def Factors(self) -> type[_core.Factors]: ...
    @property
    def IdIndex(self) -> type[_core.IdIndex]: ...
    @property
    def TieOrder(self) -> type[_core.TieOrder]: ...
    def ranking_evidence(
        self,
        truth_query: list[tuple[Any, ...]],
        truth_item: list[tuple[Any, ...]],
        grades: NDArray[numpy.float64],
        run_query: list[tuple[Any, ...]],
        run_item: list[tuple[Any, ...]],
        scores: NDArray[numpy.float64],
        excluded_query: list[tuple[Any, ...]],
        excluded_item: list[tuple[Any, ...]],
        duplicates: _core.Duplicates,
        nan: _core.NotANumber,
        depth: int,
        threads: int,
    ) -> dict[str, Any]: ...
    def take(
        self, pieces: list[tuple[Any, ...]], rows: NDArray[numpy.int64]
    ) -> NDArray[numpy.int64] | tuple[NDArray[numpy.uint8], NDArray[numpy.int64]]: ...
    def first_empty(self, pieces: list[tuple[Any, ...]], threads: int) -> int | None: ...
    def list_places(
        self,
        query: list[tuple[Any, ...]],
        item: list[tuple[Any, ...]],
        scores: NDArray[numpy.float64],
        excluded_query: list[tuple[Any, ...]],
        excluded_item: list[tuple[Any, ...]],
        duplicates: _core.Duplicates,
        nan: _core.NotANumber,
        depth: int,
        threads: int,
    ) -> dict[str, Any]: ...
    def number_table(self, values: NDArray[numpy.int64], low: int, size: int) -> NDArray[numpy.int32]: ...
    def look_up(self, values: NDArray[numpy.int64], low: int, table: NDArray[numpy.int32]) -> NDArray[numpy.int64]: ...
    def parse_text(
        self,
        bytes: NDArray[numpy.uint8],
        query: int,
        item: int,
        value: int,
        fields: int,
        exact: bool,
        threads: int,
        within: bool = False,
    ) -> dict[str, Any]: ...
    def row_losses(
        self, positive: NDArray[numpy.uint8], scores: NDArray[Any], epsilon: float, threads: int
    ) -> NDArray[numpy.float64]: ...
    def drawn_sums(
        self,
        starts: NDArray[numpy.int64],
        cells: NDArray[numpy.uint32],
        amounts: NDArray[numpy.int64],
        cell_count: int,
        draws: tuple[int, int, int],
        threads: int,
    ) -> NDArray[numpy.int64]: ...
    def row_counts(
        self,
        scores: NDArray[Any],
        users: NDArray[numpy.int64],
        begin: NDArray[numpy.int64],
        items: NDArray[numpy.int64],
        order: NDArray[numpy.int64],
        threads: int,
    ) -> dict[str, Any]: ...
    def factor_levels(
        self,
    ) -> list[str]: ...
    def group_pairs(
        self,
        groups: list[tuple[Any, ...]],
        positive: NDArray[numpy.uint8],
        scores: NDArray[Any],
        weights: NDArray[numpy.float64],
        epsilon: float,
        column: NDArray[numpy.float64],
        threads: int,
    ) -> dict[str, Any]: ...
    def twice_concordant(
        self, positive: NDArray[numpy.uint8], scores: NDArray[Any], threads: int
    ) -> tuple[int, int]: ...
    def tabulate(
        self, positive: NDArray[numpy.uint8], scores: NDArray[Any], threads: int
    ) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
    def tabulate_flags(
        self, first: NDArray[numpy.uint8], second: NDArray[numpy.uint8], scores: NDArray[Any], threads: int
    ) -> tuple[
        NDArray[Any], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]
    ]: ...
    def tabulate_weights(
        self, positive: NDArray[numpy.uint8], scores: NDArray[Any], weights: NDArray[numpy.float64], threads: int
    ) -> tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.float64], tuple[int, int]]: ...
    def merge_tables(
        self,
        score: NDArray[Any],
        true_positives: NDArray[numpy.int64],
        false_positives: NDArray[numpy.int64],
        other_score: NDArray[Any],
        other_true_positives: NDArray[numpy.int64],
        other_false_positives: NDArray[numpy.int64],
        threads: int,
    ) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
    def join_tables(
        self, tables: Sequence[tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64]]], threads: int
    ) -> tuple[NDArray[Any], NDArray[numpy.int64], NDArray[numpy.int64], tuple[int, int]]: ...
    def probability_sums(
        self,
        positive: NDArray[numpy.uint8],
        scores: NDArray[Any],
        weights: NDArray[numpy.float64],
        epsilon: float,
        bins: int,
        threads: int,
        loss: bool = True,
    ) -> dict[str, Any]: ...
    def weight_cells(
        self,
        positive: NDArray[numpy.uint8],
        scores: NDArray[Any],
        weights: NDArray[numpy.float64],
        threshold: float,
        reach: bool,
        threads: int,
    ) -> list[list[tuple[int, int, int]]]: ...
    def weight_sums(
        self, positive: NDArray[numpy.uint8], weights: NDArray[numpy.float64], threads: int
    ) -> list[list[tuple[int, int, int]]]: ...
    def error_sums(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int, names: Sequence[str] = ...
    ) -> dict[str, Any]: ...
    def largest_error(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
    ) -> float | None: ...
    def squared_log_errors(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
    ) -> list[tuple[int, int, int]] | None: ...
    def log_errors(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
    ) -> NDArray[numpy.float64]: ...
    def log_cosh(self, errors: NDArray[numpy.float64], threads: int) -> NDArray[numpy.float64]: ...
    def deviances(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], power: float, threads: int
    ) -> NDArray[numpy.float64]: ...
    def middle_errors(
        self, truth: NDArray[numpy.float64], predicted: NDArray[numpy.float64], threads: int
    ) -> tuple[float, float]: ...
    def mid_ranks(self, values: NDArray[numpy.float64], threads: int) -> NDArray[numpy.float64]: ...
    def exact_total(
        self, a: NDArray[numpy.float64], b: NDArray[numpy.float64], threads: int
    ) -> list[tuple[int, int, int]]: ...
    def pool(
        self, positives: NDArray[numpy.float64], rows: NDArray[numpy.float64]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]: ...
    def ends(self, values: NDArray[Any], threads: int) -> tuple[float, float] | None: ...
    def two_labels(self, values: NDArray[Any], threads: int) -> tuple[int, int, int, NDArray[numpy.uint8]] | None: ...
    def vector_path(
        self,
    ) -> str: ...
    def use_vectors(self, wanted: bool) -> bool: ...
    def number_pairs(
        self,
        truth: NDArray[numpy.float64],
        predicted: NDArray[numpy.float64],
        weights: NDArray[numpy.uint64],
        threads: int,
    ) -> dict[str, Any]: ...
    def group_orders(
        self,
        groups: list[tuple[Any, ...]],
        truth: NDArray[numpy.float64],
        predicted: NDArray[numpy.float64],
        threads: int,
    ) -> dict[str, Any]: ...
    def hashes(self, pieces: list[tuple[Any, ...]], seed: int, threads: int) -> NDArray[numpy.uint64]: ...
    def deal(self, pieces: list[tuple[Any, ...]], parts: int, seed: int, threads: int) -> NDArray[numpy.int32]: ...
    def changes(self, pieces: list[tuple[Any, ...]], threads: int) -> NDArray[numpy.int64]: ...
    def check_count(self, count: int) -> None: ...
    def sorted_rows(self, pieces: list[tuple[Any, ...]]) -> NDArray[numpy.int64]: ...
    def newton_sums(
        self,
        odds: NDArray[numpy.float64],
        positives: NDArray[numpy.float64],
        negatives: NDArray[numpy.float64],
        intercept: float,
        slope: float,
        threads: int,
    ) -> tuple[float, float, float, float, float]: ...
    def line_loss(
        self,
        odds: NDArray[numpy.float64],
        positives: NDArray[numpy.float64],
        negatives: NDArray[numpy.float64],
        intercept: float,
        slope: float,
        threads: int,
    ) -> float: ...
    def count_draws(self, words: NDArray[numpy.uint64], rows: int, threads: int) -> NDArray[numpy.float64]: ...
    def sum_kept(
        self, words: NDArray[numpy.uint64], values: NDArray[numpy.int64], columns: int, threads: int
    ) -> NDArray[numpy.int64]: ...
    def align_lists(
        self,
        queries: list[list[tuple[Any, ...]]],
        items: list[list[tuple[Any, ...]]],
        scores: Sequence[NDArray[numpy.float64]],
        duplicates: _core.Duplicates,
        nan: _core.NotANumber,
        ties: _core.TieOrder,
        threads: int,
    ) -> dict[str, Any]: ...
    def fuse_lists(
        self,
        queries: list[list[tuple[Any, ...]]],
        items: list[list[tuple[Any, ...]]],
        scores: Sequence[NDArray[numpy.float64]],
        points: Sequence[NDArray[numpy.float64]],
        duplicates: _core.Duplicates,
        nan: _core.NotANumber,
        ties: _core.TieOrder,
        threads: int,
    ) -> dict[str, Any]: ...
    def order_lists(
        self,
        begin: NDArray[numpy.int64],
        scores: NDArray[numpy.float64],
        pieces: list[tuple[Any, ...]],
        member: NDArray[numpy.int64],
        ties: _core.TieOrder,
        threads: int,
    ) -> NDArray[numpy.int64]: ...
    def majority_order(
        self,
        begin: NDArray[numpy.int64],
        start: NDArray[numpy.int64],
        ranks: NDArray[numpy.int64],
        votes: NDArray[numpy.float64],
        threads: int,
    ) -> NDArray[numpy.int64]: ...
    def inversions(
        self, begin: NDArray[numpy.int64], values: NDArray[numpy.int64], threads: int
    ) -> NDArray[numpy.int64]: ...
    def flatten(
        self, lists: list[Any]
    ) -> (
        tuple[NDArray[numpy.int64] | tuple[NDArray[numpy.uint8], NDArray[numpy.int64]], NDArray[numpy.float64]] | None
    ): ...
