"""`python -m benchmarks.tokens`: what answers for language models cost, by real tokenizers, on real packages.

Prints the tokens a function costs in a map, and how well budgets are kept and filled. Like every benchmark it judges by
printing; that no budget is ever exceeded is also a test.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.corpora import PINS, CorpusMissing, corpus
from benchmarks.report import RESULTS
from benchmarks.tokenizers import ENCODINGS, most_tokens, tokens
from keel.bootstrap import open_workspace
from keel.formats.llm import Llm
from keel.operations import map as map_operation

PACKAGES = {"httpx": "httpx", "fastapi": "fastapi", "sqlalchemy": "lib/sqlalchemy", "django": "django"}
"""Corpora, and where their source is, tests aside."""
BUDGETS = (100, 300, 1000, 4000, 16000)
EVERYTHING = 10**9
FUNCTIONS = ("function", "method")


@dataclass(frozen=True)
class Measured:
    """What the map of one package costs."""

    package: str
    functions: int
    classes: int
    tokens: dict[str, int]
    per_function: dict[str, float]
    per_definition: float
    """Classes counted too, by the tokenizer that needs most."""
    modules_alone: int
    """Tokens of the map at depth 1."""
    filled: dict[int, int]
    """Tokens that were used, by budget."""


def main() -> None:
    """Measures every package that can be had, prints the table and keeps it."""
    rows = list(_measured())
    print(as_markdown(rows))
    if len(rows) == len(PACKAGES):
        (RESULTS / "tokens.md").write_text(as_markdown(rows), encoding="utf-8")
        text = json.dumps([asdict(row) for row in rows], indent=2)
        (RESULTS / "tokens.json").write_text(f"{text}\n", encoding="utf-8")


def _measured() -> Iterator[Measured]:
    for name, source in PACKAGES.items():
        print(f"… {name}", file=sys.stderr, flush=True)
        try:
            yield measure(f"{name} {PINS[name]}", corpus(name), source)
        except CorpusMissing as missing:
            print(missing, file=sys.stderr)


def measure(package: str, folder: Path, source: str) -> Measured:
    """The costs of the map of one package's source."""
    whole = _map(folder, source, 2)
    text = _text(whole)
    defined = {(one.path, one.qualified_name): one.kind for one in whole.symbols}
    functions = sum(kind in FUNCTIONS for kind in defined.values())
    counts = tokens(text)
    return Measured(
        package,
        functions,
        len(defined) - functions,
        counts,
        {name: round(count / functions, 2) for name, count in counts.items()},
        round(max(counts.values()) / len(defined), 2),
        most_tokens(_text(_map(folder, source, 1))),
        {budget: most_tokens(_text(whole, budget)) for budget in BUDGETS},
    )


def _map(folder: Path, source: str, depth: int) -> map_operation.Result:
    params = map_operation.Params(depth=depth, scope=source, limit=EVERYTHING)
    return map_operation.run(open_workspace(str(folder)), params)


def _text(result: map_operation.Result, budget: int = EVERYTHING) -> str:
    return "".join(Llm(budget).render(result))


def as_markdown(rows: Sequence[Measured]) -> str:
    """The page that is committed."""
    head = ["package", "functions", "classes", *(f"tokens a function, {name}" for name in ENCODINGS)]
    head += ["tokens a definition", "whole map", "modules alone", *(f"used of {budget}" for budget in BUDGETS)]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for row in rows:
        cells = [row.package, row.functions, row.classes, *(row.per_function[name] for name in ENCODINGS)]
        cells += [row.per_definition, max(row.tokens.values()), row.modules_alone]
        cells += [f"{used}{'' if used <= budget else ' EXCEEDED'}" for budget, used in row.filled.items()]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(
        [
            "# Tokens of answers for language models",
            "",
            "Written by `make bench-tokens`; not edited by hand. `keel map --depth 2 --llm` of packages (tests",
            "aside): every function and class with its line, and all paths, divided by the number of functions, and of",
            "functions and classes together.",
            "`used of N`: what `--max-tokens N` used, by the tokenizer that needs most; what did not fit is said in",
            "the last line of the answer.",
            "",
            *lines,
            "",
            f"Tokenizers: {', '.join(ENCODINGS)}, by bpe-openai {version('bpe-openai')}.",
            "",
        ]
    )


if __name__ == "__main__":
    main()
