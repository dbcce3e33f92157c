"""No file of the repository knows the machine it was written on, or where that one installs from.

Only what gives a machine away is looked for; other secrets are not this test's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository import kept_files, name_of

# Home folders as examples use them.
NO_USER = r"(?:me|you|user|username|alice|bob)\b"
MACHINE_PATH = re.compile(
    r"(?<![\w.$}/-])/(?:"
    r"(?:work|root)/"
    rf"|(?:home|Users)/(?!{NO_USER})[A-Za-z]\w*"
    r"|tmp/[\w.-]*venv"
    r")"
)

PACKAGE_HOST = re.compile(
    r"https?://(?:[^\s/@\"'`]*@)?"
    r"(?P<host>[\w.-]*(?:artifactory|mirror|nexus|proxy|pypi|registry)[\w-]*\.[\w.-]*\w)"
)
PUBLIC_HOSTS = ("pypi.org", "test.pypi.org", "registry.npmjs.org")
EXAMPLE_HOST = re.compile(r"(?:^|\.)example(?:\.(?:com|net|org))?$")


def test_no_file_names_this_machine() -> None:
    found = [
        f"{name_of(path)}:{number}: {what}"
        for path in kept_files()
        if path != Path(__file__).resolve()  # the examples below are meant to be found
        for number, what in traces(path.read_bytes().decode("utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd /work/main", ["/work/"]),
        ("see /root/.cache", ["/root/"]),
        ("#!/home/carol/bin", ["/home/carol"]),
        ("/tmp/my-venv/bin", ["/tmp/my-venv"]),
        ("https://pypi.corp.test/simple", ["pypi.corp.test"]),
        ("src/work/file.py, /tmp/project, /home/user/project", []),
        ("https://pypi.org/project/x, https://registry.example.com/v2", []),
    ],
)
def test_a_trace_is_told_from_an_example(text: str, expected: list[str]) -> None:
    assert [what for _, what in traces(text)] == expected


def traces(text: str) -> Iterator[tuple[int, str]]:
    """Each line's number with the machine path or the private package host it names."""
    for number, line in enumerate(text.splitlines(), start=1):
        for path in MACHINE_PATH.finditer(line):
            yield number, path[0]
        for address in PACKAGE_HOST.finditer(line):
            host = address["host"]
            if host not in PUBLIC_HOSTS and not EXAMPLE_HOST.search(host):
                yield number, host
