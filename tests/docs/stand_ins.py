"""Small files under the names that pages give theirs, so that their commands run."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

DEMO = Path(__file__).parents[2] / "src" / "pingce" / "demo"
RANKINGS = {
    "digits.qrels.gz": ("qrels.txt", "truth.qrels"),
    "pixels.run.gz": ("bm25.run", "old.run", "exact.run"),
    "pca8.run.gz": ("dense.run", "new.run", "ann.run"),
}
"Files are told by what is in them, not by their names."


def write_stand_ins(folder: Path) -> None:
    """Write all of them."""
    for demo, names in RANKINGS.items():
        for name in names:
            shutil.copy(DEMO / demo, folder / name)
    shutil.copy(DEMO / "ctr_log.parquet", folder / "preds.parquet")
    _write_clicks(folder)
    _write_lists(folder)
    _write_logs(folder)


def _write_clicks(folder: Path) -> None:
    draw = random.Random(3)
    rows = 400
    click = [int(draw.random() < 0.3) for _ in range(rows)]
    columns = {
        "click": click,
        "pctr": [round(min(max(0.2 + 0.3 * one + draw.gauss(0, 0.2), 0.01), 0.99), 4) for one in click],
        "ad_id": [draw.choice("abc") for _ in range(rows)],
        "position": [draw.randint(1, 3) for _ in range(rows)],
        "city": [draw.choice(["bj", "sh"]) for _ in range(rows)],
        "sex": [draw.choice("fm") for _ in range(rows)],
    }
    table = pa.table(columns)
    for name in ("clicks.csv", "loans.csv"):
        pyarrow.csv.write_csv(table, folder / name)
    bought = [int(one and draw.random() < 0.5) for one in click]
    more = {"user_id": [draw.randint(1, 20) for _ in range(rows)], "buy": bought, "pcvr": [round(draw.random(), 3) for _ in range(rows)]}  # fmt: skip
    wide = pa.table({**columns, **more})
    (folder / "clicks").mkdir()
    for name in ("old.parquet", "new.parquet", "clicks/part-0.parquet"):
        pyarrow.parquet.write_table(wide, folder / name)
    times = {"item": [draw.randint(1, 50) for _ in range(rows)], "ts": [f"{2025 + number // 200}-06-{1 + number % 28:02d}" for number in range(rows)]}  # fmt: skip
    pyarrow.parquet.write_table(pa.table({**columns, **more, **times}), folder / "log.parquet")


def _write_lists(folder: Path) -> None:
    queries = sorted({line.split()[0] for line in _lines("digits.qrels.gz")})
    pyarrow.csv.write_csv(pa.table({"query": queries, "region": ["n" if number % 2 else "s" for number in range(len(queries))]}), folder / "users.csv")  # fmt: skip
    truth = [line.split() for line in _lines("digits.qrels.gz")]
    pyarrow.parquet.write_table(pa.table({"query": [row[0] for row in truth], "item": [row[2] for row in truth], "grade": [int(row[3]) for row in truth]}), folder / "qrels.parquet")  # fmt: skip
    run = [line.split() for line in _lines("pixels.run.gz")]
    (folder / "runs").mkdir()
    pyarrow.parquet.write_table(pa.table({"query": [row[0] for row in run], "item": [row[2] for row in run], "score": [float(row[4]) for row in run]}), folder / "runs" / "part-0.parquet")  # fmt: skip


def _lines(name: str) -> list[str]:
    import gzip

    return gzip.decompress((DEMO / name).read_bytes()).decode().splitlines()


def _write_logs(folder: Path) -> None:
    draw = np.random.default_rng(0)
    for name, rows in (("users.npy", 5), ("items.npy", 20)):
        np.save(folder / name, draw.normal(size=(rows, 3)))
    users = [user for user in range(5) for _ in range(6)]
    items = [int(item) for _ in range(5) for item in draw.permutation(20)[:6]]
    times = list(range(30))
    table = pa.table({"user": users, "item": items, "ts": times})
    pyarrow.csv.write_csv(table, folder / "ratings.csv")
    first, last = table.take([at for at in times if at % 6 < 4]), table.take([at for at in times if at % 6 >= 4])
    for name, part in (("train", first), ("test", last)):
        pyarrow.csv.write_csv(part, folder / f"{name}.csv")
        pyarrow.parquet.write_table(part.select(["user", "item"]), folder / f"{name}.parquet")
