"""Make the demo data: image-to-image retrieval over the digits images bundled with scikit-learn.

Two unsupervised embeddings rank the same collection for the same 200 queries; an image is relevant when it shows
the same digit as the query. The labels choose the queries and make the judgements; no embedding ever sees them.

    python scripts/make_demo_data.py [--out DIRECTORY]

Needs numpy and scikit-learn. The same versions of both give the same bytes on every run.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits  # type: ignore[import-untyped,import-not-found,unused-ignore]

SEED = 20240229
QUERIES_PER_DIGIT = 20
DEPTH = 100
COMPONENTS = 8
DECIMALS = 6
DEFAULT_OUT = Path(__file__).resolve().parent.parent / "src" / "pingce" / "demo"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def load_images() -> tuple[Floats, Ints]:
    """Return the 1,797 images as rows of 64 pixels, and the digit that each one shows."""
    digits = load_digits()
    return np.asarray(digits.data, dtype=np.float64), np.asarray(digits.target, dtype=np.int64)


def pick_queries(labels: Ints) -> Ints:
    """Pick the same number of query images for every digit, and return their positions in order."""
    rng = np.random.default_rng(SEED)
    picked = [rng.choice(np.flatnonzero(labels == d), QUERIES_PER_DIGIT, replace=False) for d in range(10)]
    return np.sort(np.concatenate(picked))


def cosine_scores(images: Floats, queries: Ints, items: Ints) -> Floats:
    """Score every item for every query by the cosine of their raw pixels."""
    unit = images / np.linalg.norm(images, axis=1, keepdims=True)
    return np.asarray(unit[queries] @ unit[items].T, dtype=np.float64)


def pca_scores(images: Floats, queries: Ints, items: Ints) -> Floats:
    """Score every item for every query by the negated distance over the first principal components of all images."""
    centred = images - images.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:COMPONENTS]
    points = centred @ axes.T
    differences = points[queries][:, None, :] - points[items][None, :, :]
    return np.asarray(-np.sqrt((differences**2).sum(axis=2)), dtype=np.float64)


def query_id(position: int) -> str:
    """Return the id of the query image at this position of the data set."""
    return f"q{position:04d}"


def item_id(position: int) -> str:
    """Return the id of the collection image at this position of the data set."""
    return f"digit-{position:04d}"


def qrels_lines(labels: Ints, queries: Ints, items: Ints) -> Iterator[str]:
    """Yield one TREC judgement for every relevant item of every query; unlisted items are not relevant."""
    for query in queries:
        for item in items[labels[items] == labels[query]]:
            yield f"{query_id(query)} 0 {item_id(item)} 1"


def run_lines(name: str, scores: Floats, queries: Ints, items: Ints) -> Iterator[str]:
    """Yield the best items of every query as TREC run lines; equal written scores keep the order of the ids."""
    rounded = scores.round(DECIMALS)
    for query, row in zip(queries, rounded, strict=True):
        best = np.argsort(-row, kind="stable")[:DEPTH]
        for rank, column in enumerate(best, start=1):
            yield f"{query_id(query)} Q0 {item_id(items[column])} {rank} {row[column]:.{DECIMALS}f} {name}"


def write_gzip(path: Path, lines: Iterable[str]) -> None:
    """Write the lines compressed, with neither a time nor a file name in the header."""
    text = "".join(f"{line}\n" for line in lines)
    with path.open("wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=9, mtime=0) as file:
        file.write(text.encode("ascii"))


def make(out: Path) -> None:
    """Write the judgements and both runs to the directory."""
    images, labels = load_images()
    queries = pick_queries(labels)
    items = np.setdiff1d(np.arange(len(labels)), queries)
    out.mkdir(parents=True, exist_ok=True)
    write_gzip(out / "digits.qrels.gz", qrels_lines(labels, queries, items))
    write_gzip(out / "pixels.run.gz", run_lines("pixels", cosine_scores(images, queries, items), queries, items))
    write_gzip(out / "pca8.run.gz", run_lines("pca8", pca_scores(images, queries, items), queries, items))


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description="Make the digits demo data.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="directory to write to")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
