"""`pingce` alone: what it can do, on one screen."""

from __future__ import annotations

import sys

from pingce import __version__
from pingce.base.tables import width
from pingce.base.text import Text

_HEAD = Text(
    f"pingce {__version__} (评测): how good are rankings, clicks, classes, numbers?",
    f"pingce {__version__}（评测）：排序、推荐、点击预估、分类、数值预测有多好？",
)
_PARTS = (
    (Text("See it work", "先看效果"), (
        ("pingce demo", Text("five tasks, data included", "随附数据上的五类任务")),
    )),
    (Text("Score", "打分"), (
        ("pingce eval qrels.txt bm25.run -m ndcg@10,mrr", Text("rankings", "排序")),
        ("pingce eval preds.parquet --label click --score pctr", Text("click predictions", "点击预估")),
        ("pingce eval preds.csv --true y --pred y_hat", Text("classes or numbers", "类别或数值")),
    )),
    (Text("Compare", "比较"), (
        ("pingce compare qrels.txt bm25.run dense.run", Text("which differences are real", "差异是真是假")),
        ("pingce report qrels.txt bm25.run dense.run", Text("one interactive HTML file", "一个可交互的 HTML 文件")),
        ("pingce check qrels.txt new.run --min ndcg@10=0.40", Text("a gate for CI", "持续集成的关卡")),
    )),
    (Text("Understand", "弄懂"), (
        ("pingce metrics ndcg", Text("what a metric means", "指标的含义")),
        ("pingce explain ndcg@5 --grades 3,2,3,0,1", Text("a number step by step", "一步一步讲清一个数字")),
        ("pingce conventions ndcg", Text("what each tool means by it", "各工具的定义")),
    )),
)  # fmt: skip
_LAST = (
    Text("pingce --help lists all commands; pingce COMMAND --help has options and examples.", "pingce --help 列出全部命令；pingce 命令 --help 有选项与示例。"),
    Text("Tab completes words after: source <(pingce completion bash)  (or zsh, fish).  中文：--lang zh", "按 Tab 补全：source <(pingce completion bash)（或 zsh、fish）。English: --lang en"),
)  # fmt: skip


def show() -> None:
    """Print it."""
    room = max(width(command) for _, lines in _PARTS for command, _ in lines)
    blocks = [str(_HEAD)]
    for title, lines in _PARTS:
        rows = [f"  {command}{' ' * (room - width(command))}  {words}" for command, words in lines]
        blocks.append("\n".join([str(title), *rows]))
    sys.stdout.write("\n\n".join([*blocks, "\n".join(map(str, _LAST))]) + "\n")
