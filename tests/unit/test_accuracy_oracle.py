"""The oracle of `benchmarks.accuracy` joins and counts as it says: a tiny package with canned answers, no servers.

What the checkers really say is the benchmark's matter.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.accuracy.answers import Graph, SiteAnswer, keel_of, mapped, read
from benchmarks.accuracy.client import OUTSIDE
from benchmarks.accuracy.definitions import DefinitionGroup, Definitions, definitions
from benchmarks.accuracy.figures import (
    ALONE,
    WITH_TY,
    Result,
    alone_counts,
    answerer,
    judged_sample,
    shapes_of_misses,
)
from benchmarks.accuracy.judged import FILE, SAMPLE_SIZE, Judgement, judgements, sample
from benchmarks.accuracy.listing import COLUMNS, cells
from benchmarks.accuracy.page import Report, as_markdown
from benchmarks.accuracy.reach import direct_imports, reach, reachable
from benchmarks.accuracy.score import Case, Landing, Outcome, answered_by, cases, score, verdict
from benchmarks.accuracy.sites import CALL, IMPORT, Site, Source, SourceSpan, imported_places, sites
from benchmarks.accuracy.truth import follow, load, save
from tests.repository import TOP
from tests.workspaces import write_files
from tools.docs.repository import text_of

LIBRARY = """\
from typing import overload


class Shape:
    def __init__(self) -> None:
        self.size = 1

    @property
    def area(self) -> int:
        return 1

    @area.setter
    def area(self, value: int) -> None: ...

    def grow(self) -> "Shape":
        return self


@overload
def scale(by: int) -> int: ...
@overload
def scale(by: str) -> str: ...
def scale(by):
    return by


def traced(level: int):
    return lambda function: function


@traced(3)
def draw() -> None: ...
"""
USES = """\
from shapes.library import Shape, draw
from shapes import library as lib


@lib.traced(1)
def run(thing: Shape) -> None:
    draw()
    thing.grow().grow()
    "é".join(str(lib.scale(2)))
    (thing
        .grow())
    make()()
    print(f"{draw()}")
"""
HEIRS = """\
class Parent:
    def __init__(self): ...

class Child(Parent): ...

class Grandchild(base.Child[int]): ...

class Stranger(Parent):
    def __init__(self): ...
"""
LIBRARY_PATH, USES_PATH = "shapes/library.py", "shapes/uses.py"
SHAPE = DefinitionGroup(LIBRARY_PATH, 4, "Shape")
DRAW = DefinitionGroup(LIBRARY_PATH, 31, "draw")
Lands = tuple[int, int] | SourceSpan | None
"""Where a checker lands: line and column in the library, another place, nowhere."""
AT_DRAW = SourceSpan(USES_PATH, 7, 5)


def test_a_site_is_at_the_last_part_of_the_callee() -> None:
    found = {(site.name, site.place.line, site.place.column) for site in sites(uses()) if site.kind == CALL}
    assert {
        ("traced", 5, 6),
        ("draw", 7, 5),
        ("grow", 8, 11),
        ("grow", 8, 18),
        ("join", 9, 10),  # é is two bytes
        ("str", 9, 15),
        ("scale", 9, 23),
        ("grow", 11, 10),
        ("make", 12, 5),
    } <= found


def test_only_from_imports_are_sites() -> None:
    assert [(site.name, site.place.column) for site in sites(uses()) if site.kind == IMPORT] == [
        ("Shape", 28),
        ("draw", 35),
        ("library", 20),
    ]


@pytest.mark.parametrize(
    ("name", "line", "shape"),
    [
        ("draw", 7, "name: import"),
        ("grow", 8, "attribute of annotated parameter"),
        ("join", 9, "attribute of literal"),
        ("str", 9, "name: builtin or star"),
    ],
)
def test_a_site_says_what_it_hangs_on(name: str, line: int, shape: str) -> None:
    assert shape in {site.shape for site in sites(uses()) if (site.name, site.place.line) == (name, line)}


def test_every_site_is_a_reference_to_keel(tmp_path: Path) -> None:
    """The join rests on keel counting lines and columns as `sites` does."""
    tree = write_files(tmp_path, {"shapes/__init__.py": "", LIBRARY_PATH: LIBRARY, USES_PATH: USES})
    graph = mapped(keel_of(TOP), tree)
    every = [*sites(library()), *sites(uses())]
    assert [site for site in every if graph.at(site.kind, site.place).reason == "no reference"] == []
    outcomes = {site.name: case(site, graph, None).ours for site in every if site.kind == IMPORT}
    assert outcomes["Shape"] == {SHAPE}
    assert outcomes["library"] == {DefinitionGroup(LIBRARY_PATH, 0, "<module>")}


@pytest.mark.parametrize(
    ("places", "name"),
    [
        ([(4, 7), (5, 9)], "Shape"),  # the class and its constructor
        ([(9, 9), (13, 9)], "Shape.area"),
        ([(20, 5), (22, 5), (23, 5)], "scale"),
        ([(32, 5)], "draw"),  # where its name is, not where its decorator is
    ],
)
def test_definitions_that_count_as_the_same_are_one_thing(places: list[tuple[int, int]], name: str) -> None:
    things = {known().by_place[SourceSpan(LIBRARY_PATH, *place)] for place in places}
    assert [thing.name for thing in things] == [name]


def test_definitions_of_one_name_stay_apart_otherwise() -> None:
    twice = Source("m.py", b"if x:\n    def f(): ...\nelse:\n    def f(): ...\n")
    assert len(set(definitions([twice]).by_place.values())) == 2


@pytest.mark.parametrize(
    ("ours", "pyright", "outcome"),
    [
        ("draw", (32, 5), Outcome.SAME),
        ("grow", (32, 5), Outcome.WRONG),
        ("", (32, 5), Outcome.SILENT),
        ("draw", OUTSIDE, Outcome.OUTSIDE),
        ("draw", None, Outcome.ALONE),
        ("draw", (6, 14), Outcome.ALONE),  # a variable
        ("", OUTSIDE, Outcome.UNASKED),
    ],
)
def test_what_becomes_of_a_site(ours: str, pyright: Lands, outcome: Outcome) -> None:
    found = draw_case(ours, pyright)
    assert found.outcome == outcome
    assert len(cells(found)) == len(COLUMNS)


def test_the_counts_and_what_is_right_all_the_same() -> None:
    found = [
        draw_case("draw", (32, 5)),
        draw_case("grow", (32, 5)),
        draw_case("", (32, 5)),
        draw_case("draw", OUTSIDE, ty=(32, 5)),
        draw_case("draw", None),
    ]
    strict, lenient = score(found, lambda case: False), score(found, lambda case: case.is_seconded)
    assert (strict.sites, strict.same, strict.wrong, strict.silent, strict.outside, strict.alone) == (3, 1, 1, 1, 1, 1)
    assert strict.same_share == pytest.approx(100 / 3)
    assert strict.right_share == pytest.approx(100 / 3)
    assert lenient.excused == 1
    assert lenient.right_share == pytest.approx(200 / 3)
    assert (strict + lenient).sites == 6


def test_a_peer_is_scored_where_pyright_answers_only() -> None:
    found = [draw_case("draw", (32, 5)), draw_case("draw", OUTSIDE)]
    counted = score(answered_by({AT_DRAW: (SourceSpan(LIBRARY_PATH, 15, 9),)}, found, known()), lambda case: False)
    assert (counted.sites, counted.same, counted.wrong, counted.outside) == (1, 0, 1, 0)
    silent = score(answered_by({}, found, known()), lambda case: False)
    assert (silent.sites, silent.silent) == (1, 1)


def test_a_verdict_holds_for_the_answer_it_was_given_to(tmp_path: Path) -> None:
    kept = tmp_path / "judged.tsv"
    head = "\t".join(Judgement._fields)
    answer = draw_case("draw", None).answer
    lines = [f"shapes\t{AT_DRAW}\tdraw\t{answer}\tright\t\tread", f"shapes\t{AT_DRAW}\tdraw\t-\tsilent\tx\tread"]
    kept.write_text("\n".join(["# a remark", head, *lines, ""]), encoding="utf-8")
    judged = judgements(kept)
    assert judged.verdict("shapes", draw_case("draw", None)) == "right"
    assert judged.is_right("shapes", draw_case("draw", OUTSIDE))
    assert judged.verdict("shapes", draw_case("grow", None)) == "open"
    assert not judged.is_right("shapes", draw_case("grow", OUTSIDE))
    assert judged.cause("shapes", draw_case("", (32, 5))) == "x"


def test_what_is_committed_of_verdicts_can_be_read() -> None:
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    assert rows[0] == list(Judgement._fields)
    assert {len(row) for row in rows} == {len(Judgement._fields)}
    assert {row[4] for row in rows[1:]} <= {"right", "wrong", "silent"}
    assert len({(row[0], row[1], row[3]) for row in rows[1:]}) == len(rows) - 1
    explained = text_of("docs/accuracy.md")
    assert [row[5] for row in rows[1:] if row[5] and f"| {row[5]} |" not in explained] == []


def test_the_sample_takes_packages_in_turn_and_always_the_same_sites() -> None:
    many = [
        Case(
            Site(SourceSpan("m.py", line, 1), CALL, "f", "", ""),
            SiteAnswer(),
            frozenset({DRAW}),
            SILENT_VERDICT,
            SILENT_VERDICT,
        )
        for line in range(1, 301)
    ]
    found = {"small": many[:3], "large": many}
    taken = sample(found)
    assert len(taken) == SAMPLE_SIZE
    assert [package for package, _ in taken[:6]] == ["small", "large"] * 3
    assert sample({"small": many[2::-1], "large": many[::-1]}) == taken


def test_the_page_says_which_bars_are_met() -> None:
    found = [draw_case("draw", (32, 5)), draw_case("", (32, 5))]
    nothing = judgements(Path("nowhere"))
    one = answerer("shapes", found, nothing, 1.5)
    result = Result("shapes", "1.0", {ALONE: one, WITH_TY: one}, {ALONE: shapes_of_misses(found)}, alone_counts(found))
    page = as_markdown(Report([result], judged_sample({"shapes": found}, nothing), {"date": "d"}))
    assert "| keel with ty | shapes | 50.00 | ≥ 99.5 | NOT MET | 100.00 | ≥ 99.7 | met |" in page
    assert "| shapes | keel alone | silent: no reference: name: import | 1 |" in page


def test_a_constructor_beside_its_class_is_no_second_answer() -> None:
    lines = [node("Shape", "class", 4), node("__init__", "method", 5)]
    lines += [edge("instantiates", "Shape"), edge("calls", "__init__")]
    assert [target.name for target in read(lines).at(CALL, AT_DRAW).targets] == ["Shape"]


def test_another_target_beside_the_right_one_is_counted() -> None:
    lines = [*NODES, edge("calls", "draw"), edge("calls", "grow")]
    site = next(site for site in sites(uses()) if site.place == AT_DRAW)
    counted = score([case(site, read(lines), (32, 5))], lambda case: False)
    assert (counted.same, counted.several) == (1, 1)


def test_a_landing_on_a_constructor_means_the_classes_that_inherit_it_too() -> None:
    source = Source("m.py", HEIRS.encode())
    place = SourceSpan("m.py", 2, 9)
    names = {thing.name for thing in definitions([source]).heirs[place]}
    assert names == {"Child", "Grandchild"}
    made = Site(SourceSpan("n.py", 1, 1), CALL, "make", "", "")
    assert verdict(made, [place], definitions([source])).accepted == {
        DefinitionGroup("m.py", 1, "Parent"),
        DefinitionGroup("m.py", 4, "Child"),
        DefinitionGroup("m.py", 6, "Grandchild"),
    }
    by_name = Site(SourceSpan("n.py", 1, 1), CALL, "__init__", "", "")
    assert verdict(by_name, [place], definitions([source])).accepted == {DefinitionGroup("m.py", 1, "Parent")}


def test_where_the_attribute_class_is_defined_is_no_answer() -> None:
    site = Site(SourceSpan("m.py", 1, 1), CALL, "__class__", "", "")
    assert verdict(site, [OUTSIDE], known()).landing == Landing.VARIABLE


def test_the_beginning_of_a_file_is_a_module_only_under_its_name() -> None:
    place = SourceSpan(USES_PATH, 2, 20)
    top = (SourceSpan(LIBRARY_PATH, 1, 1),)
    assert verdict(Site(place, IMPORT, "library", "", ""), top, known()).landing == Landing.INSIDE
    assert verdict(Site(place, IMPORT, "VERSION", "", ""), top, known()).landing == Landing.VARIABLE


def test_a_landing_on_an_import_is_followed_and_rings_end() -> None:
    start, step, end = (SourceSpan("a.py", line, 1) for line in (1, 2, 3))
    assert follow(start, {start: (step,), step: (end,)}, {step}) == (end,)
    assert follow(start, {start: (step,), step: (step,)}, {step}) == (step,)
    assert SourceSpan(USES_PATH, 2, 31) in imported_places(uses())  # the alias


def test_answers_are_kept_as_they_were(tmp_path: Path) -> None:
    answers = {AT_DRAW: (SourceSpan(LIBRARY_PATH, 32, 5), OUTSIDE), SourceSpan(USES_PATH, 8, 11): ()}
    save(tmp_path / "ty.json", answers)
    assert load(tmp_path / "ty.json") == answers


def test_what_a_file_reaches_by_import(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "app/core.py": "import app.models\n",
            "app/models.py": "",
            "tests/one/__init__.py": "",
            "tests/one/models.py": "from app import core\n",
            "tests/one/cases.py": "from .models import Thing\n",
            "tests/two/cases.py": "from one import models\n",
        },
    )
    imports = direct_imports(tmp_path)
    assert reachable("tests/one/cases.py", imports) >= {"tests/one/models.py", "app/core.py", "app/models.py"}
    assert "tests/one/models.py" in reachable("tests/two/cases.py", imports)  # found from the folder of tests
    assert reachable("app/core.py", imports) == {"app/core.py", "app/models.py"}


def test_a_call_into_tests_that_no_import_explains_is_an_offence(tmp_path: Path) -> None:
    write_files(tmp_path, {"app/core.py": "", "tests/cases.py": "import helper\n", "tests/helper.py": ""})
    lines = [node("helper", "function", 1, "tests/helper.py")]
    lines += [edge("calls", "helper", path) for path in ("app/core.py", "tests/cases.py")]
    found = reach(tmp_path, read(lines).calls)
    assert (found.edges, found.into_tests) == (2, 2)
    assert [offender.place.path for offender in found.unreachable] == ["app/core.py"]


def library() -> Source:
    return Source(LIBRARY_PATH, LIBRARY.encode())


def uses() -> Source:
    return Source(USES_PATH, USES.encode())


def known() -> Definitions:
    return definitions([library(), uses()])


def node(name: str, kind: str, line: int, path: str = LIBRARY_PATH) -> dict[str, Any]:
    """A line of an export, as much of it as is read."""
    return {"type": "node", "id": f"sym:r:{path}:{name}", "kind": kind, "name": name, "path": path, "start_line": line}


def edge(kind: str, target: str, path: str = USES_PATH) -> dict[str, Any]:
    """An edge from the call of `draw` to a definition of that name, whichever file it is in."""
    home = "tests/helper.py" if target == "helper" else LIBRARY_PATH
    place = {"path": path, "line": 7, "column": 5}
    return {"type": "edge", "kind": kind, "target": f"sym:r:{home}:{target}", "confidence": 0.8, "tier": "t", **place}


NODES = [node("draw", "function", 32), node("grow", "method", 16)]


SILENT_VERDICT = verdict(Site(AT_DRAW, CALL, "draw", "", ""), (), known())


def draw_case(ours: str, pyright: Lands, ty: Lands = None) -> Case:
    """The call of `draw`, where keel says `ours` and the checkers land in the library."""
    lines = [*NODES, edge("calls", ours)] if ours else NODES
    site = next(site for site in sites(uses()) if site.place == AT_DRAW)
    return case(site, read(lines), pyright, ty)


def case(site: Site, graph: Graph, pyright: Lands, ty: Lands = None) -> Case:
    [found] = cases([site], graph, {site.place: places(pyright)}, {site.place: places(ty)}, known())
    return found


def places(at: Lands) -> tuple[SourceSpan, ...]:
    if at is None:
        return ()
    return (at if isinstance(at, SourceSpan) else SourceSpan(LIBRARY_PATH, *at),)
