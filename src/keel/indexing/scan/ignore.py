"""Ignore files read by keel itself: `.keelignore` everywhere, and `.gitignore` where git cannot be asked.

The pattern of one line is left to `ignore_patterns.py`. Inside a repository, its own ignore files are left to git
(`indexing/git/files.py`).
"""

from __future__ import annotations

import os
from typing import NamedTuple

from keel.indexing.scan.ignore_patterns import Rule, rule_of


class Ignores(NamedTuple):
    """The rules of one ignore file, and of those above it, which apply where this one has no matching rule."""

    cut: int
    """Where, in an absolute path, the path that the rules apply to begins."""
    rules: list[Rule]
    """The last one first: it wins."""
    above: Ignores | None


def ignores(these: Ignores | None, path: str, is_folder: bool = False) -> bool:
    """Whether an absolute path is ignored, given that the folders above it are not."""
    if these is None:
        return False
    name = path[path.rfind("/") + 1 :]
    while these is not None:
        inside = path[these.cut :]
        for rule in these.rules:
            if (is_folder or not rule.folders_only) and rule.matches.fullmatch(name if rule.by_name else inside):
                return rule.ignores
        these = these.above
    return False


def with_file(above: Ignores | None, folder: str, file: str) -> Ignores | None:
    """The rules of an ignore file about a folder, on top of those above; unreadable means empty."""
    try:
        with open(file, encoding="utf-8-sig", errors="surrogateescape", newline="\n") as text:
            rules = [rule for line in text if (rule := rule_of(line.removesuffix("\n").removesuffix("\r")))]
    except OSError:
        return above
    return Ignores(len(folder.rstrip("/")) + 1, rules[::-1], above) if rules else above


class FileRules(NamedTuple):
    """What `.gitignore` files keep below a folder, with the methods of `GitRules`."""

    ignored: Ignores | None

    def keeps(self, path: str) -> bool:
        """Whether a file counts."""
        return not ignores(self.ignored, path)

    def opens(self, path: str) -> bool:
        """Whether a folder is to be entered."""
        return not ignores(self.ignored, path, is_folder=True)

    def tracks(self, path: str) -> bool:
        """Whether a folder has tracked files: never, without git."""
        return False


def rules_above(top: str, folder: str, exclude: str) -> FileRules:
    """The rules that hold in a folder of a repository whose top is `top`, when git itself cannot be asked."""
    ignored = with_file(None, top, exclude)
    steps = [folder]
    while steps[-1] != top:
        steps.append(os.path.dirname(steps[-1]))
    # The folder's own file is read when the walk enters it.
    for step in reversed(steps[1:]):
        ignored = with_file(ignored, step, f"{step}/.gitignore")
    return FileRules(ignored)
