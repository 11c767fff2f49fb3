"""`pingce eval-factors`: a model by its vectors, of users and of items, against the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from pingce.base.text import Text
from pingce.cli.jobs import Job, at_work
from pingce.cli.options import LISTS, OPTIONS, Option, complete
from pingce.cli.output import Style

if TYPE_CHECKING:
    from pingce.request import Request
    from pingce.scores import Scores
    from pingce.scores.ranking import RankingScores

_NOT_HERE = ("pair", "worst", "conventions", "memory", "tmpdir", "engine", "master", "task")
"Options of `pingce eval` for runs that are files."
_HERE: Final = ("eval-factors",)
FACTOR_OPTIONS: Final = (
    Option("--truth", Text("The truth: user, item and perhaps grade.", "真值：用户、条目，可含等级。"), "input", _HERE, metavar="FILE"),
    Option("--similarity", Text("What makes a score of two vectors; l2: closest first.", "由两个向量得到分数的方式；l2：距离近者在前。"), "metrics", _HERE, type=click.Choice(("dot", "cosine", "l2")), default="dot"),
    Option("--candidates", Text("Items that are ranked: ids for everybody (.npy, .txt), or pairs (user, item); without it all.", "参与排序的条目：对所有用户相同的编号（.npy、.txt），或（用户，条目）对；不给出则为全部。"), "input", _HERE, metavar="FILE"),
    Option("--outside", Text("Judged items that are not in the catalogue: not found, left out, or refused.", "不在目录中的已标注条目：记为未找到、不计入，或报错。"), "policies", _HERE, type=click.Choice(("count", "drop", "error")), default="count"),
    Option("--user-ids", Text("Ids of the rows of USERS (.npy, or a text with an id a line); by default their numbers from 0.", "USERS 各行的编号（.npy，或每行一个编号的文本）；默认为从 0 起的行号。"), "input", _HERE, metavar="FILE"),
    Option("--item-ids", Text("Ids of the rows of ITEMS, likewise.", "ITEMS 各行的编号，写法同上。"), "input", _HERE, metavar="FILE"),
    Option("--user-bias", Text("A number for each user that is added to its scores (.npy).", "加到每个用户的分数上的数（.npy）。"), "input", _HERE, metavar="FILE"),
    Option("--item-bias", Text("A number for each item that is added to its scores (.npy).", "加到每个条目的分数上的数（.npy）。"), "input", _HERE, metavar="FILE"),
    Option("--batch", Text("Users whose ranks are counted together; the numbers are the same.", "每批计数的用户数；结果相同。"), "scale", _HERE, type=click.IntRange(min=1)),
    Option("--device", Text("Where scores are computed, e.g. cuda; by default the CPU.", "在何处计算分数，例如 cuda；默认用 CPU。"), "scale", _HERE, metavar="NAME"),
)  # fmt: skip


def factor_options() -> list[click.Parameter]:
    """Those of `pingce eval` that rankings have and vectors can follow, and those of vectors."""
    shared = [
        option
        for option in OPTIONS
        if "eval" in option.commands and set(LISTS) & set(option.tasks) and option.name not in _NOT_HERE
    ]
    return [option.parameter() for option in (*FACTOR_OPTIONS, *shared)]


def evaluate(user_file: str, item_file: str, **options: Any) -> Mapping[str, Scores]:
    """Read, count, write; the scores go back to the caller."""
    from pingce.cli.eval import write_scores
    from pingce.cli.rankings import NO_TRUTH, ranking_data, ranking_request
    from pingce.run.factors import FactorData, FactorFeed

    options = complete(options)
    chosen = {option.name: options[option.name] for option in FACTOR_OPTIONS if option.name != "truth"}
    style, request = Style.of(options), ranking_request(options)
    tables = ranking_data(options["truth"] or NO_TRUTH, options)
    data = FactorData(user_file, item_file, tables, **chosen)

    def score(variant: Request) -> RankingScores:
        return FactorFeed(variant, data).score()

    with at_work(Text(f"counting ranks of {item_file}", f"正在统计 {item_file} 的名次")) as caught:
        job = Job(request, {"factors": score}, style=style, caught=caught)
        scores = job.scores()
        write_scores(scores, job, options)
        return scores
