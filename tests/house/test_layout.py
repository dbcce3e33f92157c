"""Folders and modules are named after what they are, belong to a layer, and form no rings.

The direction between layers is import-linter's; its contract is in `pyproject.toml`.
"""

from __future__ import annotations

import re

import grimp
import pytest

from tests.repository import PACKAGE, name_of, settings, source_modules

NAMELESS = {"common", "core", "helpers", "misc", "util", "utils"}
ASKED = "indexing/helpers/"
"""Helpers in the sense of the graph: programs such as ty that are asked about references."""


def test_every_name_says_what_the_thing_is() -> None:
    nameless = [
        name_of(path) for path in source_modules() if NAMELESS & {*path.relative_to(PACKAGE).parent.parts, path.stem}
    ]
    assert [name for name in nameless if ASKED not in name] == []


def test_every_folder_belongs_to_a_layer() -> None:
    folders = {path.relative_to(PACKAGE).parts[0] for path in source_modules() if path.parent != PACKAGE}
    assert folders - layered() == set()


def test_every_folder_with_code_is_a_package() -> None:
    folders = {path.parent for path in source_modules()}
    assert [name_of(path) for path in sorted(folders) if not (path / "__init__.py").exists()] == []


def test_no_module_is_in_a_ring_with_its_own_package() -> None:
    """Rings between siblings are import-linter's; it does not see a child import its parent."""
    graph = grimp.build_graph("keel", exclude_type_checking_imports=True, cache_dir=None)
    rings = [
        f"{module} imports {package}, which imports it"
        for module in sorted(graph.modules)
        for package in sorted(graph.find_modules_directly_imported_by(module))
        if module.startswith(f"{package}.") and graph.chain_exists(package, module)
    ]
    assert rings == []


@pytest.mark.parametrize("layer", ["surfaces", "agents", "errors"])
def test_the_layers_are_read_whole(layer: str) -> None:
    assert layer in layered()


def layered() -> set[str]:
    """The names in the layers contract, optional ones included."""
    contracts = settings()["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    return set(re.findall(r"\w+", " ".join(layers)))
