"""Each fault of a server costs what it must and no more, and gives one warning: never a hang, never a traceback.

What holds for every way of asking is in `tests/contract/test_definitions.py`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from keel.errors import HelperEnded, HelperError, HelperGarbled, HelperMissing, HelperRefused, HelperSilent
from keel.ports.definitions import Answer, Position
from keel.resolvers.lsp.client import Launch
from keel.resolvers.lsp.definitions import ServerDefinitions
from tests.fake_server import Script
from tests.servers import ENOUGH, LONG, SHORT, fake, nothing_is_left

LINES = 20


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    yield
    assert nothing_is_left(str(tmp_path))


@pytest.fixture
def questions(tmp_path: Path) -> list[Position]:
    """One question a line; each asks what its own name is."""
    text = "".join(f"def f{number}(): ...\n" for number in range(1, LINES + 1))
    file = tmp_path / "a.py"
    file.write_text(text, encoding="utf-8")
    return [Position(str(file), number, 5) for number in range(1, LINES + 1)]


def asked(
    launch: Launch, questions: list[Position], seconds: float = LONG, in_flight: int = 8
) -> tuple[list[Answer], HelperError | None]:
    """All answers, and the trouble that is left."""
    with ServerDefinitions(launch, seconds, in_flight) as server:
        pairs = list(server.ask(questions))
        assert [question for question, _ in pairs] == questions
        return [answer for _, answer in pairs], server.trouble


def lost(answers: list[Answer]) -> list[int]:
    """The lines whose questions could not be asked."""
    return [line for line, answer in enumerate(answers, start=1) if answer is None]


def right(answers: list[Answer]) -> bool:
    """Whether every answer that was given is the right one."""
    return all(
        len(answer) == 1 and (answer[0].line, answer[0].column, answer[0].end_column) == (line, 5, 6 + len(str(line)))
        for line, answer in enumerate(answers, start=1)
        if answer is not None
    )


def test_a_sound_server_answers_everything(tmp_path: Path, questions: list[Position]) -> None:
    answers, trouble = asked(fake(tmp_path), questions)
    assert (lost(answers), trouble) == ([], None)
    assert right(answers)


def test_answers_out_of_order_are_put_in_order(tmp_path: Path, questions: list[Position]) -> None:
    answers, trouble = asked(fake(tmp_path, {"backwards": 4}), questions)
    assert (lost(answers), trouble) == ([], None)
    assert right(answers)


def test_a_crash_is_lived_through(tmp_path: Path, questions: list[Position]) -> None:
    mark = tmp_path / "crashed"
    answers, trouble = asked(fake(tmp_path, {"lines": {"7": f"once {mark}"}}), questions)
    assert mark.exists()
    assert (lost(answers), trouble) == ([], None)
    assert right(answers)


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("crash", HelperEnded),
        ("half", HelperEnded),
        ("garbage", HelperGarbled),
        ("too long", HelperGarbled),
        ("not utf-8", HelperGarbled),
        ("not json", HelperGarbled),
        ("refuse", HelperRefused),
        ("odd", HelperGarbled),
    ],
)
def test_a_question_that_breaks_the_server_costs_its_answer_alone(
    what: str, kind: type[HelperError], tmp_path: Path, questions: list[Position]
) -> None:
    answers, trouble = asked(fake(tmp_path, {"lines": {"7": what}}), questions)
    assert lost(answers) == [7]
    assert right(answers)
    assert type(trouble) is kind


def test_a_server_that_crashes_again_and_again_is_given_up(tmp_path: Path, questions: list[Position]) -> None:
    script: Script = {"lines": {str(line): "crash" for line in range(5, LINES + 1)}}
    with ServerDefinitions(fake(tmp_path, script), in_flight=4) as server:
        answers = [answer for _, answer in server.ask(questions)]
        assert lost(answers) == [*range(5, LINES + 1)]
        assert right(answers)
        assert not server.available
        assert str(server.trouble) == "fake ended (signal 9); its last output: thread 'main' panicked"
        assert list(server.ask(questions[:2])) == [(question, None) for question in questions[:2]]


def test_one_question_that_is_never_answered_costs_one_answer(tmp_path: Path, questions: list[Position]) -> None:
    script: Script = {"lines": {"7": "hang"}, "chatter": 0.1}
    answers, trouble = asked(fake(tmp_path, script), questions, ENOUGH)
    assert lost(answers) == [7]
    assert right(answers)
    assert isinstance(trouble, HelperSilent)


def test_a_server_that_talks_and_does_not_answer_is_given_up(tmp_path: Path, questions: list[Position]) -> None:
    script: Script = {"lines": {str(line): "hang" for line in range(1, LINES + 1)}, "chatter": 0.1}
    with ServerDefinitions(fake(tmp_path, script), ENOUGH) as server:
        assert lost([answer for _, answer in server.ask(questions)]) == [*range(1, LINES + 1)]
        assert not server.available


def test_a_server_that_hangs_is_given_up(tmp_path: Path, questions: list[Position]) -> None:
    script: Script = {"lines": {str(line): "hang" for line in range(5, LINES + 1)}}
    answers, trouble = asked(fake(tmp_path, script), questions, ENOUGH)
    assert lost(answers) == [*range(5, LINES + 1)]
    assert isinstance(trouble, HelperSilent)


@pytest.mark.parametrize("start", ["crash", "garbage", "endless head", "hang"])
def test_a_server_that_does_not_start_answers_nothing(start: str, tmp_path: Path, questions: list[Position]) -> None:
    seconds = SHORT if start == "hang" else LONG
    answers, trouble = asked(fake(tmp_path, {"start": start}, seconds), questions)
    assert len(lost(answers)) == LINES
    assert isinstance(trouble, HelperError)


def test_a_missing_server_answers_nothing(tmp_path: Path, questions: list[Position]) -> None:
    answers, trouble = asked(Launch("fake", ["/nowhere/server"], str(tmp_path)), questions)
    assert len(lost(answers)) == LINES
    assert isinstance(trouble, HelperMissing)


def test_questions_are_taken_only_a_little_ahead(tmp_path: Path, questions: list[Position]) -> None:
    taken = []

    def endless() -> Iterator[Position]:
        for question in itertools.cycle(questions):
            taken.append(question)
            yield question

    with ServerDefinitions(fake(tmp_path), in_flight=8) as server:
        answers = server.ask(endless())
        for _ in range(10):
            next(answers)
    assert len(taken) <= 10 + 8


def test_who_stops_listening_leaves_no_answers_behind(tmp_path: Path, questions: list[Position]) -> None:
    with ServerDefinitions(fake(tmp_path), in_flight=8) as server:
        answers = server.ask(questions)
        next(answers)
        answers.close()
        assert lost([answer for _, answer in server.ask(questions[:1])]) == []
        assert server._client is not None
        assert (server._client._asked, server._client._answered) == ({}, {})


def test_nothing_starts_before_the_first_question(tmp_path: Path) -> None:
    with ServerDefinitions(Launch("fake", ["/nowhere/server"], str(tmp_path))) as server:
        assert list(server.ask([])) == []
        assert server.available
        assert server.trouble is None


def test_a_place_in_no_file_is_no_definition(tmp_path: Path, questions: list[Position]) -> None:
    answers, trouble = asked(fake(tmp_path, {"lines": {"1": "nobody", "2": "elsewhere"}}), questions[:2])
    assert (answers, trouble) == ([(), ()], None)
