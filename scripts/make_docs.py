"""Writes what pages show but nobody should keep by hand: the figures that `make bench` measured, one list under several conventions, the
table of metrics; the topic pages, docs/zh and docs/en; the drawings; and of each task its policies in the glossary and in the schemas of documents.

`python scripts/make_docs.py` rewrites them; with `--check` it fails where they are out of date.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from schemas import SCHEMAS
from topics import outdated
from website.figures import outdated_figures

from pingce import compare_conventions
from pingce.base.tables import markdown
from pingce.base.text import Language, Text, use_language
from pingce.metrics.catalogue import heading, listing
from pingce.tasks import TASKS, Task

ROOT = Path(__file__).resolve().parent.parent
READMES: dict[str, Language] = {"README.md": "en", "README.zh-CN.md": "zh"}
GLOSSARY: dict[str, Language] = {"docs/glossary.md": "en"}
METRICS: dict[str, Language] = {"docs/metrics.md": "en", "docs/metrics.zh-CN.md": "zh"}
ENGINES: dict[str, Language] = {"docs/engines.md": "en", "docs/engines.zh-CN.md": "zh"}
JUDGED = {"a": 3, "b": 2, "c": 1, "d": 1, "e": 0}
RETURNED = ["x", "a", "e", "c", "b"]
TOOLS = ["trec_eval", "ranx", "sklearn", "recbole", "lenskit", "rectools", "fuxictr"]
PEERS = {
    "run file": "run file|预测文件",
    "one thread": "one thread|一线程",
    "six": "6 metrics|6 个指标",
    "a byte a row": "a byte a row|每行一字节",
    "table": "distinct scores|不同的分数",
    "tenth": "a tenth of it, read whole|其十分之一，整体读入",
    "grouped": "grouped|按用户排列时",
    "text": "text|文本",
    "integers": "integers|整数编号",
    **dict.fromkeys(("ranking, one call", "binary, one call", "grouped, one call"), "one call|一次调用"),
    "MLlib, lists cut": "MLlib, lists cut|MLlib，列表先截断",
    **dict.fromkeys(("rankings 10M", "clicks 10M"), "10M rows|1,000 万行"),
    **dict.fromkeys(("rankings 100M", "clicks 100M"), "100M rows|1 亿行"),
    "pandas + sklearn on 2,000 users, scaled by rows": "pandas + sklearn loop, scaled from 2,000 users|pandas + sklearn 循环，由 2,000 个用户折算",
}
SPEED = (
    ("text/pingce", "text/pytrec_eval"),
    ("text/pingce", "text/ranx"),
    ("recommendation/pingce", "recommendation/rectools"),
    ("auc/float32, 3 % positive/pingce", "auc/float32, 3 % positive/sklearn"),
    ("together/pingce", "together/sklearn"),
    ("gauc/integers/pingce", "gauc/integers/polars"),
    ("permutations/pingce", "permutations/ranx"),
)
"What the READMEs show: pingce's side and the other's."
SCALE = ("batches", "scale", "spark", "billion")
"Works that one call would be too small for."


def compared(lang: Language) -> str:
    """One small list under the conventions of six tools."""
    use_language(lang)
    found = compare_conventions({"q": JUDGED}, {"q": RETURNED}, "ndcg@10", TOOLS)
    return f"```text\n{found}\n```"


def metrics(lang: Language) -> str:
    """A table of metrics a task."""
    use_language(lang)
    return "\n\n".join(f"**{heading(task)}**\n\n{markdown(listing(task), 4)}" for task in TASKS)


def speed(lang: Language) -> str:
    """A few lines of what was measured against other tools: what took how long, and how many times as long the other took."""
    use_language(lang)
    titles = Text("work|pingce|other tool|times as fast", "任务|pingce|其他工具|快几倍")
    lines = [str(titles).split("|"), ["---", "---:", "---:", "---:"]]
    rows = {(row["ours"], row["theirs"]): row for row in _results()["rows"] if row["what"] == "warm_s"}
    for row in (rows[pair] for pair in SPEED):
        peer, title = row["theirs"].split("/")[-1], row["title"].split("|")[lang == "zh"]
        lines.append([title, _amount(row["pingce"], "s"), f"{peer} {_amount(row['peer'], 's')}", f"{row['ratio']:.0f}"])
    note = Text(
        "Labels and predictions are 10M rows; both sides in one run of `make bench`, conversions included. [All figures](benchmarks/results.md), with what was wanted and what was missed.",
        "标签与预测为 1,000 万行；两边出自 `make bench` 的同一次运行，含转换时间。[全部数字](benchmarks/results.md)附目标与未达目标之处。",
    )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + f"\n\n{note}"


def _results() -> dict[str, Any]:
    results: dict[str, Any] = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    return results


def scale(lang: Language) -> str:
    """The same of batches, streams and Spark."""
    return _measured(lang, lambda work: work in SCALE, "../benchmarks/")


def _measured(lang: Language, wanted: Callable[[str], bool], folder: str) -> str:
    results = _results()
    use_language(lang)
    titles = Text("work|pingce|compared with|ratio|wanted", "任务|pingce|对照|倍数|目标")
    lines = [str(titles).split("|"), ["---", "---", "---", "---:", "---:"]]
    rows = [row for row in results["rows"] if row["bar"] and row["run"] and wanted(row["ours"].partition("/")[0])]
    lines += [_bar(row, lang) for row in rows]
    runs = dict.fromkeys(row["run"] for row in rows)
    origins = [_origin(stamp, results["runs"][stamp]["machine"]) for stamp in runs]
    link = f"[benchmarks/results.md]({folder}results.md)"
    note = Text(
        f"{'; '.join(origin.en for origin in origins)}: `make bench`, both sides of a ratio in one run, conversions included; "
        f"labels and predictions are 10M rows unless said; ✗: missed what is wanted. {link} has the rest, and how often each was run.",
        f"{'；'.join(origin.zh for origin in origins)}：由 `make bench` 测得，比值的两边出自同一次运行，含转换时间；未注明行数的标签与预测为 1,000 万行；"
        f"✗ 表示未达目标。其余及各项的运行次数见 {link}。",
    )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + f"\n\n{note}"


def _origin(stamp: str, machine: dict[str, Any]) -> Text:
    """When and where a run was made."""
    sort = {
        True: Text(", NumPy's sort vectorised", "，NumPy 的排序已向量化"),
        False: Text(", NumPy's sort not vectorised", "，NumPy 的排序未向量化"),
    }.get(machine.get("vectorised_sort"), Text("", ""))  # type: ignore[arg-type]
    date, processor = stamp.partition(" ")[0], machine["processor"]
    return Text(
        f"{date}, {processor}, {machine['cores']} cores, {machine['memory_gib']} GiB{sort.en}",
        f"{date}，{processor}，{machine['cores']} 核，{machine['memory_gib']} GiB{sort.zh}",
    )


def _bar(row: dict[str, Any], lang: Language) -> list[str]:
    unit, peer = row["what"].split("_")[1], row["theirs"].removesuffix("/pingce").split("/")[-1]
    peer = PEERS.get(peer, f"{peer}|{peer}").split("|")[lang == "zh"]
    beside = f"{peer} {_amount(row['peer'], unit)}" if row["theirs"] else "–"
    missed = " ✗" if row["reached"] is False else ""
    ratio = "–" if row["ratio"] is None else f"{row['ratio']:.{1 if row['ratio'] >= 10 else 2}f}"
    return [row["title"].split("|")[lang == "zh"], _amount(row["pingce"], unit), beside, ratio + missed, row["bar"]]


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{value / (1 << 20):,.0f} MiB" if unit == "bytes" else f"{float(f'{value:.3g}'):,g} s"


def policies_of_lists(_: Language) -> str:
    """The rows of the glossary about the policies of rankings."""
    return _policy_rows([task for task in TASKS.values() if not task.of_rows])


def policies_of_rows(_: Language) -> str:
    """The same about labels, classes and numbers."""
    return _policy_rows([task for task in TASKS.values() if task.of_rows])


def _policy_rows(tasks: list[Task]) -> str:
    rows: dict[str, str] = {}
    for policies in (task.load("policies") for task in tasks):
        for name, declared in policies.declarations().items():
            number = ["a number", *(f"`{word}`" for word in declared.number.words)] if declared.number else []
            values = policies.choices.get(name) or [getattr(policies, name)]
            listed = ", ".join([*(f"`{value}`" for value in values), *number])
            rows.setdefault(name, f"| `{name}` | {listed} | {declared.meaning.en} | {declared.meaning.zh} |")
    return "\n".join(["| policy | values | meaning | 含义 |", "|---|---|---|---|", *rows.values()])


def filled(text: str, lang: Language) -> str:
    """A page with its generated parts."""
    parts = (speed, compared, metrics, scale, policies_of_lists, policies_of_rows)
    for name, content in ((part.__name__, part(lang)) for part in parts if f"<!-- {part.__name__} -->" in text):
        found = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = found.sub(lambda match, content=content: f"{match[1]}{content}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main() -> int:
    """Rewrite, or check; 1 if something is out of date."""
    stale = []
    for name, lang in {**READMES, **METRICS, **ENGINES, **GLOSSARY, **dict.fromkeys(SCHEMAS, None)}.items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = SCHEMAS[name](before) if lang is None else filled(before, lang)
        if after != before:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(after, encoding="utf-8")
    stale += [f"docs/{name}" for name in outdated(ROOT / "docs", rewrite="--check" not in sys.argv)]
    stale += outdated_figures(ROOT / "docs" / "images", rewrite="--check" not in sys.argv)
    print(f"out of date: {', '.join(stale)}" if stale else "up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
