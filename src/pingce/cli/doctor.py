"""`pingce doctor`: what this installation has, and what to do about what it lacks."""

from __future__ import annotations

import platform
import sys
import warnings
from importlib import metadata

from pingce import __version__
from pingce.base.text import Text, language

_NEEDED = ("numpy", "scipy", "pyarrow", "narwhals", "click", "rich")
_OPTIONAL = {
    "pandas": ("pandas", Text("data frames as input, to_pandas()", "以数据框为输入，to_pandas()")),
    "polars": ("polars", Text("data frames as input, to_polars()", "以数据框为输入，to_polars()")),
    "duckdb": ("duckdb", Text("DuckDB relations as input", "以 DuckDB 关系为输入")),
    "torch": ("torch", Text("tensors as input", "以张量为输入")),
    "matplotlib": ("'matplotlib>=3.8'", Text("figures: curve -o x.png or .svg, plot()", "画图：curve -o x.png 或 .svg，plot()")),
    "pyspark": ("'pyspark[sql]>=4.0,<5'", Text("--engine spark, pingce.spark (with Java 17)", "--engine spark、pingce.spark（另需 Java 17）")),
}  # fmt: skip
"What is good to have: what pip installs, and what it is for."
REINSTALL = "pip install --force-reinstall --no-deps --no-cache-dir"


def examine() -> None:
    """Print the findings; a missing core is no error."""
    from pingce.base.core import MISSING, TURNED_OFF, native_core, thread_count, turned_off

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        core = native_core()
    loaded = Text("native core: loaded", "原生内核：已载入")
    lines = [
        f"pingce {__version__}",
        f"Python {platform.python_version()} ({platform.system()} {platform.machine()})",
        str(loaded if core is not None else TURNED_OFF if turned_off() else MISSING),
        *([] if core is not None or turned_off() else [str(rebuild())]),
        *([] if core is None else [str(_vector_path(core.vector_path()))]),
        str(Text(f"threads: {thread_count()}", f"线程数：{thread_count()}")),
        str(Text(f"language: {language()}", f"语言：{language()}")),
        *(f"{part} {_state(part)}" for part in (*_NEEDED, *_OPTIONAL)),
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def _vector_path(name: str) -> Text:
    """Which loops of the core run here; the results are the same with either."""
    plain = name == "baseline"
    return Text(
        f"vector path: {'none beyond the baseline' if plain else name} (same numbers with any; PINGCE_VECTORS=0 turns it off)",
        f"向量指令：{'仅基线' if plain else name}（结果都相同；PINGCE_VECTORS=0 可关闭）",
    )


def _state(part: str) -> str:
    """The version of a part; or what is lacking without it, and the command that gets it."""
    try:
        return metadata.version(part)
    except metadata.PackageNotFoundError:
        package, use = _OPTIONAL.get(part, (part, Text("pingce needs it", "pingce 需要它")))
    text = Text(f"not installed ({use.en}): pip install {package}", f"未安装（{use.zh}）：pip install {package}")
    return str(text)


def rebuild() -> Text:
    """How to compile the core, from where this installation came from."""
    line = f"{REINSTALL} {_origin()}"
    return Text(f"to build it, with a C++20 compiler at hand: {line}", f"编译内核（须有 C++20 编译器）：{line}")


def _origin() -> str:
    """What pip was given: a folder, a repository or an archive, which it notes down, or else the name on an index."""
    try:
        noted = metadata.distribution("pingce").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return str(Text(". (in a checkout of pingce)", ".（在 pingce 的源码目录中）"))
    if noted is None:
        return "--no-binary pingce pingce"
    import json
    import shlex
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    origin = json.loads(noted)
    url, vcs = str(origin["url"]), origin.get("vcs_info")
    if vcs is not None:
        return shlex.quote(f"{vcs['vcs']}+{url}@{vcs['commit_id']}")
    place = url2pathname(urlsplit(url).path) if url.startswith("file:") else url
    return ("-e " if origin.get("dir_info", {}).get("editable") else "") + shlex.quote(place)
