"""OpenSearch's Search Relevance Workbench: judgment lists, and the results of experiments, as its API takes and gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.inputs.tables.documents import DocumentRows, Entry, objects_with

JUDGMENTS, RESULTS = "judgmentRatings", "documentIds"


class WorkbenchRows(DocumentRows):
    """The ratings of judgment lists as a truth, the documents of evaluation results as a run; a query is called by its text."""

    title = "Search Relevance Workbench"

    @classmethod
    def holds(cls, data: Mapping[str, object]) -> bool:
        """A judgment list, an evaluation result, or what a search of their index gave."""
        hits = data.get("hits")
        inner = hits.get("hits") if isinstance(hits, Mapping) else None
        is_result = isinstance(data.get(RESULTS), list) and isinstance(data.get("searchText"), str)
        return objects_with(data.get(JUDGMENTS), "ratings") or is_result or objects_with(inner, "_source")

    def ratings(self, data: Any) -> Iterator[Entry]:
        """The rated documents of every query; what a model failed to rate is counted."""
        failures = 0
        for where, source in self._sources(data, JUDGMENTS):
            for at, rated in enumerate(self.of(source, JUDGMENTS, list, where)):
                place = f"{where}.{JUDGMENTS}[{at}]"
                query = self.of(rated, "query", str, place)
                failures += len(self.of(rated, "failures", list, place)) if rated.get("failures") else 0
                for number, document in enumerate(self.of(rated, "ratings", list, place)):
                    there = f"{place}.ratings[{number}]"
                    yield Entry(
                        query, self.of(document, "docId", str, there), self.number(document, "rating", there), there
                    )
        if failures:
            self.note(
                f"{failures} documents could not be rated, and are unjudged", f"{failures} 个文档评级失败，按未标注处理"
            )

    def hits(self, data: Any) -> Iterator[Entry]:
        """The documents of every query, in their order."""
        for where, source in self._sources(data, RESULTS):
            query = self.of(source, "searchText", str, where)
            for rank, item in enumerate(self.of(source, RESULTS, list, where), 1):
                place = f"{where}.{RESULTS}[{rank - 1}]"
                yield Entry(query, self._item(item, place), -float(rank), place)

    def _item(self, item: Any, place: str) -> str:
        """The id of a document: a text, or a number that stands for one."""
        if isinstance(item, (str, int)) and not isinstance(item, bool):
            return str(item)
        text = json.dumps(item, ensure_ascii=False)[:80]
        raise InputError(
            f"{self.file.path}: {place} is {text}, not the id of a document; mend the list",
            f"{self.file.path}：{place} 为 {text}，不是文档编号；请更正该列表",
        )

    def _sources(self, data: Any, key: str) -> list[tuple[str, Any]]:
        """The documents with this key: the file itself, or all that a search of the index gave."""
        if key in data:
            return [("document", data)]
        inner: Any = data["hits"].get("hits") if isinstance(data.get("hits"), Mapping) else None
        hits: list[Any] = inner if objects_with(inner, "_source") else []
        self._tell_rest(data, len(hits))
        sources = [(f"hits.hits[{at}]._source", hit["_source"]) for at, hit in enumerate(hits)]
        holding = [(where, source) for where, source in sources if isinstance(source, Mapping) and key in source]
        if not holding:
            self.refuse(
                f"there is no {key} in it; a truth is a judgment list, a run the evaluation results of an experiment",
                f"其中没有 {key}；真值应为评级列表，预测应为实验的评测结果",
            )
        return holding

    def _tell_rest(self, data: Any, count: int) -> None:
        """Say that a search found more than it gave: ten, unless it is asked for more."""
        total = data["hits"].get("total") if isinstance(data.get("hits"), Mapping) else None
        most = total.get("value") if isinstance(total, Mapping) else total
        if isinstance(most, int) and most > count:
            self.note(
                f"the search found {most} documents and gave {count}; ask it for all of them with size",
                f"该搜索找到 {most} 份文档，只返回 {count} 份；请用 size 取回全部",
            )
