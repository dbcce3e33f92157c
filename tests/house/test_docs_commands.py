"""Pages show commands that exist, with options that exist, and the output that they really have.

What commands do is tested with them; how sessions are run is said by `tools.docs.sessions`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import pytest

from keel import registry
from tools.docs import sessions
from tools.docs.catalogue import commands, options_of
from tools.docs.repository import markdown_pages, text_of

FOR_DEVELOPERS = ("CONTRIBUTING.md", "AGENTS.md")
"""They name options of other programs too."""

_fence = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_span = re.compile(r"`([^`\n]+)`")
_option = re.compile(r"(--[a-z][a-z-]*)(?:[ =].*)?")


@pytest.mark.usefixtures("with_ty")
@pytest.mark.parametrize("page", sessions.pages())
def test_the_output_that_a_page_shows_is_real(page: str) -> None:
    wrong = [
        f"$ {step.command}\n" + "\n".join(real) + "\nbut the page shows\n" + "\n".join(step.shown)
        for step, real in sessions.differences(page)
    ]
    if wrong:
        pytest.fail(f"{page}: run `make docs` and review the difference\n\n" + "\n\n".join(wrong), pytrace=False)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("README.md", {"map", "compile"}),
        ("docs/getting-started.md", {"map", "where", "describe", "sync", "export"}),
    ],
)
def test_the_first_pages_show_keel_at_work(page: str, expected: set[str]) -> None:
    shown = [step.command.split()[1] for step in sessions.steps(text_of(page)) if step.command.startswith("keel ")]
    assert expected <= set(shown)


@pytest.mark.parametrize("page", markdown_pages())
def test_every_command_in_a_page_is_there(page: str) -> None:
    text = text_of(page)
    wrong = [problem for words in calls(text) for problem in problems(words)]
    if page not in FOR_DEVELOPERS:
        every = set[str]().union(*(options_of(command) for command in commands()))
        wrong += [f"no command has {option}" for option in bare_options(text) if option not in every]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`keel map --fresh`", []),
        ("`keel export \\| head`", []),
        ("`keel COMMAND --help`", []),
        ("`keel nothing`", ["there is no command nothing"]),
        ("`keel map --stale`", ["keel map has no --stale"]),
        ("```sh\nkeel export --kind class | dot -Tsvg -o x.svg  # drawn\n```\n", []),
        ("```console\n$ keel where a --deep\n```\n", ["keel where has no --deep"]),
        ("```text\nkeel nothing\n```\n", []),
    ],
)
def test_a_command_that_is_not_there_is_seen(text: str, expected: list[str]) -> None:
    assert [problem for words in calls(text) for problem in problems(words)] == expected


@pytest.mark.parametrize(
    ("shown", "real", "expected"),
    [
        (["a", "b"], ["a", "b"], True),
        (["a", "…"], ["a", "b", "c"], True),
        (["a", "…", "c"], ["a", "c"], True),
        (["a … c"], ["a b c"], True),
        (["done in 0.1 s"], ["done in 12.5 s"], True),
        (["a"], ["a", "b"], False),
        (["a", "…", "b"], ["a", "c"], False),
        ([], ["a"], False),
    ],
)
def test_what_is_shown_is_compared_with_what_is_said(shown: list[str], real: list[str], expected: bool) -> None:
    assert sessions.matches(shown, real) is expected


def test_a_refreshed_output_is_as_short_as_before() -> None:
    assert sessions.abridged(["1", "2", "3", "4", "5"], ["a", "b", "…", "c"]) == ["1", "2", "…", "5"]
    assert sessions.abridged(["1", "2"], ["a", "b", "…", "c"]) == ["1", "2"]
    assert sessions.abridged(["1", "2"], ["a"]) == ["1", "2"]


def calls(text: str) -> Iterator[list[str]]:
    """The words of every call of keel in a page: in blocks for the shell, and in the text."""
    for language, block in _fence.findall(text):
        if language in ("sh", "console"):
            for line in block.splitlines():
                if language == "sh" or line.startswith("$ "):
                    yield from calls_in(line.removeprefix("$ "))
    for span in _span.findall(_fence.sub("", text)):
        if span.startswith("keel "):
            yield from calls_in(span.replace("\\|", "|"))


def calls_in(line: str) -> Iterator[list[str]]:
    """The words after `keel`, up to the next pipe or redirection."""
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    words: list[str] | None = None
    for word in [*reader, "|"]:
        if set(word) <= set("|&;<>()"):
            if words is not None:
                yield words
            words = None
        elif words is not None:
            words.append(word)
        elif word == "keel":
            words = []


def problems(words: list[str]) -> Iterator[str]:
    """What is wrong with a call; a verb in capitals means any."""
    known = {command.name: command for command in commands()}
    loose = [word for word in words if not word.startswith("-")]
    verb = " ".join(loose[: 2 if registry.family(loose[0]) else 1]) if loose else ""
    if registry.family(verb) or (" " in verb and verb.split()[1].isupper()):
        return
    if verb.islower() and verb not in known:
        yield f"there is no command {verb}"
        return
    options = options_of(known.get(verb))
    for word in words:
        option = word.partition("=")[0]
        if option.startswith("-") and option not in options:
            yield f"keel {verb} has no {option}"


def bare_options(text: str) -> Iterator[str]:
    """Options that the text names by themselves."""
    for span in _span.findall(_fence.sub("", text)):
        found = _option.fullmatch(span)
        if found:
            yield found[1]
