"""The parts of a log that is a data frame of Spark: those of the local call, row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.columns import rows_of
from pingce.inputs.names import GIVEN_ORDER
from pingce.protocols.hashing import id_hashes, seeded
from pingce.protocols.interactions import Interactions, Naming, moments_of
from pingce.protocols.methods import METHODS, SplitSettings, cut_moments, drawn_parts
from pingce.protocols.split import PART
from pingce.spark.frames import column, refuse_other
from pingce.tasks.options import checked_options

_LOG = Text("the log", "日志")
_HASH, _PLACE, _SIZE = "__pingce_hash", "__pingce_place", "__pingce_size"


@checked_options()
def split(
    data: Any,
    how: str = "random",
    *,
    test: float | None = None,
    validation: float = 0,
    folds: int | None = None,
    at: Any = None,
    seed: int = 0,
    user: str | None = None,
    item: str | None = None,
    time: str | None = None,
) -> Any:
    """Split a log that is a Spark data frame: the same frame with a column `part`, the parts being those of `pingce.split`.

    Keywords are those of `pingce.split`. Rows have no order here: `time="order"` is refused, and of two rows with the same user, item and moment
    Spark chooses which is the last.
    """
    settings = SplitSettings.of(how, test, validation, folds=folds, seed=seed, at=at)
    refuse_other(data, _LOG)
    if time == GIVEN_ORDER:
        raise InputError(
            "time='order': rows of a Spark data frame have no order; name a column of times",
            "time='order'：Spark DataFrame 的行没有顺序；请指明时间列",
        )
    if PART in data.columns:
        raise InputError(
            f"the log has a column '{PART}' already; rename it first", f"日志中已有名为 '{PART}' 的列；请先改名"
        )
    names = Naming(user, item, time).columns(list(data.columns), _LOG, settings.method.needs)
    if settings.method.hashed:
        return _drawn(data, settings, names)
    return _by_moment(data, settings, names) if how == "time" else _by_user(data, settings, names)


def _drawn(data: Any, settings: SplitSettings, names: dict[str, str]) -> Any:
    """Parts by hash, batch by batch where rows are."""
    titles = settings.names

    def part(batch: pa.Table) -> pa.Array:
        hashes = _hashes(batch, settings, names, METHODS[settings.how].hashed)
        return pa.array(titles).take(pa.array(drawn_parts(hashes, settings)))

    return _with_column(data, PART, "string", part)


def _hashes(batch: pa.Table, settings: SplitSettings, names: dict[str, str], roles: Iterable[str]) -> Any:
    log = Interactions(batch, rows_of(_LOG), names)
    return seeded(settings.seed, *(id_hashes(log.ids(role)) for role in roles))


def _with_column(data: Any, name: str, kind: str, values: Callable[[pa.Table], pa.Array]) -> Any:
    """The frame with one more column, which is made of the others on the executors."""
    from pyspark.sql.types import StructField, StructType, _parse_datatype_string

    schema = StructType([*data.schema.fields, StructField(name, _parse_datatype_string(kind))])

    def batches(parts: Iterator[Any]) -> Iterator[Any]:
        for part in parts:
            if part.num_rows:
                table = pa.Table.from_batches([part])
                yield from table.append_column(name, values(table)).to_batches()

    return data.mapInArrow(batches, schema)


def _by_moment(data: Any, settings: SplitSettings, names: dict[str, str]) -> Any:
    """Parts by moment: the moments of the log with their rows come to the driver, if shares are asked for."""
    from pyspark.sql import functions

    moment = column(names["time"])
    if settings.moments:
        begins = [functions.lit(begin).cast(data.schema[names["time"]].dataType) for begin in settings.moments]
    else:
        table = data.groupBy(moment.alias("moment")).count().orderBy("moment").toArrow()
        times = moments_of(table.column("moment"), names["time"], rows_of(_LOG))
        cuts = cut_moments(times, table.column("count").to_numpy(), settings)
        begins = [functions.lit(table.column("moment")[int((times == cut).argmax())].as_py()) for cut in cuts]
    part = _refusing(data, names).when(moment >= begins[-1], settings.names[-1])
    if len(begins) == 2:
        part = part.when(moment >= begins[0], settings.names[1])
    return data.withColumn(PART, part.otherwise(settings.names[0]))


def _by_user(data: Any, settings: SplitSettings, names: dict[str, str]) -> Any:
    """The last rows of each user, by a window over their rows."""
    from pyspark.sql import Window, functions

    hashed = _with_column(
        data, _HASH, "bigint", lambda batch: pa.array(_hashes(batch, settings, names, ["item"]).view("int64"))
    )
    user, moment = column(names["user"]), column(names["time"])
    latest = Window.partitionBy(user).orderBy(moment.desc(), functions.col(_HASH).desc())
    ranked = hashed.withColumn(_PLACE, functions.row_number().over(latest)).withColumn(
        _SIZE, functions.count(functions.lit(1)).over(Window.partitionBy(user))
    )
    test, both = (_last(share, settings) for share in (0, 1))
    part = _refusing(data, names).when(functions.expr(f"{_PLACE} <= {test}"), settings.names[-1])
    if len(settings.names) == 3:
        part = part.when(functions.expr(f"{_PLACE} <= {both}"), settings.names[1])
    return ranked.withColumn(PART, part.otherwise(settings.names[0])).drop(_HASH, _PLACE, _SIZE)


def _refusing(data: Any, names: dict[str, str]) -> Any:
    """The beginning of a case by case that ends the job at a row without a time."""
    from pyspark.sql import functions

    moment, text = column(names["time"]), _no_time(names["time"])
    wrong = moment.isNull()
    if data.schema[names["time"]].dataType.simpleString() in ("float", "double"):
        wrong = wrong | functions.isnan(moment)
    return functions.when(wrong, functions.raise_error(functions.lit(str(text))))


def _no_time(name: str) -> Text:
    return Text(
        f"the time in column '{name}' is empty; fill it in, or remove the row",
        f"列 '{name}' 的时间为空；请补上或删除该行",
    )


def _last(which: int, settings: SplitSettings) -> str:
    """How many rows of a user are in test, or in test and validation, as SQL writes it."""
    if not settings.method.counts:
        share = settings.shares[which]
        return f"({_SIZE} * {share.numerator}) div {share.denominator}"
    counts = int(settings.test), int(settings.test + settings.validation)
    return f"IF({_SIZE} > {counts[1]}, {counts[which]}, 0)"
