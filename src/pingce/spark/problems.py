"""What goes wrong on a cluster, said in one sentence and not as a Java stack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pingce.base.errors import EmptyInputError, InputError, PingceError, first_words
from pingce.base.text import Text

_KINDS = {kind.__name__: kind for kind in (InputError, EmptyInputError)}
_CONNECTION = (
    "Py4JNetworkError",
    "ConnectionRefused",
    "ConnectionReset",
    "Connection refused",
    "Connection reset",
    "UNAVAILABLE",
    "Answer from Java side is empty",
    "SparkContext was shut down",
    "stopped SparkContext",
    "All masters are unresponsive",
    "NO_ACTIVE_SESSION",
    "SESSION_CLOSED",
)
_KNOWN = {
    ("Can't get attribute", "pingce"): Text(
        "the executors have another version of pingce; install the driver's version there, or ship it with --archives",
        "执行节点上的 pingce 版本不同；请在各节点安装与驱动端相同的版本，或用 --archives 分发打包的环境",
    ),
    ("JAVA_GATEWAY_EXITED",): Text(
        "Spark's Java did not start; install Java 17, or say where it is with JAVA_HOME",
        "Spark 的 Java 进程未能启动；请安装 Java 17，或用 JAVA_HOME 指明其位置",
    ),
    ("PYTHON_VERSION_MISMATCH",): Text(
        "the executors run another version of Python than the driver; point PYSPARK_PYTHON to the same version everywhere",
        "执行节点与驱动端的 Python 版本不同；请让 PYSPARK_PYTHON 在各处指向同一版本",
    ),
    ("maxResultSize",): Text(
        "the evidence of all queries or rows is larger than spark.driver.maxResultSize; raise it (and the memory of the driver)",
        "全部查询或数据行的证据超过 spark.driver.maxResultSize；请调大该设置（以及驱动端内存）",
    ),
}
"Words of Spark, and what to do then."


def problem_to_line(problem: PingceError) -> str:
    """A sentence of ours, to be sent from an executor to the driver."""
    kind = type(problem).__name__ if type(problem).__name__ in _KINDS else "InputError"
    return json.dumps({"kind": kind, "en": problem.text.en, "zh": problem.text.zh})


def problem_from_line(text: str) -> PingceError:
    """The sentence that an executor wrote."""
    problem = json.loads(text)
    return _KINDS[problem["kind"]](problem["en"], problem["zh"])


@contextmanager
def translate_spark_errors() -> Iterator[None]:
    """Errors of Spark and of its connections as sentences; any other error as it is."""
    try:
        yield
    except Exception as problem:
        root = type(problem).__module__.partition(".")[0]
        if isinstance(problem, PingceError) or not (
            root in ("pyspark", "py4j", "grpc") or isinstance(problem, ConnectionError)
        ):
            raise
        raise _sentence(problem) from problem


def _sentence(problem: Exception) -> InputError:
    parts = f"{type(problem).__name__}: {problem}"
    module = re.search(r"No module named '((?:pingce|pyarrow|numpy|pandas)[\w.]*)'", parts)
    if module:
        return _without_module(module[1])
    advice = next((text for words, text in _KNOWN.items() if all(word in parts for word in words)), None)
    if advice is not None:
        return InputError(advice.en, advice.zh)
    if isinstance(problem, ConnectionError) or any(word in parts for word in _CONNECTION):
        return InputError(
            f"the connection to Spark was lost ({_short(parts)}); is the cluster running? Make a new session and try again",
            f"与 Spark 的连接已中断（{_short(parts)}）；请确认集群在运行，重建会话后重试",
        )
    return InputError(
        f"Spark gave up: {_short(parts)}; the log of the driver says more",
        f"Spark 任务失败：{_short(parts)}；详见驱动端日志",
    )


def _without_module(name: str) -> InputError:
    return InputError(
        f"the Python of the executors has no module '{name}': install the driver's version of pingce on every node "
        "(in its checkout: pip install '.[spark]'), or ship a packed environment with --archives and set PYSPARK_PYTHON to the Python in it "
        "(see docs/spark.md)",
        f"执行节点的 Python 中没有模块 '{name}'：请在每个节点安装与驱动端相同版本的 pingce（在其源码目录中：pip install '.[spark]'），"
        "或用 --archives 分发打包的环境，并将 PYSPARK_PYTHON 指向其中的 Python（见 docs/spark.md）",
    )


def _short(words: str) -> str:
    """The line that names the cause: the deepest one that Python or Java wrote, else the first."""
    causes = re.findall(r"^(?:Caused by: )?([\w.]*(?:Error|Exception): .+)$", words, re.MULTILINE)
    return (causes[-1] if causes else first_words(Exception(words)))[:300]
