"""Programs that are Python and nothing else: every form of statement and expression, nested at random.

A program is a function of its chance. They say nothing sensible; that they compile is all that is promised.
"""

from __future__ import annotations

from random import Random

NAMES = ("a", "b", "f", "g", "x", "self", "os", "A", "B", "größe", "_private", "__all__", "match", "type")
TEXTS = ("'a'", '"b"', "b'c'", "r'\\d'", "'''many\nlines'''", "f'{x!r:>{a}} {b=}'", "f\"{g('q')}\"", "'é'", "'a' \"b\"")
NUMBERS = ("0", "1_000", "0xFF", "1.5e-3", "2j")
OPERATORS = ("+", "-", "*", "@", "//", "%", "**", "<<", "&", "|", "and", "or", "==", "in", "not in", "is not", "<=")

MAX_STATEMENTS = 40


def program(chance: Random, statements: int = 12) -> str:
    """A module."""
    return "\n".join(Writer(chance).block(statements, 0)) + "\n"


class Writer:
    """Writes lines; how deep things nest is bounded, and so is their number."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._in_function = False
        self._in_loop = False
        self._fresh = 0
        self._left = MAX_STATEMENTS
        """Statements, until only simple ones are made."""

    # statements

    def block(self, statements: int, depth: int) -> list[str]:
        """Lines of some statements at a depth."""
        lines: list[str] = []
        for _ in range(self._chance.randint(1, statements)):
            self._left -= 1
            make = self._chance.choice(self._simple if depth > 4 or self._left < 0 else self._all)
            lines += make(self, depth)
            if self._chance.random() < 0.1:
                lines.append(f"{'    ' * depth}# {self._name()}: a remark")
        return [line if line.startswith(" ") or not depth else "    " * depth + line for line in lines]

    def _inner(self, depth: int, function: bool | None = None, loop: bool = False) -> list[str]:
        before = self._in_function, self._in_loop
        if function is not None:
            self._in_function, self._in_loop = function, False
        self._in_loop = self._in_loop or loop
        lines = self.block(3, depth + 1)
        self._in_function, self._in_loop = before
        return lines

    def _headed(self, depth: int, head: str, **inside: bool) -> list[str]:
        return ["    " * depth + head, *self._inner(depth, **inside)]

    def _assignment(self, depth: int) -> list[str]:
        chance = self._chance
        target = chance.choice([self._name(), f"{self._name()}.{self._name()}", f"{self._name()}[{self._value()}]"])
        forms = (
            f"{target} = {self._value()}",
            f"{target} = {self._name()} = {self._value()}",
            f"{self._name()}, *{self._name()} = {self._value()}",
            f"({self._name()}, [{self._name()}]) = {self._value()}",
            f"{target} {chance.choice(['+', '-', '|', '//'])}= {self._value()}",
            f"{self._name()}: {self._value()} = {self._value()}",
            f"{self._name()}: {self._value()}",
        )
        return [chance.choice(forms)]

    def _import(self, depth: int) -> list[str]:
        name, other = self._name(), self._name()
        forms = [f"import {name}", f"import {name}.{other} as {self._name()}", f"from {name} import {other}"]
        forms += [f"from . import {name}", f"from ..{name} import ({other}, {name} as {other},)"]
        if not depth:
            forms.append(f"from {name}.{other} import *")
        return [self._chance.choice(forms)]

    def _small(self, depth: int) -> list[str]:
        forms = ["pass", "...", self._value(), f"assert {self._value()}, {self._value()}", f"del {self._name()}"]
        forms += [f"raise {self._value()} from {self._value()}", f"{self._name()}({self._arguments()})", "'text'"]
        if self._in_function:
            forms += [f"return {self._value()}", "return", f"yield {self._value()}", f"x = yield from {self._value()}"]
        if self._in_loop:
            forms += ["break", "continue"]
        return [self._chance.choice(forms)]

    def _global(self, depth: int) -> list[str]:
        if not self._in_function:
            return ["pass"]
        self._fresh += 1
        return [f"global never_used_{self._fresh}"]

    def _function(self, depth: int) -> list[str]:
        chance = self._chance
        decorators = [f"{'    ' * depth}@{self._name()}({self._arguments()})"] * chance.choice([0, 0, 1, 2])
        returns = f" -> {self._value()}" if chance.random() < 0.5 else ""
        head = f"def {self._name()}({self._parameters()}){returns}:"
        return [*decorators, *self._headed(depth, head, function=True)]

    def _coroutine(self, depth: int) -> list[str]:
        lead = "    " * (depth + 1)
        body = [f"{lead}await {self._name()}", f"{lead}async with {self._name()} as {self._name()}: pass"]
        body += [f"{lead}async for {self._name()} in {self._name()}: pass", f"{lead}[x async for x in {self._name()}]"]
        return ["    " * depth + f"async def {self._name()}({self._parameters()}):", *body]

    def _class(self, depth: int) -> list[str]:
        bases = f"({self._arguments()})" if self._chance.random() < 0.6 else ""
        return self._headed(depth, f"class {self._name()}{bases}:", function=False)

    def _if(self, depth: int) -> list[str]:
        lines = self._headed(depth, f"if {self._value()}:")
        if self._chance.random() < 0.5:
            lines += self._headed(depth, f"elif {self._value()}:")
        return lines + self._headed(depth, "else:")

    def _loop(self, depth: int) -> list[str]:
        head = self._chance.choice([f"for {self._name()}, x in {self._value()}:", f"while {self._value()}:"])
        return self._headed(depth, head, loop=True) + self._headed(depth, "else:")

    def _with(self, depth: int) -> list[str]:
        items = f"{self._value()} as {self._name()}, {self._value()}"
        return self._headed(depth, self._chance.choice([f"with {items}:", f"with ({items},):"]))

    def _try(self, depth: int) -> list[str]:
        lines = self._headed(depth, "try:") + self._headed(depth, f"except ({self._value()}) as {self._name()}:")
        return lines + self._headed(depth, "else:") + self._headed(depth, "finally:")

    def _match(self, depth: int) -> list[str]:
        lead = "    " * (depth + 1)
        patterns = ("A(x=1, y=[a, *_])", "{'k': v, **rest}", "1 | -2 | 'a'", "os.x", "(a, b) as c", "[]", "None")
        cases = []
        for pattern in self._chance.sample(patterns, 2):
            guard = f" if {self._value()}" if self._chance.random() < 0.3 else ""
            cases += [f"{lead}case {pattern}{guard}:", *self._inner(depth + 1)]
        return ["    " * depth + f"match {self._value()}:", *cases]

    _simple = (_assignment, _assignment, _import, _small, _small, _global)
    _all = (*_simple, _function, _function, _coroutine, _class, _class, _if, _loop, _with, _try, _match)

    # expressions

    def _name(self) -> str:
        return self._chance.choice(NAMES)

    def _value(self, depth: int = 0) -> str:
        chance = self._chance
        if depth > 2 or chance.random() < 0.4:
            return self._leaf()
        one, two = self._value(depth + 1), self._value(depth + 1)
        name = self._name()
        forms = (
            f"({one} {chance.choice(OPERATORS)} {two})",
            f"(not {one})",
            f"({one} if {two} else {name})",
            f"(walrus := {one})" if self._in_function else f"(-{name})",
            f"(lambda {self._parameters(plain=True)}: {one})",
            f"[{one}, *{name}]",
            f"{{{one}: {two}, **{name}}}",
            f"{{{one}, {two}}}",
            f"({one},)",
            f"[{one} for {name}, b in {name} if {two} for c in b]",
            f"{{{one}: {two} for {name} in {name}}}",
            f"(({one}) for {name} in {name})",
            f"{name}.{self._name()}.{self._name()}",
            f"{name}[{one}:{two}, ...]",
            f"{name}.{self._name()}({self._arguments()})({one})",
        )
        return chance.choice(forms)

    def _leaf(self) -> str:
        chance = self._chance
        return chance.choice((self._name(), chance.choice(TEXTS), chance.choice(NUMBERS), "None", "..."))

    def _arguments(self) -> str:
        forms = ("", self._leaf(), f"{self._leaf()}, *{self._name()}", f"k={self._leaf()}, **x")
        return self._chance.choice(forms)

    def _parameters(self, plain: bool = False) -> str:
        default = self._leaf()
        forms = ["", "p", f"p, q={default}", "p, /, q, *, r", f"*args, k={default}, **kwargs", "*, k"]
        if not plain:
            forms += [f"self, p: {self._leaf()}, q: A = {default}", "*args: A, **kwargs: B"]
        return self._chance.choice(forms)
