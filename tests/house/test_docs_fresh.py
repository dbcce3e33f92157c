"""Pages that are made from the code say what the code says now, and nothing of it is missing in them.

Whether the words are good ones is for readers; links are held by `test_docs_links`, commands by `test_docs_commands`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from keel import config, registry
from keel.languages.python.resolve.lookup import lookup
from keel.model.record import Record, fields_of
from tests.repository import TOP, name_of, source_modules
from tools.docs import configuration, errors, pages, vocabulary
from tools.docs.catalogue import commands

GENERATED = pages.generated()
RUN = "run `make docs` and review the difference"


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_page_is_fresh(name: str) -> None:
    path = TOP / name
    assert path.exists(), f"{name} does not exist; {RUN}"
    assert path.read_text(encoding="utf-8") == GENERATED[name], f"{name} is not what the code says; {RUN}"


def test_no_page_is_left_from_before() -> None:
    assert pages.stale() == [], RUN


@pytest.mark.parametrize("region", pages.REGIONS)
def test_every_region_is_in_some_page(region: str) -> None:
    assert any(f"<!-- made by make docs: {region} -->" in text for text in GENERATED.values())


@pytest.mark.parametrize("verb", [command.name for command in commands()])
def test_every_command_has_a_page_with_an_example(verb: str) -> None:
    page = GENERATED[f"docs/commands/{verb.replace(' ', '-')}.md"]
    assert f"\nkeel {verb}" in page.partition("```sh")[2].partition("```sh")[2], "its docstring shows no example"
    assert f"`keel {verb}`" in GENERATED["docs/commands/README.md"]


def test_every_operation_is_a_command() -> None:
    assert {command.name for command in commands()} >= set(registry.names(registry.OPERATIONS))


def test_every_key_of_the_configuration_is_explained() -> None:
    page = GENERATED["docs/configuration.md"]
    assert [key for key in keys_of(config.Config, "") if f"`{key}`" not in page and f"`[{key}]`" not in page] == []
    assert [kind.__name__ for kind in records() for said in fields_of(kind).values() if not said.help] == []


@pytest.mark.parametrize(("section", "example"), list(configuration.examples()))
def test_the_example_of_a_section_is_accepted(section: str, example: str, tmp_path: Path) -> None:
    (tmp_path / ".keel").mkdir()
    (tmp_path / ".keel/config.toml").write_text(example, encoding="utf-8")
    assert f"[{section}" in example
    assert config.load(str(tmp_path)) != config.defaults()


@pytest.mark.parametrize("kind", errors.kinds())
def test_every_error_is_explained(kind: type) -> None:
    assert kind.__name__ in GENERATED["docs/errors.md"]


@pytest.mark.parametrize("entry", vocabulary.words(), ids=lambda entry: f"{entry.kind} {entry.word}")
def test_every_word_of_the_graph_has_a_meaning(entry: vocabulary.Entry) -> None:
    assert entry.meaning.endswith(".")
    assert f"`{entry.word}`" in GENERATED["docs/vocabulary.md"]


def test_every_module_is_in_the_architecture() -> None:
    page = GENERATED["docs/architecture.md"]
    plain = [path for path in source_modules() if path.name != "__init__.py"]
    assert [name_of(path) for path in plain if f"(../{name_of(path)})" not in page] == []


def test_the_confidence_of_every_way_to_an_edge_is_told() -> None:
    section = GENERATED["docs/concepts.md"].partition("The **confidence**")[2].partition("##")[0]
    ways = [lookup.LEXICAL, lookup.RELATIVE, lookup.ABSOLUTE, lookup.RE_EXPORT, lookup.RECEIVER, lookup.STAND_IN]
    ways += [lookup.STAR_LISTED, lookup.STAR_UNLISTED, lookup.SEVERAL, lookup.NAMESPACE_LESS]
    assert [way for way in ways if f"{way / 100:.2f}" not in section] == []


def keys_of(kind: type[Record], prefix: str) -> Iterator[str]:
    """Every key of a record and of the records in it, as the file writes them."""
    for name, said in configuration.keys_of(kind).items():
        yield f"{prefix}{name}"
        if isinstance(said.default, Record):
            yield from keys_of(type(said.default), f"{prefix}{name}.")


def records() -> list[type[Record]]:
    """The classes the configuration is made of."""
    found = vars(config).values()
    return [kind for kind in found if isinstance(kind, type) and issubclass(kind, Record) and kind is not Record]
