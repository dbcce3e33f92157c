"""Text on a screen: made safe for a terminal, measured in columns, cut to a width.

Names and source come from untrusted files. Characters that would move the cursor, change colours or reverse the
direction of writing are shown as escapes. Which text is shown is left to the formats.
"""

from __future__ import annotations

KEPT = "\t\u200c\u200d"
"""A tab, and what joins or parts letters in ordinary words of several scripts."""

UNSAFE = ("Cc", "Cf", "Cs", "Zl", "Zp")
NO_COLUMN = ("Mn", "Me", "Cf")
MORE = "…"


def safe(text: str) -> str:
    """The same text, with what a terminal would obey written as `\\x1b` or `\\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(letter) if _is_unsafe(letter) else letter for letter in text)


def columns(text: str) -> int:
    """How many columns a text takes: wide letters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def cut(text: str, width: int) -> str:
    """As much of a text as fits, with an ellipsis for the rest."""
    if columns(text) <= width:
        return text
    taken, used = [], 0
    for letter in text:
        used += _columns_of(letter)
        if used > width - 1:
            break
        taken.append(letter)
    return "".join(taken).rstrip() + MORE


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """A text as lines that fit, broken at blanks; all but the first are indented."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line.strip() else f"{line}{word}"
        if columns(longer) > width and line.strip():
            lines.append(line)
            longer = f"{indent}{word}"
        line = longer
    return [*lines, line] if line.strip() else lines


def _is_unsafe(letter: str) -> bool:
    from unicodedata import category  # here and below: most answers are plain ASCII, and never need it

    return letter not in KEPT and category(letter) in UNSAFE


def _escaped(letter: str) -> str:
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _columns_of(letter: str) -> int:
    from unicodedata import category, east_asian_width

    if category(letter) in NO_COLUMN:
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1
