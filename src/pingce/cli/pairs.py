"""`pingce similar A B` and `pingce fuse A B …`: runs beside each other, without a truth."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.jobs import at_work, reading_of, refuse_stdin_twice
from pingce.cli.options import LISTS
from pingce.cli.output import Printout, Style, chosen_format, tell, warning_line, write
from pingce.cli.progress import doing
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.aligned import list_policies
from pingce.fusion.call import fuse_runs
from pingce.fusion.methods import Parameters
from pingce.fusion.recipe import Fusion, refuse_no_truth, refuse_weights
from pingce.fusion.result import SUFFIXES, FusedRun
from pingce.fusion.search import SearchSettings, search_fusion
from pingce.inputs.columns import Rows
from pingce.inputs.titles import short_names
from pingce.similarity.call import Depths, similarity
from pingce.similarity.result import Similarity


def show_similarity(files: tuple[str, ...], **options: Any) -> None:
    """Read two runs, compare their lists, write."""
    if len(files) != 2:
        raise InputError(
            f"pingce similar takes two runs, not {len(files)}", f"pingce similar 需要两份结果，而不是 {len(files)} 份"
        )
    refuse_stdin_twice(files)
    depths = Depths.of(_numbers("-k", options["k"], whole=True), options["rbo_p"])
    style = Style(chosen_format(options, "similar"), options["places"], terminal=options["output"] is None)
    policies = _policies(options)
    first, second = short_names(files)
    with at_work(Text(f"reading {files[0]}", f"正在读取 {files[0]}")) as caught:
        runs = _read(files, options)
        doing(Text("comparing lists", "正在对照列表"))
        result = similarity((runs[0], runs[1]), (first, second), depths, policies, options["threads"])
        text = _document(result, options).text(style)
    if not options["quiet"]:
        warnings = (warning_line(str(warning.message)) for warning in caught)
        tell(*result.notes, *result.count_texts, *warnings)
    write(text, options["output"])


def _document(result: Similarity, options: Mapping[str, Any]) -> Printout:
    per_query, worst = options["per_query"], options["worst"]
    last = [result.query_table()] if per_query else [result.worst_table(worst)] if worst else []
    data = result.query_table if per_query else result.data_table
    others = {"json": lambda: result.to_json(per_query=per_query, worst=worst)}
    return Printout(lambda: [result.table(), *last], data=data, others=others)


def write_fusion(files: tuple[str, ...], **options: Any) -> None:
    """Read runs, fuse them, write one."""
    refuse_stdin_twice([*files, options["tune"]])
    run_format = _run_format(options)
    numbers = _numbers("--weights", options["weights"]) if options["weights"] else ()
    chosen = {name: options[name] for name in ("phi", "sigma", "gamma", "segments", "window")}
    parameters = Parameters(options["rrf_k"], weights=tuple(numbers), **chosen)
    fusion = Fusion.of(options["method"], options["norm"], parameters, _policies(options))
    settings = SearchSettings(options["metric"], options["hold_out"])
    if not options["tune"]:
        refuse_weights(fusion, len(files))
        refuse_no_truth(fusion)
    with at_work(Text(f"reading {files[0]}", f"正在读取 {files[0]}")) as caught:
        fused = _fused(files, fusion, settings, options)
        content = fused.to_bytes(run_format, tag=options["tag"])
    if not options["quiet"]:
        warnings = (warning_line(str(warning.message)) for warning in caught)
        tell(*fused.notes, fused.count_text, *([fused.search.summary] if fused.search else []), *warnings)
    if options["output"] is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    else:
        write_whole(options["output"], content)


def _fused(files: Sequence[str], fusion: Fusion, settings: SearchSettings, options: Mapping[str, Any]) -> FusedRun:
    threads, runs = options["threads"], dict(zip(short_names(files), _read(files, options), strict=True))
    if not options["tune"]:
        doing(Text("fusing", "正在融合"))
        return fuse_runs(runs, fusion, threads)
    truth = reading_of(options, LISTS).read(options["tune"], "truth")
    doing(Text("searching", "正在搜索"))
    return search_fusion(truth, runs, fusion, settings, threads)


def _read(files: Sequence[str], options: Mapping[str, Any]) -> list[Rows]:
    reading, runs = reading_of(options, LISTS), []
    for file in files:
        doing(Text(f"reading {file}", f"正在读取 {file}"))
        runs.append(reading.read(file, "run"))
    return runs


def _run_format(options: Mapping[str, Any]) -> str:
    """What -f names, else what the file's suffix means; TREC's without either."""
    name, output = options["out_format"], options["output"]
    if name or output is None:
        if name == "parquet" and output is None:
            raise InputError(
                "Parquet goes to a file: add -o fused.parquet", "Parquet 须写入文件：请加 -o fused.parquet"
            )
        return name or "trec"
    return SUFFIXES.get(refuse_suffix(output, SUFFIXES, or_option="-f"), "trec")


def _policies(options: Mapping[str, Any]) -> Policies:
    return list_policies(**{name: options[name] for name in ("ties", "duplicates", "nan", "score_type")})


def _numbers(flag: str, text: str, *, whole: bool = False) -> list[Any]:
    """Numbers by comma."""
    try:
        return [int(word) if whole else float(word) for word in text.split(",")]
    except ValueError:
        raise InputError(
            f"{flag} {text}: write numbers by comma, e.g. {'5,10' if whole else '0.3,0.7'}",
            f"{flag} {text}：应为逗号分隔的数字，例如 {'5,10' if whole else '0.3,0.7'}",
        ) from None
