"""Make the demo data of classifiers, regression and click prediction.

Three files hold out-of-fold predictions of real models on data sets bundled with scikit-learn: every row is predicted
by a model that was fitted without it. The fourth is a synthetic click log: a seeded generator draws the clicks from
known probabilities, and two made-up models see those probabilities in different parts, so that one orders all rows
better (AUC) and the other the rows of each user (GAUC).

    python scripts/make_demo_predictions.py [--out DIRECTORY]

Needs numpy, scikit-learn and pyarrow. The same versions of all three give the same bytes on every run.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sklearn.datasets import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    load_breast_cancer,
    load_diabetes,
    load_digits,
)
from sklearn.linear_model import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    LinearRegression,
    LogisticRegression,
)
from sklearn.model_selection import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    KFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB  # type: ignore[import-untyped,import-not-found,unused-ignore]
from sklearn.neighbors import NearestCentroid  # type: ignore[import-untyped,import-not-found,unused-ignore]
from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped,import-not-found,unused-ignore]
from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped,import-not-found,unused-ignore]

SEED = 20240229
FOLDS = 5
DECIMALS = 6
SMALLEST = 10.0**-DECIMALS
MEAN_FEATURES = 10
USERS = 400
LARGE_IDS = 100
FIRST_LARGE_ID = 2**60 + 1
KEEN_USERS = 6
ROWS = 12_000
CLICK_RATE = 0.065
PCOC_A = 1.31
PCOC_B = 0.99
DEFAULT_OUT = Path(__file__).resolve().parent.parent / "src" / "pingce" / "demo"

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def within_bounds(probabilities: Floats) -> Floats:
    """Round probabilities as they are written, and keep them off 0 and 1, where the log loss is infinite."""
    return np.asarray(np.clip(probabilities.round(DECIMALS), SMALLEST, 1 - SMALLEST), dtype=np.float64)


def breast_cancer_lines() -> Iterable[str]:
    """Yield the class and both models' probability of `malignant` for every tumour, from its ten mean features."""
    data = load_breast_cancer()
    names = data.target_names[data.target]
    features = data.data[:, :MEAN_FEATURES]
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    column = list(data.target_names).index("malignant")
    models = (
        make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky", tol=1e-10)),
        GaussianNB(),
    )
    logistic, bayes = (
        within_bounds(cross_val_predict(model, features, data.target, cv=folds, method="predict_proba")[:, column])
        for model in models
    )
    yield "label,logistic,naive_bayes"
    for name, first, second in zip(names, logistic, bayes, strict=True):
        yield f"{name},{first:.{DECIMALS}f},{second:.{DECIMALS}f}"


def digits_lines() -> Iterable[str]:
    """Yield the digit of every image, and the digit whose mean image is nearest to it."""
    data = load_digits()
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    with warnings.catch_warnings():
        # Pixels of the border are 0 in every image of a digit: of no matter to the distance, but worth a warning there.
        warnings.filterwarnings("ignore", message=".*zero standard deviation")
        predicted = cross_val_predict(NearestCentroid(), data.data, data.target, cv=folds)
    yield "true,pred"
    for digit, guess in zip(data.target, predicted, strict=True):
        yield f"{digit},{guess}"


def diabetes_lines() -> Iterable[str]:
    """Yield the progression of the disease of every patient, and what least squares predicts."""
    data = load_diabetes()
    folds = KFold(FOLDS, shuffle=True, random_state=SEED)
    predicted = cross_val_predict(LinearRegression(), data.data, data.target, cv=folds)
    yield "true,pred"
    for progression, guess in zip(data.target, predicted, strict=True):
        yield f"{progression:.0f},{guess:.3f}"


def sigmoid(logits: Floats) -> Floats:
    """Return the probabilities of these logits."""
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float64)


def with_mean(logits: Floats, mean: float) -> Floats:
    """Shift the logits so that their probabilities have this mean, and return the probabilities."""
    low, high = -30.0, 30.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if sigmoid(logits + middle).mean() < mean else (low, middle)
    return sigmoid(logits + low)


def draw_user_ids(rng: np.random.Generator) -> Ints:
    """Draw distinct user ids: small ones, and consecutive ones above 2**53 that float64 cannot tell apart."""
    small = rng.choice(np.arange(10_001, 100_000), USERS - LARGE_IDS, replace=False)
    large = FIRST_LARGE_ID + np.arange(LARGE_IDS, dtype=np.int64)
    return np.asarray(rng.permutation(np.concatenate([small, large])), dtype=np.int64)


def click_log() -> pa.Table:
    """Draw the synthetic click log, in time order.

    A click has the logit `user + match`: how readily this user clicks, and how well this item suits the user. A few
    users with hardly any rows click on nearly everything. Model a sees the user well and the match poorly, and promises
    too many clicks; model b sees the match well and the user poorly, and promises about as many clicks as there are.
    """
    rng = np.random.default_rng(SEED)
    ids = draw_user_ids(rng)
    activity = rng.lognormal(0.0, 1.3, USERS)
    readiness = rng.normal(0.0, 1.4, USERS)
    readiness[np.argsort(activity)[:KEEN_USERS]] = 8.0
    seen = rng.choice(USERS, ROWS - USERS, p=activity / activity.sum())
    user = rng.permutation(np.concatenate([np.arange(USERS), seen]))
    match = rng.normal(0.0, 1.0, ROWS)
    click = rng.random(ROWS) < with_mean(readiness[user] + match, CLICK_RATE)
    hazy = 0.2 * readiness + rng.normal(0.0, 0.4, USERS)
    rate = float(click.mean())
    first = readiness[user] + 0.2 * match + rng.normal(0.0, 0.3, ROWS)
    second = hazy[user] + 0.9 * match + rng.normal(0.0, 0.3, ROWS)
    return pa.table(
        {
            "user_id": ids[user],
            "click": click.astype(np.int8),
            "pctr_a": within_bounds(with_mean(first, PCOC_A * rate)).astype(np.float32),
            "pctr_b": within_bounds(with_mean(second, PCOC_B * rate)).astype(np.float32),
        }
    )


def write_text(path: Path, lines: Iterable[str]) -> None:
    """Write the lines as ASCII with the same line ends everywhere."""
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("ascii"))


def write_parquet(path: Path, log: pa.Table) -> None:
    """Write the log compressed, small: ids and clicks by dictionary, probabilities byte by byte."""
    pq.write_table(
        log,
        path,
        compression="zstd",
        compression_level=19,
        use_dictionary=["user_id", "click"],
        use_byte_stream_split=["pctr_a", "pctr_b"],
        store_schema=False,
    )


def make(out: Path) -> None:
    """Write the four files to the directory."""
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "breast_cancer.csv", breast_cancer_lines())
    write_text(out / "digits_classes.csv", digits_lines())
    write_text(out / "diabetes.csv", diabetes_lines())
    write_parquet(out / "ctr_log.parquet", click_log())


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description="Make the demo data of classifiers, regression and click prediction.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="directory to write to")
    make(parser.parse_args().out)


if __name__ == "__main__":
    main()
