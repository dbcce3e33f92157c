"""The External socket for Python: the top-level package that the import behind a reference names.

Which distribution installs it, and what is in it, is not known here.
"""

from __future__ import annotations

from keel.languages.python.facts import UNBOUND, Interface
from keel.languages.python.standard_library import NAMES_OF_PYTHON
from keel.model.facts import Reference

BUILTINS = "builtins"


class PythonExternal:
    """Packages by the imports of a file."""

    def package_of(self, interface: Interface, reference: Reference) -> str:
        """The first name of the one module that the reference is imported from, or `builtins`."""
        first = interface.text(reference.text).partition(".")[0]
        if reference.root == UNBOUND:
            return BUILTINS if first in NAMES_OF_PYTHON else ""
        items = interface.imports_of(reference) or interface.module_imports_of(reference)
        packages = {interface.text(item.module).partition(".")[0] for item in items if not item.level}
        return packages.pop() if len(packages) == 1 else ""
