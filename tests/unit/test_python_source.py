"""The bytes of a Python file become the UTF-8 that is parsed, as Python itself would decode them."""

from __future__ import annotations

import io
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keel.languages.python.source import as_utf8

DECODABLE = [
    b"",
    b"x = 1\n",
    "é = 'ü'\n".encode(),
    "# coding: latin-1\nx = 'é'\n".encode("latin-1"),
    "# -*- coding: cp1252 -*-\nx = '€'\n".encode("cp1252"),
    "#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nx = 'é'\n".encode("latin-1"),
    "\n# coding=latin-1\nx = 'é'\n".encode("latin-1"),
    "\f # coding=latin-1\nx = 'é'\n".encode("latin-1"),
    "\r\n# coding=latin-1\r\nx = 'é'\r\n".encode("latin-1"),
    "# coding: latin-1\n# coding: utf-8\nx = 'é'\n".encode("latin-1"),
    "x = 1\n# coding: latin-1\ny = 'é'\n".encode(),
    "#\n#\n# coding: latin-1\ny = 'é'\n".encode(),
    "x = '# coding: latin-1'\ny = 'é'\n".encode(),
    b"\xef\xbb\xbfx = 1\n",
    "\ufeff# coding: utf-8\nx = 'é'\n".encode(),
    "# coding: euc-jp\nx = '日本'\n".encode("euc-jp"),
    "# coding: utf-8-sig\nx = 'é'\n".encode(),
]


@pytest.mark.parametrize("data", DECODABLE)
def test_text_is_what_python_reads(data: bytes) -> None:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    assert as_utf8(data).decode() == data.decode(encoding).removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = '\xe9'\n", "x = '\ufffd'\n"),
        (b"# coding: ascii\nx = '\xe9'\n", "# coding: ascii\nx = '\ufffd'\n"),
        (b"# coding: nonsense\nx = 1\n", "# coding: nonsense\nx = 1\n"),
        (b"# coding: hex\nx = 1\n", "# coding: hex\nx = 1\n"),
        (b"# coding: rot13\nx = 1\n", "# coding: rot13\nx = 1\n"),
        (b"# coding: idna\nx = '\xff..'\n", "# coding: idna\nx = '\ufffd..'\n"),
    ],
)
def test_what_does_not_decode_is_replaced(data: bytes, text: str) -> None:
    assert as_utf8(data).decode() == text


def test_old_macintosh_lines_become_lines() -> None:
    assert as_utf8(b"a\rb\r") == b"a\nb\n"
    assert as_utf8(b"a\r\nb\r\n") == b"a\r\nb\r\n"


@settings(derandomize=True, database=None)
@given(st.binary(max_size=60), st.sampled_from([b"", b"# coding: ", b"#coding=", b"\xef\xbb\xbf"]))
def test_the_result_is_always_utf8(data: bytes, start: bytes) -> None:
    as_utf8(start + data).decode()
