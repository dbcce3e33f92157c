"""A small shop that is edited and compiled in this process, by a clock that tests set.

For what is remembered from one run to the next; how the command line shows it is tested from outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from keel.bootstrap import open_workspace
from keel.checking import settlement
from keel.model.findings import Finding
from keel.operations import compile as compiling
from keel.operations import map as mapping
from tests.workspaces import write_files

CALLEE = 'def charge(order: int) -> int:\n    """Charges."""\n    return order\n'
WIDER = CALLEE.replace("order: int)", "order: int, amount: int)")
CALLERS = "".join(f'def pay{n}() -> int:\n    """Pays."""\n    return charge({n})\n\n\n' for n in range(3))
APP = f"from shop import charge\n\n\n{CALLERS}"
UNTYPED = 'def fresh(a):\n    """Is new."""\n    return a\n'
FILES = {"shop.py": CALLEE, "app.py": APP, "other.py": '"""Something else."""\n'}


class Shop:
    """A workspace whose accepted tree is FILES."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str] = FILES) -> None:
        self.folder = write_files(folder, files)
        self.now = 1_000_000.0
        monkeypatch.setattr(settlement, "clock", lambda: self.now)
        for name in (settlement.NAMED, settlement.IN_HOOK):
            monkeypatch.delenv(name, raising=False)
        mapping.run(open_workspace(str(folder), str(folder)), mapping.Params())

    @property
    def memory(self) -> Path:
        """Where sessions are remembered."""
        return self.folder / ".keel" / "session.json"

    def edit(self, **files: str) -> None:
        """Writes files, named without their suffix."""
        write_files(self.folder, {f"{name}.py": text for name, text in files.items()})

    def fix(self, callers: int) -> None:
        """Makes so many of the three callers fit the wider callee."""
        text = APP
        for number in range(callers):
            text = text.replace(f"charge({number})", f"charge({number}, 1)")
        self.edit(app=text)

    def compile(self, *files: str, **given: Any) -> compiling.Result:
        """Compiles these files, or all."""
        workspace = open_workspace(str(self.folder), str(self.folder))
        return compiling.run(workspace, compiling.Params(files=files, **given))

    def codes(self, *files: str, **given: Any) -> list[str]:
        """What compiling finds: `E005` for an error, `e005` for a warning."""
        found = self.compile(*files, **given)
        return [*(each.code for each in found.errors), *(each.code.lower() for each in found.warnings)]

    def only(self, *files: str, **given: Any) -> Finding:
        """The one finding there is."""
        found = self.compile(*files, **given)
        [one] = (*found.errors, *found.warnings)
        return one
