"""`python -m benchmarks.accuracy [PACKAGE …]`: keel's answers against pyright's, and peers beside.

A benchmark is no test: it says what is wrong and exits with 0. With packages named it is a quick look, and only the
lists of differences are kept, beside the cached answers. The first run installs and asks the checkers, which takes
about an hour; later ones map and compare.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.accuracy import jedi_answers, truth
from benchmarks.accuracy.answers import Keel, KeelFailed, keel_of, mapped, with_tier3, with_ty
from benchmarks.accuracy.client import ServerGone
from benchmarks.accuracy.definitions import Definitions, definitions
from benchmarks.accuracy.figures import (
    ALONE,
    EXTRA,
    WITH_TIER3,
    WITH_TY,
    Answerer,
    Result,
    alone_counts,
    answerer,
    causes_of_misses,
    judged_sample,
    shapes_of_misses,
)
from benchmarks.accuracy.judged import Judgements, judgements, sample
from benchmarks.accuracy.listing import cells, write_list
from benchmarks.accuracy.packages import NAMES, NotInstalled, Package, package
from benchmarks.accuracy.page import Report, as_text, write
from benchmarks.accuracy.reach import reach
from benchmarks.accuracy.score import Case, Landing, Outcome, answered_by, cases
from benchmarks.accuracy.servers import PYRIGHT, SERVERS, TY
from benchmarks.accuracy.sites import Site, Source, SourceSpan, imported_places, sites
from benchmarks.checkout import TOP, commit_of, source_digest
from benchmarks.corpora import CorpusMissing
from benchmarks.measure import environment

TY_ALONE, JEDI = "ty alone", "jedi"
BAD = (Outcome.WRONG, Outcome.OUTSIDE)


def main() -> int:
    """Scores the packages; 2 when something that is needed is not there."""
    options = _options()
    try:
        _score(options)
    except (CorpusMissing, KeelFailed, NotInstalled, ServerGone) as error:
        print(f"accuracy: {error}", file=sys.stderr)
        return 2
    return 0


def _score(options: argparse.Namespace) -> None:
    """Scores each package in turn and reports."""
    gc.disable()  # syntax trees hold no rings, and collecting among millions of nodes doubles the time
    judged = judgements()
    found: dict[str, list[Case]] = {}
    results = []
    for name in options.packages or NAMES:
        _tell(name)
        result, found[name] = _package(package(name), options, judged)
        results.append(result)
    report = Report(results, judged_sample(found, judged), _setting(results))
    if options.sample:
        _print_sample(found, judged)
    print(as_text(report))
    if (options.keep or not options.packages) and not (options.keel or options.tree or options.map_option):
        kept = [path.relative_to(TOP).as_posix() for path in write(report)]
        print(f"\nwritten to {' and '.join(kept)}")


def _package(one: Package, options: argparse.Namespace, judged: Judgements) -> tuple[Result, list[Case]]:
    """Scores keel in each of its ways, and the peers; gives also the cases of keel with ty."""
    sources = [Source(path, (one.tree / path).read_bytes()) for path in one.files()]
    every = [site for source in sources for site in sites(source)]
    imports = frozenset[SourceSpan]().union(*map(imported_places, sources))
    places = [site.place for site in every]
    pyright, ty = (truth.truth(one, server, places, imports) for server in SERVERS)
    known = definitions(sources)
    answerers: dict[str, Answerer] = {}
    causes: dict[str, Mapping[str, int]] = {}
    for who, keel in _keels(one, options):
        graph = mapped(keel, one.tree, _kept(one, who, options))
        _tell(f"{one.name}: {who} mapped in {graph.cpu_seconds[0]:.1f} CPU-seconds")
        found = cases(every, graph, pyright, ty, known)
        answerers[who] = answerer(one.name, found, judged, graph.cpu_seconds[0])
        listed = one.own_path / f"{who.replace(' ', '-')}.tsv"
        write_list(listed, found)
        _tell(f"{one.name}: every difference is listed in {listed}")
        causes[who] = shapes_of_misses(found) if who == ALONE else causes_of_misses(one.name, found, judged)
        if who == ALONE:
            reached = reach(one.tree, graph.calls) if options.reach or not options.packages else None
        if who == WITH_TY:
            helped = found
            if options.verbose:
                _print_bad(found)
    answerers |= _peers(one, helped, ty, known, judged, options.jedi and one.name not in (EXTRA, *options.without_jedi))
    return Result(one.name, one.version, answerers, causes, alone_counts(helped), reached), helped


def _keels(one: Package, options: argparse.Namespace) -> Iterator[tuple[str, Keel]]:
    """The ways that keel is run in."""
    keel = _keel(options)
    yield ALONE, keel
    yield WITH_TY, (helped := with_ty(keel, one))
    if options.tier3 and one.name != EXTRA:
        yield WITH_TIER3, with_tier3(helped, one)


def _kept(one: Package, who: str, options: argparse.Namespace) -> Path | None:
    """Where the answers of a keel are kept by its source; those of one whose source is not at hand are not."""
    if options.keel or options.map_option:
        return None
    source = (options.tree or TOP) / "src"
    return one.own_path / f"{who.replace(' ', '-')}-{source_digest(source)[:12]}.jsonl"


def _peers(
    one: Package, found: list[Case], ty: truth.Answers, known: Definitions, judged: Judgements, with_jedi: bool
) -> dict[str, Answerer]:
    """What others answer at the sites that count."""
    peers = {TY_ALONE: (ty, truth.spent(truth.kept_answers(one, TY)))}
    if with_jedi:
        counting = [case.site.place for case in found if case.truth.landing == Landing.INSIDE]
        answers = jedi_answers.jedi_answers(one, counting)
        peers[JEDI] = (answers, truth.spent(jedi_answers.kept_answers(one)))
    return {
        who: answerer(one.name, answered_by(answers, found, known), judged, cost)
        for who, (answers, cost) in peers.items()
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"one of {', '.join(NAMES)}; all of them")
    parser.add_argument("--verbose", action="store_true", help="print every answer that pyright contradicts too")
    parser.add_argument("--sample", action="store_true", help="print the sites that are to be judged by hand")
    parser.add_argument("--reach", action="store_true", help="check edges into tests too, as the full run does")
    parser.add_argument("--keep", action="store_true", help="write the results of some packages too")
    parser.add_argument("--jedi", action=argparse.BooleanOptionalAction, default=True, help="ask jedi too")
    parser.add_argument(
        "--without-jedi",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="leave jedi out here, as it is for django",
    )
    parser.add_argument(
        "--tier3", action=argparse.BooleanOptionalAction, default=True, help="score keel with pyright as its tier 3 too"
    )
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


def _tell(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


def _print_bad(found: list[Case]) -> None:
    for case in found:
        if case.outcome in BAD:
            outcome, _, place, _, shape, keel, confidence, _, pyright, ty, text = cells(case)
            print(f"{outcome} {place}  {text}\n    {shape}\n    keel {confidence} {keel}")
            print(f"    pyright {pyright}\n    ty {ty}")


def _print_sample(found: Mapping[str, list[Case]], judged: Judgements) -> None:
    """One line a site, with the verdict that is known."""
    for name, case in sample(found):
        place: Site = case.site
        print("\t".join((name, str(place.place), place.name, case.answer, judged.verdict(name, case), case.said.tier)))


def _setting(results: list[Result]) -> dict[str, str]:
    servers = ", ".join(f"{server.name} {server.version}" for server in (PYRIGHT, TY))
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "keel": f"{version('keel-graph')}, {commit_of('src')}",
        "packages": ", ".join(f"{result.package} {result.version}" for result in results),
        "checkers": f"{servers}, jedi {jedi_answers.VERSION}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


if __name__ == "__main__":
    sys.exit(main())
