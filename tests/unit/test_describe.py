"""Describe: its source as it reads, and where the answer cannot be whole, that what is missing is said."""

from __future__ import annotations

import pytest

from keel.bootstrap import open_workspace
from keel.operations import describe
from keel.operations import map as map_operation
from tests.workspaces import MakeWorkspace


def test_a_source_that_cannot_be_read_is_said_to_be_missing(
    workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = open_workspace(str(workspace({"a.py": "def f():\n    return 1\n"})))
    map_operation.run(opened, map_operation.Params())
    assert describe.run(opened, describe.Params(symbol="f")).note == ""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(describe, "read_regular", refuse)
    answer = describe.run(opened, describe.Params(symbol="f"))
    assert answer.source == ""
    assert answer.note.startswith("the source cannot be read (Permission denied)")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param("# -*- coding: latin-1 -*-\ndef f():\n    return 'café'\n".encode("latin-1"), id="declared"),
        pytest.param("\ndef f():\n    return 'café'\n".encode("utf-8-sig"), id="byte order mark"),
        pytest.param("\rdef f():\r    return 'café'\r".encode(), id="carriage returns"),
    ],
)
def test_the_source_is_decoded_as_the_file_declares(workspace: MakeWorkspace, data: bytes) -> None:
    folder = workspace({})
    (folder / "a.py").write_bytes(data)
    opened = open_workspace(str(folder))
    map_operation.run(opened, map_operation.Params())
    answer = describe.run(opened, describe.Params(symbol="f"))
    assert (answer.source_line, answer.source) == (2, "def f():\n    return 'café'")
