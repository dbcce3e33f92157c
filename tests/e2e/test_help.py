"""Help: one screen to start with, the list of all commands, and a page for each, from what the commands say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from keel import registry
from keel.model.record import fields_of
from keel.surfaces.cli import commands
from keel.surfaces.cli.arguments import shown
from keel.surfaces.cli.help import START
from keel.surfaces.cli.main import Options
from tests.e2e.shop import ok, refused

VERBS = commands.names()
LINES, COLUMNS = 24, 100


def test_the_first_screen_fits_and_names_every_command(tmp_path: Path) -> None:
    said = ok(tmp_path, "--help")
    assert len(said.splitlines()) <= LINES
    assert max(map(len, said.splitlines())) <= COLUMNS
    for verb in VERBS:
        assert re.search(rf"\b{verb.split()[0]}\b", said.partition("Commands:")[2]), verb
    assert ok(tmp_path) == ok(tmp_path, "help") == ok(tmp_path, "-h") == said


def test_what_to_start_with_is_there(tmp_path: Path) -> None:
    first = [line.split()[1] for line, _ in START]
    assert len(first) == 3
    assert set(first) <= set(VERBS)
    assert f"  {START[0][0]} " in ok(tmp_path, "--help")


def test_every_built_in_command_says_what_it_is_good_for() -> None:
    assert commands.OTHERS not in commands.groups()


def test_the_list_says_what_each_does(tmp_path: Path) -> None:
    said = ok(tmp_path, "help", "commands")
    for verb in VERBS:
        assert re.search(rf"^  {verb} +{re.escape(commands.summary(commands.command(verb))[:40])}", said, re.MULTILINE)


@pytest.mark.parametrize("verb", VERBS)
def test_a_page_is_the_docstring_and_the_parameters(tmp_path: Path, verb: str) -> None:
    command = commands.command(verb)
    said = ok(tmp_path, *verb.split(), "--help")
    assert said.startswith(f"usage: keel {verb}")
    assert max(map(len, said.splitlines())) <= COLUMNS
    assert " ".join((command.__doc__ or "missing").split()) in " ".join(said.split())
    for name, field in [*fields_of(command.Params).items(), *fields_of(Options).items()]:
        assert shown(name, field) in said
        for choice in field.choices:
            assert choice in said
    assert "Exit codes:\n  0  success\n" in said
    assert ok(tmp_path, "help", *verb.split()) == ok(tmp_path, "-h", *verb.split()) == said


def test_the_page_of_a_family_lists_its_commands(tmp_path: Path) -> None:
    said = ok(tmp_path, "tools", "--help")
    assert ok(tmp_path, "tools") == ok(tmp_path, "help", "tools") == said
    for verb in registry.family("tools"):
        assert re.search(rf"^  {verb} +{re.escape(commands.summary(commands.command(verb))[:40])}", said, re.MULTILINE)


def test_defaults_and_bounds_are_on_the_page(tmp_path: Path) -> None:
    assert "(default 200)" in ok(tmp_path, "help", "describe")
    assert "(0 to 1; default 0)" in ok(tmp_path, "help", "export")


@pytest.mark.parametrize("verb", VERBS)
def test_programs_get_the_schemas(tmp_path: Path, verb: str) -> None:
    said = json.loads(ok(tmp_path, "help", *verb.split(), "--json"))
    for name in ("parameters", "answer", "failure"):
        jsonschema.Draft202012Validator.check_schema(said[name])
        assert said[name]["title"]


def test_help_of_what_is_not_there_names_the_nearest(tmp_path: Path) -> None:
    assert refused(tmp_path, "help", "whre") == "unknown command 'whre'; did you mean where?"


def test_a_command_that_cannot_be_loaded_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    command = commands.command

    def broken(verb: str) -> object:
        if verb == "export":
            raise ImportError("no such library")
        return command(verb)

    monkeypatch.setattr(commands, "command", broken)
    groups = commands.groups()
    assert groups[commands.OTHERS] == [("export", "(cannot be loaded: ImportError: no such library)")]
    assert ("where", commands.summary(command("where"))) in groups["ask"]
    assert list(groups)[-1] == commands.OTHERS
