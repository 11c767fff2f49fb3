"""Columns that a task declares: read by role, from arrays, tables and files, and refused where one is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.inputs.data import RowData
from pingce.inputs.predictions import Roles
from pingce.run.stream import TableColumns
from pingce.tasks import Task
from pingce.tasks.columns import ColumnRole, ColumnRoles

ARM = ColumnRole(
    "arm", Text("1 for rows that were treated", "受到干预的行为 1"), required=True, names=("arm", "treated")
)
SITE = ColumnRole("site", Text("where the row is from", "该行的来源"), values="ids")
DECLARED = ColumnRoles((ARM, SITE))
ROLES = Roles("y_score", declared=DECLARED)


def test_columns_are_given_as_they_are() -> None:
    read = ROLES.read(RowData([1, 0], [0.5, 0.2], roles={"arm": [1, 0]}), Reading())
    assert read.roles == {"arm": [1, 0]}


def test_names_are_columns_of_a_file_and_ids_are_text(tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("y,s,t,where\n1,0.5,1,007\n0,0.2,0,8\n")
    read = ROLES.read(RowData("y", "s", file, roles={"arm": "t", "site": "where"}), Reading())
    assert read.roles["arm"].values.tolist() == [1, 0]
    assert read.roles["site"].values.to_pylist() == ["007", "8"]
    assert str(read.roles["arm"].place(1)).endswith("rows.csv:3")


def test_a_column_that_is_needed_is_asked_for_in_both_languages() -> None:
    with pytest.raises(InputError) as refused:
        ROLES.read(RowData([1, 0], [0.5, 0.2]), Reading())
    assert refused.value.text.en == "arm= (--arm) is missing: 1 for rows that were treated"
    assert refused.value.text.zh == "缺少 arm=（--arm）：受到干预的行为 1"


def test_a_name_without_a_table_is_refused() -> None:
    with pytest.raises(InputError, match="arm='t' is the name of a column: give the table too"):
        ROLES.read(RowData([1, 0], [0.5, 0.2], roles={"arm": "t"}), Reading())


def test_what_a_task_declares_is_found_among_keywords() -> None:
    assert DECLARED.among({"arm": "t", "site": None, "weight": "w"}) == {"arm": "t"}
    assert DECLARED.required() == ("arm",)
    assert DECLARED.of("ids", {"arm": "t", "site": "where"}) == ("where",)
    assert "site" in DECLARED
    assert "weight" not in DECLARED
    assert SITE.flag == "--site"


def test_one_column_may_say_which_rows_are_one_whole() -> None:
    assert DECLARED.unit == ""
    page = ColumnRole("page", Text("which page a line is of", "该条属于哪一页"), values="ids", unit=True)
    declared = ColumnRoles((ARM, page))
    assert declared.unit == "page"
    words = Text("pages", "页")
    task = Task("pages", words, words, words, columns=declared)
    assert TableColumns("y", "s", roles={"page": "id"}).unit(task) == "id"
    assert TableColumns("y", "s", "user", roles={"page": "id"}).unit(task) == "user"
    assert TableColumns("y", "s").unit(task) is None
