"""Writes what the READMEs show but nobody should keep by hand: the metric table, the output of `pingce demo`, and the
figures that `make bench` measured; and the topic pages, docs/zh and docs/en.

`python scripts/make_docs.py` rewrites them; with `--check` it fails where they are out of date.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from topics import outdated

from pingce import compare_conventions
from pingce.base.tables import markdown
from pingce.base.text import Language, Text, use_language
from pingce.metrics.catalogue import heading, listing
from pingce.tasks import TASKS

ROOT = Path(__file__).resolve().parent.parent
READMES: dict[str, Language] = {"README.md": "en", "README.zh-CN.md": "zh"}
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
    "a gigabyte": "a gigabyte|1 GB",
    "grouped": "grouped|按用户排列时",
    "pandas + sklearn on 2,000 users, scaled by rows": "pandas + sklearn loop, scaled from 2,000 users|pandas + sklearn 循环，由 2,000 个用户折算",
}
LABELLED = Text("10M rows, ", "1,000 万行，")
SAMPLES = {
    f"{kind}, {share} % positive": (f"{kind}, {share} % positive", f"{kind}，正例 {share} %")
    for kind in ("float32", "float64")
    for share in (3, 50)
}
RUN = Text("6,980 queries × 1,000 items, string ids, ", "6,980 个查询 × 1,000 个条目，字符串编号，")
BENCHED = {
    "text/pingce": RUN.en + "TREC text from the shell|" + RUN.zh + "shell 中读 TREC 文本",
    "memory/arrow": "the same, Arrow table in memory|同上，内存中的 Arrow 表",
    "memory/polars": "the same, polars frame in memory|同上，内存中的 polars 表",
    "dicts/pingce": "the same, dict of dicts|同上，嵌套字典",
    "recommendation/pingce": "100k users × 100 items, integer ids, pandas|10 万用户 × 100 个条目，整数编号，pandas",
    "cold/pingce eval": "50 × 1,000 from the shell, whole process|shell 中 50 × 1,000，整个进程",
    "cold/import pingce": "`import pingce`|`import pingce`",
    "growth/10M": "1M → 10M rows: times the time|100 万 → 1,000 万行：耗时之比",
    "growth/100M": "10M → 100M rows: times the time|1,000 万 → 1 亿行：耗时之比",
    "evidence/two threads": "evidence, two threads against one|证据，两线程对一线程",
    "sixty/sixty": "60 metric@k against 6: times the time|60 个 metric@k 对 6 个：耗时之比",
    **{f"auc/{name}/pingce": f"AUC, {LABELLED.en}{en}|AUC，{LABELLED.zh}{zh}" for name, (en, zh) in SAMPLES.items()},
    **{
        f"auc_memory/{name}": f"AUC, {LABELLED.en}{en}: bytes a row beyond the input|AUC，{LABELLED.zh}{zh}：输入之外每行字节数"
        for name, (en, zh) in SAMPLES.items()
    },
    "auc_memory/table": "threshold table, float64: bytes a distinct score|阈值表，float64：每个不同分数的字节数",
    "auc_growth/10M": "AUC, 1M → 10M rows: times the time|AUC，100 万 → 1,000 万行：耗时之比",
    "auc_growth/100M": "AUC, 10M → 100M rows: times the time|AUC，1,000 万 → 1 亿行：耗时之比",
    "together/pingce": "auc, pr_auc, logloss, f1, brier, ks in one call, 10M rows|auc、pr_auc、logloss、f1、brier、ks 一次算出，1,000 万行",
    "gauc/pingce": "GAUC, 10M rows, 1M users in random order|GAUC，1,000 万行，100 万用户乱序",
    "multiclass/pingce": "multi-class report, 10M rows, 100 classes|多分类报告，1,000 万行，100 个类别",
    "regression/pingce": "mae + rmse + r2 with exact sums, 10M rows|mae + rmse + r2，精确求和，1,000 万行",
    "permutations/pingce": "100,000 permutations, 10 pairs × 6 metrics × 7,000 queries|10 万次置换，10 对 × 6 个指标 × 7,000 个查询",
    "bootstrap/pingce": "10,000 bootstrap draws of the same|同上，1 万次自助抽样",
    "batches/ranking, batches": "rankings, 10M rows in batches of 100k|排序，1,000 万行，每批 10 万行",
    "batches/binary, batches": "auc + logloss, 10M rows in batches of 100k|auc + logloss，1,000 万行，每批 10 万行",
    "batches/grouped, batches": "GAUC, 10M rows in batches of 100k|GAUC，1,000 万行，每批 10 万行",
    "scale/grouped": "100M rows by user, Parquet, `--memory 2GB`: a tenth of the time; peak|1 亿行，按用户排列，Parquet，`--memory 2GB`：十分之一的时间；峰值",
    "scale/shuffled": "the same rows shuffled|同样的行，乱序",
    "scale/clicks": "AUC + GAUC, 100M rows, Parquet, `--memory 2GB`: peak|AUC + GAUC，1 亿行，Parquet，`--memory 2GB`：峰值",
    "spark/pingce": "Spark local[2], 10M rows, six metrics|Spark local[2]，1,000 万行，六个指标",
}
SCALE = ("batches", "scale", "spark")
"Works that one call would be too small for."


def demo(lang: Language) -> str:
    """The first two sections of what `pingce demo` prints: a ranking and click predictions."""
    words = [sys.executable, "-m", "pingce", "demo", "--lang", lang]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"})
    shown = "\n# ".join(done.stdout.split("\n# ")[:2]).strip()
    return f"```text\n{shown}\n```"


def explained(lang: Language) -> str:
    """What `pingce explain ndcg@5 --grades 3,2,3,0,1` prints."""
    words = [sys.executable, "-m", "pingce", "explain", "ndcg@5", "--grades", "3,2,3,0,1", "--lang", lang]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=os.environ | {"NO_COLOR": "1"})
    return f"```text\n{done.stdout.strip()}\n```"


def compared(lang: Language) -> str:
    """One small list under the conventions of six tools."""
    use_language(lang)
    found = compare_conventions({"q": JUDGED}, {"q": RETURNED}, "ndcg@10", TOOLS)
    return f"```text\n{found}\n```"


def metrics(lang: Language) -> str:
    """A table of metrics a task."""
    use_language(lang)
    return "\n\n".join(f"**{heading(task)}**\n\n{markdown(listing(task), 4)}" for task in TASKS)


def benchmarks(lang: Language) -> str:
    """The bars and what was measured, with date and machine."""
    return _measured(lang, lambda work: work not in SCALE, "benchmarks/")


def scale(lang: Language) -> str:
    """The same of batches, streams and Spark."""
    return _measured(lang, lambda work: work in SCALE, "../benchmarks/")


def _measured(lang: Language, wanted: Callable[[str], bool], folder: str) -> str:
    results = json.loads((ROOT / "benchmarks" / "results.json").read_text(encoding="utf-8"))
    use_language(lang)
    titles = Text("work|pingce|compared with|ratio|wanted", "任务|pingce|对照|倍数|目标")
    lines = [str(titles).split("|"), ["---", "---", "---", "---:", "---:"]]
    rows = [row for row in results["rows"] if row["bar"] is not None and wanted(row["ours"].partition("/")[0])]
    lines += [_bar(row, lang) for row in rows]
    on, link = results["machine"], f"[benchmarks/results.md]({folder}results.md)"
    dates = sorted({row.get("date", results["date"]) for row in rows})
    said = Text(
        f"{', '.join(dates)}, {on['processor']}, {on['cores']} cores, {on['memory_gib']} GiB: `make bench`, both sides of a "
        f"ratio in one run, conversions included; ✗: missed what is wanted. {link} has the rest, and how often each was run.",
        f"{'、'.join(dates)}，{on['processor']}，{on['cores']} 核，{on['memory_gib']} GiB：由 `make bench` 测得，比值的两边出自同一次运行，"
        f"含转换时间；✗ 表示未达目标。其余及各项的运行次数见 {link}。",
    )
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + f"\n\n{said}"


def _bar(row: dict[str, Any], lang: Language) -> list[str]:
    work = BENCHED[row["ours"]].split("|")[lang == "zh"]
    unit, peer = row["what"].split("_")[1], row["theirs"].split("/")[-1]
    peer = PEERS.get(peer, f"{peer}|{peer}").split("|")[lang == "zh"]
    missed = "" if row["reached"] else " ✗"
    ratio = "–" if row["ratio"] is None else f"{row['ratio']:.{1 if row['ratio'] >= 10 else 2}f}{missed}"
    return [work, _amount(row["pingce"], unit), f"{peer} {_amount(row['peer'], unit)}", ratio, row["bar"]]


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{value / (1 << 20):,.0f} MiB" if unit == "bytes" else f"{value:.3g} s"


def filled(text: str, lang: Language) -> str:
    """A page with its generated parts."""
    parts = (demo, compared, explained, metrics, benchmarks, scale)
    for name, content in ((part.__name__, part(lang)) for part in parts if f"<!-- {part.__name__} -->" in text):
        found = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text = found.sub(lambda match, content=content: f"{match[1]}{content}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main() -> int:
    """Rewrite, or check; 1 if something is out of date."""
    stale = []
    for name, lang in (READMES | ENGINES).items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8")
        after = filled(before, lang)
        if after != before:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(after, encoding="utf-8")
    stale += [f"docs/{name}" for name in outdated(ROOT / "docs", rewrite="--check" not in sys.argv)]
    print(f"out of date: {', '.join(stale)}" if stale else "up to date")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
