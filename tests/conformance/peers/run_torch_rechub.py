"""Ask torch-rechub about every case: `topk_metrics`, for all users and for each alone."""

from __future__ import annotations

from peer_files import Answers, Case, ItemCase, LabelCase, read_item_cases, read_label_cases
from recommended import CUTS, MEMBERSHIP, best_first, truth, wanted_cases
from torch_rechub.basic.metric import auc_score, coverage_score, topk_metrics

FILLER = "nobody wants this"


def values(true: dict[str, list[str]], pred: dict[str, list[str]]) -> dict[str, float]:
    """All metrics at all cuts; it says them as text."""
    said = topk_metrics(true, pred, topKs=list(CUTS))
    return {line.split(": ")[0]: float(line.split(": ")[1]) for lines in said.values() for line in lines}


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case; a list must have k items, so that short ones are filled."""
    true, lists = truth(case), best_first(case)
    pred = {user: lists.get(user, []) + [FILLER] * max(CUTS) for user in true}
    means = values(true, pred)
    alone = {user: values({user: true[user]}, {user: pred[user]}) for user in sorted(true)}
    for name, mean in means.items():
        answers.add(case, name, {user: found[name] for user, found in alone.items()}, mean)


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """AUC; GAUC is NaN as soon as one user has one class only, as in every case with users."""
    columns = case.columns
    if len(set(columns["y_true"])) == 2:
        answers.add_label(case, "auc_score", float(auc_score(columns["y_true"], columns["y_score"])))


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown."""
    for line in coverage_score(case.run, set(case.catalog), topKs=[2, 3])["Coverage"]:
        answers.add_items(case, line.split(": ")[0], float(line.split(": ")[1]))


def main() -> None:
    """Write torch_rechub.json."""
    answers = Answers("torch_rechub", "torch-rechub")
    answers.note("every value is rounded to 4 decimal places", "")
    answers.note(MEMBERSHIP, "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    answers.note("a list shorter than k is an error; it is filled with an item that nobody wants", "short")
    for case in wanted_cases():
        ask(case, answers)
    for labels in read_label_cases():
        if labels.task == "binary":
            ask_labels(labels, answers)
    for items in read_item_cases():
        ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
