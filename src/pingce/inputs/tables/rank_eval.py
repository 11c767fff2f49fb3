"""Elasticsearch's (and OpenSearch's) _rank_eval: a request has the ratings, its response what the searches returned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pingce.inputs.indices import SEVERAL
from pingce.inputs.tables.documents import DocumentRows, Entry, objects_with


class RankEvalRows(DocumentRows):
    """The ratings of a request as a truth, the hits of a response as a run; a query is called by its id."""

    title = "_rank_eval"

    @classmethod
    def holds(cls, data: Mapping[str, object]) -> bool:
        """A request has rated requests, a response details beside its score."""
        inner = data.get("rank_eval", data)
        if objects_with(data.get("requests"), "ratings"):
            return True
        return isinstance(inner, Mapping) and isinstance(inner.get("details"), Mapping) and "metric_score" in inner

    def ratings(self, data: Any) -> Iterator[Entry]:
        """The rated documents of all requests; those without any are counted."""
        if "requests" not in data:
            self.refuse(
                "a response of _rank_eval has ratings of its hits only; give the request, which has all of them",
                "_rank_eval 的响应只有命中文档的评级；请给出含有全部评级的请求",
            )
        requests = self.of(data, "requests", list, "request")
        rated = [self.of(each, "ratings", list, f"requests[{at}]") for at, each in enumerate(requests)]
        self._tell_indices(document for ratings in rated for document in ratings)
        if empty := sum(not ratings for ratings in rated):
            self.note(
                f"{empty} of {len(rated)} requests have no ratings", f"{len(rated)} 个请求中有 {empty} 个没有评级"
            )
        for at, (request, ratings) in enumerate(zip(requests, rated, strict=True)):
            query = self.of(request, "id", str, f"requests[{at}]")
            for number, document in enumerate(ratings):
                place = f"requests[{at}].ratings[{number}]"
                yield Entry(query, self._item(document, place), self.number(document, "rating", place), place)

    def hits(self, data: Any) -> Iterator[Entry]:
        """The hits of every request, in their order; requests that failed are counted."""
        inner = data.get("rank_eval", data)
        if "details" not in inner:
            self.refuse(
                "a request of _rank_eval returns no documents; give its response, which has the hits",
                "_rank_eval 的请求没有返回文档；请给出含有命中的响应",
            )
        details = self.of(inner, "details", Mapping, "response")
        if inner.get("failures"):
            count = len(self.of(inner, "failures", Mapping, "response"))
            self.note(f"{count} requests failed, and have no hits", f"{count} 个请求失败，没有命中")
        lists = {query: self.of(each, "hits", list, f"details.{query}") for query, each in details.items()}
        self._tell_indices(hit.get("hit") for hits in lists.values() for hit in hits if isinstance(hit, Mapping))
        for query, hits in lists.items():
            for rank, hit in enumerate(hits, 1):
                place = f"details.{query}.hits[{rank - 1}]"
                document = self.of(hit, "hit", Mapping, place)
                yield Entry(query, self._item(document, f"{place}.hit"), -float(rank), place)

    def _item(self, document: Any, place: str) -> str:
        name: str = self.of(document, "_id", str, place)
        return f"{self.of(document, '_index', str, place)}/{name}" if self.index == SEVERAL else name

    def _tell_indices(self, documents: Iterator[Any]) -> None:
        """Which indices documents are in: where there are several, an id alone does not tell them apart."""
        indices = (each.get("_index") for each in documents if isinstance(each, Mapping))
        names = [*dict.fromkeys(name if isinstance(name, str) else None for name in indices)]
        if len(names) > 1:
            self.index, listed = SEVERAL, ", ".join(map(str, names))
            self.note(
                f"documents of several indices ({listed}) are called index/id",
                f"文档来自多个索引（{listed}），以“索引/编号”称呼",
            )
        elif names:
            self.index = names[0] or None
