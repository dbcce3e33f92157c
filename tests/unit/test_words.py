"""Words: how names, sentences and oddities are split, and which endings do not count."""

from __future__ import annotations

import pytest

from keel.model.text.words import joined, name_words, pieces_of, stem, words_in


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("getHTTPUser_2", ["get", "HTTP", "User", "2"]),
        ("__init__", ["init"]),
        ("utf8", ["utf", "8"]),
        ("größe_ändern", ["gr", "öß", "e", "ä", "ndern"]),
        ("日本語", ["日本語"]),
        ("_", []),
        ("", []),
    ],
)
def test_a_name_is_split_at_case_digits_and_underscores(name: str, pieces: list[str]) -> None:
    assert pieces_of(name) == pieces


@pytest.mark.parametrize(
    "words",
    [
        "redirect redirects redirecting redirected",
        "cache caches cached caching",
        "cookie cookies",
        "query queries",
        "class classes",
        "run running runs",
        "setting settings",
        "use used using",
        "response responses",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("pair", ["string stre", "status statu", "seed se", "thing th", "set setting", "bus bu"])
def test_other_words_keep_theirs(pair: str) -> None:
    one, other = pair.split()
    assert stem(one) != stem(other)


def test_a_sentence_gives_what_tells_something_each_once() -> None:
    assert words_in("How do the Cookies of a cookie jar get merged?") == ["cooki", "jar", "get", "merg"]
    assert words_in("to be or not to be") == []
    assert words_in("x" * 100) == []


def test_a_name_is_found_whole_and_in_words() -> None:
    assert name_words("parseCookies") == ["parsecookies", "parse", "cookies", "pars", "cooki"]
    assert name_words("get") == ["get"]


def test_one_name_in_two_spellings() -> None:
    assert joined("get_user") == joined("getUser") == joined("GET-USER") == "getuser"
