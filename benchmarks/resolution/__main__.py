"""`python -m benchmarks.resolution [PACKAGE …]`: keel's answers against pyright's and ty's.

A benchmark is no test: it says what is wrong and exits with 0. With packages named it is a quick look, and only the
lists of misses are kept, beside the cached answers. The first run installs and asks the checkers, which takes minutes;
later ones map and compare.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.corpora import CorpusMissing
from benchmarks.measure import NO_TY, environment
from benchmarks.resolution.answers import Graph, Keel, KeelFailed, keel_of, mapped
from benchmarks.resolution.client import ServerGone
from benchmarks.resolution.definitions import definitions
from benchmarks.resolution.listing import cells, write_misses
from benchmarks.resolution.packages import NAMES, NotInstalled, Package, dependencies, package, said
from benchmarks.resolution.page import Result, as_text, write
from benchmarks.resolution.reach import reach
from benchmarks.resolution.score import Case, Outcome, cases, causes, score
from benchmarks.resolution.servers import SERVERS
from benchmarks.resolution.sites import CALL, IMPORT, Place, Source, imported_places, sites
from benchmarks.resolution.truth import truth

TOP = Path(__file__).resolve().parents[2]
EITHER = "either"
BAD = (Outcome.WRONG, Outcome.OUTSIDE)
MISSED = (*BAD, Outcome.SILENT)


def main() -> int:
    """Scores the packages; 2 when something that is needed is not there."""
    options = _options()
    try:
        _score(options)
    except (CorpusMissing, KeelFailed, NotInstalled, ServerGone) as error:
        print(f"resolution: {error}", file=sys.stderr)
        return 2
    return 0


def _score(options: argparse.Namespace) -> None:
    """Scores each package in turn and reports."""
    gc.disable()  # syntax trees hold no rings, and collecting among millions of nodes doubles the time
    keel = _keel(options)
    results = []
    for name in options.packages or NAMES:
        print(f"… {name}", file=sys.stderr, flush=True)
        one = package(name)
        graph = mapped(_with_ty(keel, one) if options.with_ty else keel, one.tree)
        print(f"… {name}: mapped in {graph.cpu_seconds[0]:.1f} CPU-seconds", file=sys.stderr, flush=True)
        found = _compared(one, graph)
        listed = one.kept / "misses.tsv"
        write_misses(listed, found)
        results.append(_result(one, found, graph, options.reach or not options.packages))
        if options.verbose:
            _print_bad(found)
        print(f"… {name}: every miss is listed in {listed}", file=sys.stderr, flush=True)
    print(as_text(results))
    if not (options.packages or options.keel or options.tree or options.map_option or options.with_ty):
        kept = [path.relative_to(TOP).as_posix() for path in write(results, _setting(results))]
        print(f"\nwritten to {' and '.join(kept)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resolution", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"one of {', '.join(NAMES)}; all of them")
    parser.add_argument("--verbose", action="store_true", help="print every wrong answer too")
    parser.add_argument("--reach", action="store_true", help="check edges into tests too, as the full run does")
    parser.add_argument("--with-ty", action="store_true", help="let keel ask ty, in the environment of the package")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--keel", metavar="COMMAND", help="score another keel: the path of its command")
    which.add_argument("--tree", metavar="FOLDER", type=Path, help="score the keel of another checkout")
    parser.add_argument(
        "--map-option", action="append", default=[], metavar="OPTION", help="as --map-option=--x: say --x to `keel map`"
    )
    options = parser.parse_args()
    for name in options.packages:
        if name not in NAMES:
            parser.error(f"no package '{name}' ({', '.join(NAMES)})")
    if options.tree and not (options.tree / "src" / "keel").is_dir():
        parser.error(f"{options.tree} is no checkout of keel: it has no src/keel")
    return options


def _keel(options: argparse.Namespace) -> Keel:
    if options.keel:
        env = environment()
        del env["PYTHONPATH"]
        return Keel((str(Path(options.keel).absolute()),), env, options.map_option)
    return keel_of((options.tree or TOP).resolve(), options.map_option)


def _with_ty(keel: Keel, one: Package) -> Keel:
    """The same keel in the environment that the package's dependencies are installed in, as its users have it."""
    kept = {name: value for name, value in keel.env.items() if name != NO_TY}
    return replace(keel, env=kept | {"VIRTUAL_ENV": str(dependencies(one))})


def _compared(one: Package, graph: Graph) -> list[Case]:
    """Every site of a package with everybody's answer."""
    sources = [Source(path, (one.tree / path).read_bytes()) for path in one.files()]
    every = [site for source in sources for site in sites(source)]
    imports = frozenset[Place]().union(*map(imported_places, sources))
    places = [site.place for site in every]
    answers = {server.name: truth(one, server, places, imports) for server in SERVERS}
    return cases(every, graph, answers, definitions(sources))


def _result(one: Package, found: list[Case], graph: Graph, with_reach: bool) -> Result:
    scores = {}
    for kind in (CALL, IMPORT):
        of_kind = [case for case in found if case.site.kind == kind]
        by_truth = {server.name: score(of_kind, server.name) for server in SERVERS}
        scores[kind] = by_truth | {EITHER: score(of_kind)}
    why = causes(found, lambda outcome: outcome in MISSED)
    return Result(one.name, one.version, scores, why, reach(one.tree, graph.calls) if with_reach else None)


def _print_bad(found: list[Case]) -> None:
    for case in found:
        if case.outcome() in BAD:
            outcome, _, place, _, shape, keel, confidence, pyright, ty, text = cells(case)
            print(f"{outcome} {place}  {text}\n    {shape}\n    keel {confidence} {keel}")
            print(f"    pyright {pyright}\n    ty {ty}")


def _setting(results: list[Result]) -> Mapping[str, str]:
    commit = said(["git", "rev-parse", "--short", "HEAD"], TOP).strip()
    changed = " with changes on top" if said(["git", "status", "--porcelain", "src"], TOP).strip() else ""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, commit {commit}{changed}",
        "packages": ", ".join(f"{result.package} {result.version}" for result in results),
        "checkers": ", ".join(f"{server.name} {server.version}" for server in SERVERS),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


if __name__ == "__main__":
    sys.exit(main())
