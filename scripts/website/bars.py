"""The page of benchmarks, from the numbers that `make bench` kept: every row, by kind of work, with a bar for each ratio."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from pingce.base.text import Text, language
from website.nav import ROOT

Row = dict[str, Any]


def benchmark_page() -> str:
    """The page in the language in force."""
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    rows = [row for row in results["rows"] if row["run"]]
    lead = Text(
        "Every row was measured by `make bench` on one machine, both sides of a ratio in the same run, conversions included. "
        "A ratio says how many times as long the other side takes, unless the row says otherwise; what is wanted was written down before; ✗ marks what was missed.",
        "每一行都由 `make bench` 在一台机器上测得，比值的两边出自同一次运行，含转换时间。"
        "除非另有说明，倍数表示另一方耗时是 pingce 的几倍；目标在测量之前写定；✗ 表示未达目标。",
    )
    machines = "\n".join(
        f"- {_machine(stamp, results['runs'][stamp])}" for stamp in dict.fromkeys(row["run"] for row in rows)
    )
    tables = [_table(list(group)) for _, group in groupby(rows, key=lambda row: row["ours"].partition("/")[0])]
    heads = [f"# {Text('Benchmarks', '基准')}", str(lead), _chart(rows), f"## {Text('All rows', '全部结果')}"]
    return "\n\n".join([*heads, *tables, f"## {Text('Machines', '机器')}", machines]) + "\n"


def _machine(stamp: str, run: Row) -> str:
    machine = run["machine"]
    return str(
        Text(
            f"{stamp}: {machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB",
            f"{stamp}：{machine['processor']}，{machine['cores']} 核，{machine['memory_gib']} GiB",
        )
    )


def _title(row: Row) -> str:
    return str(row["title"].split("|")[language() == "zh"])


def _peer(row: Row) -> str:
    name: str = row["theirs"].removesuffix("/pingce").split("/")[-1]
    return name


def _amount(value: float | None, what: str) -> str:
    if value is None:
        return "–"
    return f"{value / (1 << 20):,.0f} MiB" if what.endswith("bytes") else f"{value:.3g} s"


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def _table(rows: Iterable[Row]) -> str:
    titles = str(Text("work|state|pingce|compared with|ratio|wanted", "任务|状态|pingce|对照|倍数|目标")).split("|")
    lines = [titles, ["---", "---", "---:", "---:", "---:", "---:"]]
    for row in rows:
        beside = f"{_peer(row)} {_amount(row['peer'], row['what'])}" if row["theirs"] else "–"
        ratio = "–" if row["ratio"] is None else f"{row['ratio']:.3g}"
        missed = " ✗" if row["reached"] is False else ""
        state = row["what"].split("_")[0]
        lines.append(
            [_title(row), state, _amount(row["pingce"], row["what"]), beside, ratio + missed, row["bar"] or ""]
        )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _chart(rows: list[Row]) -> str:
    """How many times as long other tools take, on a scale of powers of ten."""
    tools = ("pytrec_eval", "ranx", "rectools", "sklearn", "polars", "scipy", "MLlib")
    bars = [row for row in rows if _peer(row) in tools and row["what"] == "warm_s" and (row["ratio"] or 0) > 1]
    top = max(math.log10(row["ratio"]) for row in bars)
    height, left, wide = 22, 400, 290
    parts = []
    for number, row in enumerate(bars):
        y, length = number * height + 4, wide * math.log10(row["ratio"]) / top
        words = _title(row) if len(_title(row)) < 66 else _title(row)[:64] + "…"
        parts.append(
            f'<text x="{left - 8}" y="{y + 12}" text-anchor="end" font-size="11" fill="var(--ink)">{words}</text>'
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="15" fill="var(--accent)" opacity=".8"/>'
            f'<text x="{left + length + 6:.1f}" y="{y + 12}" font-size="11" fill="var(--ink)">{_times(row["ratio"])} × {_peer(row)}</text>'
        )
    caption = Text(
        "How many times as long the other tool takes (logarithmic scale)", "另一工具耗时是 pingce 的几倍（对数坐标）"
    )
    box = f'<svg viewBox="0 0 860 {len(bars) * height + 8}" role="img" aria-label="{caption}" font-family="inherit">'
    return f'<figure class="drawing wide" markdown="0">\n{box}{"".join(parts)}</svg>\n<figcaption>{caption}</figcaption>\n</figure>'
