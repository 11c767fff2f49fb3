"""Whole commands of the shell on files: what is typed, and how long it may take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bars import Bar, within

SIX = "-m auc,pr_auc,logloss,f1,ece,gauc"
MODEL = "--label click --group user_id --score a"
MODELS = f"{MODEL} --score b"
DEMO = "--label click --score pctr_a --score pctr_b --group user_id -m auc,gauc,logloss,pr_auc"
PAGE = "--quiet -o {data}/page.html"
RUNS = "{data}/qrels.txt {data}/run-0.txt {data}/run-1.txt {data}/run-2.txt {data}/run-3.txt"


@dataclass(frozen=True)
class Command:
    """Words after `pingce`, in which {data} and {demo} are folders, and the seconds that must be reached."""

    name: str
    words: str
    limit: float
    title: str
    calls: int = 4

    @property
    def work(self) -> str:
        """What `--only` calls it."""
        return self.name.partition("/")[0]

    def bar(self) -> Bar:
        """In seconds."""
        return within(self.title, self.name, self.limit)


COMMANDS = (
    Command("ci/1M", f"eval {{data}}/clicks-1M.parquet {MODEL} {SIX} --ci 0.95 -f json", 6, "`eval --ci`: auc, pr_auc, logloss, f1, ece, gauc, 1M rows, 1,000 draws|`eval --ci`：auc、pr_auc、logloss、f1、ece、gauc，100 万行，1,000 次抽样"),
    Command("ci/10M", f"eval {{data}}/clicks-10M.parquet {MODEL} {SIX} --ci 0.95 -f json", 60, "the same, 10M rows|同上，1,000 万行", 2),
    Command("compare/1M", f"compare {{data}}/clicks-1M.parquet {MODELS} {SIX} -f json", 10, "`compare`: two models, the same six metrics, 1M rows|`compare`：两个模型，同样六个指标，100 万行", 3),
    Command("report/demo", f"report {{demo}}/ctr_log.parquet {DEMO} {PAGE}", 1.5, "`report`: the demo's click log, two models|`report`：演示点击日志，两个模型", 6),
    Command("report/1M", f"report {{data}}/clicks-1M.parquet {MODELS} {PAGE}", 12, "`report`: 1M rows × 2 models|`report`：100 万行 × 2 个模型", 3),
    Command("report/queries", f"report {RUNS} {PAGE}", 4, "`report`: 7,000 queries × 4 runs of 100, comparison included|`report`：7,000 个查询 × 4 份排序，各 100 条，含比较"),
)  # fmt: skip


def command_bars() -> Iterator[Bar]:
    """One each."""
    return (command.bar() for command in COMMANDS)
