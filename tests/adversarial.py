"""Requests as a careless or hostile client sends them, to every verb that asks, and what must come of each.

They are decoded from JSON as a server does it. An answer fits its class and can be shown; everything else is an error
of keel's own tree. How many are sent is left to the tests and to `benchmarks.requests`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from keel import registry
from keel.bootstrap import Workspace
from keel.errors import KeelError
from keel.model.record import Field, Record, fields_of
from keel.surfaces.given import params_of

FILES = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": (
        "from shop.prices import net\n\n\nclass Cart:\n    '''Holds items.'''\n\n    def total(self, of=1):\n"
        "        return net(of) + self.size()\n\n    def size(self):\n        return 0\n\n\n"
        "class Basket(Cart):\n    def size(self):\n        return unknown(1)\n"
    ),
    "shop/prices.py": (
        "RATE = 2\n\n\ndef net(price):\n    return round_up(price) * RATE\n\n\ndef round_up(value):\n    return value\n"
    ),
    "a b/odd 'name.py": "def it():\n    return it()\n",
}
GOOD = ("Cart", "Cart.total", "shop.cart.Cart", "net", "shop/cart.py", "shop/cart.py:5", "shop.prices", "size", "RATE")
HOSTILE = (
    *(
        "",
        " ",
        "\t\n",
        ".",
        "..",
        "#",
        ":",
        "::",
        "a" * 300,
        "x" * 20_000,
        "é" * 50,
        "\0",
        "a\0b",
        "\ud800",
        "a\udfffb",
    ),
    *("'; DROP TABLE nodes; --", '" OR 1=1 --', "1) UNION SELECT * FROM files --", "%", "_", "*", "?", "[a-z]", "a*b"),
    *("NEAR(a b, 2)", "a AND b", "NOT", "OR", "a OR", '"unbalanced', "(((", "col:value", "^a", "-a", "{x}", "a + b"),
    *(
        "../../etc/passwd",
        "/etc/passwd",
        "..\\..\\x",
        "shop/../../x.py",
        "~/.ssh",
        "file:///etc/passwd",
        "shop/cart.py:0",
    ),
    *(
        "sym:",
        "sym:a",
        "sym:workspace:shop/cart.py:Nobody",
        "file:workspace:no.py",
        "route:x:y:GET /z",
        "tool:system:no",
    ),
    *("tool:", "pkg:pypi/x@1", "00000000000", "zzzzzzzzzzz", "shop/cart.py:99999999999999999999", "Cart#2", "Cart#0"),
    *(
        "GET /a/{id}",
        "shop GET /",
        "shop /",
        "GET",
        "/",
        "//",
        "/" * 500,
        "E001",
        "E999",
        "Cart.",
        ".Cart",
        "Cart..total",
    ),
    *("${jndi:ldap://x}", "{{7*7}}", "<script>", "\u202e", "\ufeffCart", "a" + "\u0301" * 100, "1e309", "nan", "-1"),
)
WRONG: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**70,
    -(2**70),
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
)
KEYS = (
    "module",
    "root",
    "symbol_kind",
    "visibility",
    "qualified_name_prefix",
    "path_prefix",
    "http_method",
    "role",
    "no",
)


class Request(NamedTuple):
    """A verb, and what it is given by name."""

    verb: str
    given: Mapping[str, object]


def asking_verbs() -> list[str]:
    """Every verb of the group that asks, by name."""
    named = ((name, registry.operation(name)) for name in registry.names(registry.OPERATIONS))
    return [name for name, verb in named if getattr(verb, "GROUP", "") == "ask"]


def requests(seed: int) -> Iterator[Request]:
    """Random requests without an end; half of their values are such as a good client sends."""
    chance = Random(seed)
    verbs = asking_verbs()
    while True:
        verb = chance.choice(verbs)
        operation = registry.operation(verb)
        assert operation is not None
        fields = fields_of(operation.Params)
        given = {
            name: _value(chance, field)
            for name, field in fields.items()
            if chance.random() < (0.97 if field.required else 0.3)
        }
        if chance.random() < 0.03:
            given[chance.choice(HOSTILE)] = chance.choice(WRONG)
        yield Request(verb, given)


def _value(chance: Random, field: Field) -> object:
    way = chance.random()
    if way < 0.08:
        return chance.choice(WRONG)
    if way < 0.16:
        return chance.choice(HOSTILE)
    if field.type.startswith("tuple["):
        return [_one(chance, field) for _ in range(chance.choice((0, 1, 1, 1, 2, 5)))]
    if field.type.startswith("dict["):
        return {chance.choice(KEYS): _filter_value(chance) for _ in range(chance.randrange(3))}
    return _one(chance, field)


def _one(chance: Random, field: Field) -> object:
    kind = field.type.removeprefix("tuple[").partition(",")[0].partition(" |")[0]
    if kind == "bool":
        return chance.random() < 0.5
    if kind in ("int", "float"):
        return chance.choice((0, 1, 1, 2, 3, 5, 50, 0.5, 1000, -1, 10**6, 2**63, 2**64))
    if field.choices and chance.random() < 0.8:
        return chance.choice(field.choices)
    return chance.choice(GOOD) if chance.random() < 0.6 else chance.choice(HOSTILE)


def _filter_value(chance: Random) -> object:
    value = chance.choice((*GOOD, *HOSTILE, "class", "public", "GET"))
    return value if chance.random() < 0.5 else [value]


def outcome(workspace: Workspace, request: Request) -> str:
    """What came of a request: `answer`, or the name of the error; any other exception is the caller's to see."""
    operation = registry.operation(request.verb)
    assert operation is not None
    try:
        params = params_of(operation.Params, request.given)
        result = operation.run(workspace, params)
        assert isinstance(result, Record)
        for name in getattr(operation, "FORMATS", ("human", "json", "llm")):
            shape: Any = registry.format(name)
            text = "".join(shape.render(result))
            if name == "json":
                json.loads(text)
    except KeelError as error:
        said = str(error)
        assert said, "an error says what is the case"
        assert len(said) < 10_000, "and is short"
        return type(error).__name__
    return "answer"


def fingerprint(folder: Path) -> dict[str, str]:
    """Everything in a folder by its content; what only tells who is reading is no content."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }
