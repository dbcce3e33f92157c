"""What a type checker says is laid over keel's own answers: together, against, alone, and when it breaks.

That edits are followed is proven in `tests/property/test_helped.py`; the real ty is in `tests/e2e/test_ty.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from keel.bootstrap import Workspace, open_workspace
from keel.graph.export import export_graph
from keel.indexing.context import IndexContext
from keel.indexing.pipeline import bring_up_to_date, build
from keel.indexing.report import Report
from keel.model.kinds import Tier
from keel.model.lines import EdgeLine, RefLine
from keel.operations.compile import Params as CompileParams
from keel.operations.compile import run as run_compile
from keel.operations.map import Params as MapParams
from keel.operations.map import run as run_map
from keel.querying.current_graph import index_context
from tests.helping import FakeHelper, says
from tests.workspaces import MakeWorkspace, write_files

LIB = "def f(): ...\ndef g(): ...\nclass A:\n    def __init__(self): ...\n    def m(self): ...\n"
USER = "from lib import f\n\n\ndef use(x):\n    f()\n    x.m()\n"
FILES = {"lib.py": LIB, "user.py": USER}


class Project:
    """A workspace with a made-up type checker."""

    def __init__(self, folder: Path, answers: Mapping[str, str], breaks_after: int | None = None) -> None:
        self.folder = folder
        self.workspace: Workspace = open_workspace(str(folder))
        self.workspace.prepare()
        self.fake = FakeHelper(says(folder, answers), breaks_after)

    @property
    def line(self) -> IndexContext:
        return index_context(self.workspace)._replace(helpers={"python": [self.fake.helper]})

    def map(self) -> Report:
        return build(self.line)

    def sync(self, files: Mapping[str, str], answers: Mapping[str, str] | None = None) -> Report:
        """Writes files and brings the graph up to date; the type checker may say something else from now on."""
        write_files(self.folder, files)
        if answers is not None:
            self.fake = FakeHelper(says(self.folder, answers), self.fake.breaks_after)
        return bring_up_to_date(self.line)

    def calls(self) -> list[str]:
        """The calls of `use`, in short: line, target, tier, confidence and what is to be said."""
        with self.workspace.store.reading() as reader:
            edges = [line for line in export_graph(reader) if isinstance(line, EdgeLine)]
        return [
            " ".join((str(edge.line), edge.kind, _name(edge.target), edge.tier, f"{edge.confidence:.2f}", *_own(edge)))
            for edge in edges
            if edge.source.endswith(":use") and edge.kind in ("calls", "instantiates")
        ]

    def reasons(self) -> list[str]:
        """Why references of `use` have no edge."""
        with self.workspace.store.reading() as reader:
            refs = [line for line in export_graph(reader) if isinstance(line, RefLine)]
        return [f"{ref.line} {ref.name} {ref.reason}" for ref in refs if ref.source.endswith(":use")]

    def disagreements(self) -> int:
        with self.workspace.store.reading() as reader:
            return sum(reader.helped(int(Tier.TIER2_TY)).values())


def _name(node_id: str) -> str:
    return node_id.rpartition(":")[2]


def _own(edge: EdgeLine) -> list[str]:
    ids = edge.metadata.get("own")
    return [f"own={','.join(map(_name, ids)) or 'nothing'}"] if isinstance(ids, list) else []


def test_where_both_agree_the_edge_is_promoted(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:f()": "lib.py:f()"})
    assert project.map().warnings == ()
    assert project.calls() == ["5 calls f tier2_ty 0.95"]
    assert project.disagreements() == 0


def test_where_it_is_silent_keels_own_answer_is_kept(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {})
    project.map()
    assert project.calls() == ["5 calls f tier2_treesitter_heuristic 0.80"]


def test_where_they_differ_its_answer_wins_and_says_what_was_found_before(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:f()": "lib.py:g()"})
    project.map()
    assert project.calls() == ["5 calls g tier2_ty 0.95 own=f"]
    assert project.disagreements() == 1


def test_what_keel_left_open_becomes_an_edge(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:m()": "lib.py:m("})
    assert project.map().linked == 2
    assert project.calls()[1] == "6 calls A.m tier2_ty 0.93 own=nothing"
    assert project.reasons() == []


def test_a_class_that_only_it_finds_brings_its_constructor(workspace: MakeWorkspace) -> None:
    project = Project(workspace({**FILES, "user.py": "def use(x):\n    x()\n"}), {"user.py:x()": "lib.py:A"})
    project.map()
    assert project.calls() == [
        "2 calls A.__init__ tier2_ty 0.95 own=nothing",
        "2 instantiates A tier2_ty 0.95 own=nothing",
    ]


def test_naming_the_constructor_is_naming_the_class(workspace: MakeWorkspace) -> None:
    files = {**FILES, "user.py": "from lib import A\ndef use():\n    A()\n"}
    project = Project(workspace(files), {"user.py:A()": "lib.py:__init__"})
    project.map()
    assert project.calls() == ["3 calls A.__init__ tier2_ty 0.95", "3 instantiates A tier2_ty 0.95"]
    assert project.disagreements() == 0


def test_a_method_and_what_it_overrides_are_no_contradiction(workspace: MakeWorkspace) -> None:
    """keel follows what is made, a type checker what is declared."""
    user = "from lib import A\nclass B(A):\n    def m(self): ...\n\n\ndef use(x: A = B()):\n    y = B()\n    y.m()\n"
    project = Project(workspace({**FILES, "user.py": user}), {"user.py:m()": "lib.py:m("})
    project.map()
    assert [call for call in project.calls() if call.startswith("8")] == [
        "8 calls A.m tier2_ty 0.93",
        "8 calls B.m tier2_treesitter_heuristic 0.80",
    ]
    assert project.disagreements() == 0


def test_a_variable_is_a_step_and_no_callee(workspace: MakeWorkspace) -> None:
    files = {"lib.py": LIB + "h = f\n", "user.py": "from lib import h\ndef use():\n    h()\n"}
    project = Project(workspace(files), {"user.py:h()": "lib.py:h"})
    project.map()
    assert project.calls() == ["3 calls f tier2_treesitter_heuristic 0.75"]


def test_the_cap_of_star_imports_wins(workspace: MakeWorkspace) -> None:
    files = {**FILES, "user.py": "from lib import *\ndef use():\n    f()\n"}
    project = Project(workspace(files), {"user.py:f()": "lib.py:f()"})
    project.map()
    assert project.calls() == ["3 calls f tier2_ty 0.50"]


def test_only_what_was_not_answered_is_asked_a_second_time(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"again user.py:m()": "lib.py:m("})
    project.map()
    again = [position.line for position, second_opinion in project.fake.asked if second_opinion]
    assert again == [6]
    assert project.calls()[1] == "6 calls A.m tier2_ty 0.93 own=nothing"


def test_a_helper_that_breaks_costs_its_answers_and_one_warning(workspace: MakeWorkspace) -> None:
    files = {**FILES, "zoo.py": "from lib import g\ndef use():\n    g()\n"}
    answers = {"user.py:f()": "lib.py:f()", "zoo.py:g()": "lib.py:g()"}
    project = Project(workspace(files), answers, breaks_after=3)
    report = project.map()
    assert report.warnings == ("ty ended (broken by a test)",)
    assert project.calls() == [
        "5 calls f tier2_ty 0.95",
        "3 calls g tier2_treesitter_heuristic 0.80",
    ]


def test_a_helper_that_never_works_leaves_a_graph_of_keels_own(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:f()": "lib.py:f()"}, breaks_after=0)
    assert project.map().warnings == ("ty ended (broken by a test)",)
    assert project.calls() == ["5 calls f tier2_treesitter_heuristic 0.80"]
    assert project.sync({"other.py": "import lib\n"}).warnings == (), "a graph without it stays without it"


# after an edit


def test_a_change_of_a_body_asks_about_that_file_alone(workspace: MakeWorkspace) -> None:
    project = Project(workspace({**FILES, "far.py": "import user\n"}), {})
    project.map()
    project.fake.files_asked()
    project.sync({"user.py": USER + "    f()\n"})
    assert project.fake.files_asked() == {"user.py"}


def test_a_change_of_what_others_see_asks_about_them_too(workspace: MakeWorkspace) -> None:
    project = Project(workspace({**FILES, "far.py": "import os\nos.getcwd()\n"}), {})
    project.map()
    project.fake.files_asked()
    project.sync({"lib.py": LIB.replace("def g", "def h")})
    assert project.fake.files_asked() == {"user.py"}


def test_what_is_linked_again_for_what_others_give_keeps_its_answers(workspace: MakeWorkspace) -> None:
    """Who calls a function has no bearing on what a type checker says of its body."""
    user = "from lib import f\ndef use(x):\n    f()\n    x()\n"
    project = Project(workspace({**FILES, "user.py": user}), {"user.py:f()": "lib.py:f()"})
    project.map()
    project.fake.files_asked()
    report = project.sync({"giver.py": "from lib import g\nfrom user import use\nuse(g)\n"})
    assert report.linked == 2
    assert project.fake.files_asked() == {"giver.py"}
    assert project.calls() == ["3 calls f tier2_ty 0.95", "4 calls g tier2_treesitter_heuristic 0.75"]


def test_without_it_the_answers_for_unchanged_files_stay(workspace: MakeWorkspace) -> None:
    answers = {"user.py:f()": "lib.py:f()", "user.py:m()": "lib.py:m("}
    project = Project(workspace(FILES), answers)
    project.map()
    before = project.calls()
    project.fake.breaks_after = 0
    report = project.sync({"lib.py": LIB.replace("def g", "def h")})
    assert report.linked > 1
    assert report.warnings == ("ty ended (broken by a test)",)
    assert project.calls() == before
    project.sync({"user.py": USER + "    f()\n"})
    assert "tier2_ty" not in " ".join(project.calls()), "of a file that changed it has said nothing"


def test_who_wants_no_helper_any_more_gets_keels_own_answers(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:f()": "lib.py:g()"})
    project.map()
    bring_up_to_date(index_context(project.workspace)._replace(helpers={}))
    assert project.calls() == ["5 calls f tier2_treesitter_heuristic 0.80"]
    assert project.disagreements() == 0


def test_a_hurried_run_asks_no_helper_and_the_next_run_makes_up_for_it(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:m()": "lib.py:m("})
    project.map()
    project.fake.files_asked()
    write_files(project.folder, {"lib.py": LIB.replace("def m(self)", "def m(self, more)")})
    bring_up_to_date(project.line, asks=False)
    assert project.fake.files_asked() == set()
    assert "6 calls A.m tier2_ty 0.93 own=nothing" in project.calls(), "what was said of a file still counts"
    bring_up_to_date(project.line)
    assert project.fake.files_asked() == {"user.py"}
    bring_up_to_date(project.line)
    assert project.fake.files_asked() == set()


def test_compile_knows_callers_that_only_a_type_checker_has_found(workspace: MakeWorkspace) -> None:
    project = Project(workspace(FILES), {"user.py:m()": "lib.py:m("})
    project.workspace.__dict__["helpers"] = project.line.helpers
    run_map(project.workspace, MapParams())
    project.fake.files_asked()
    write_files(project.folder, {"lib.py": LIB.replace("    def m(self): ...\n", "")})
    found = run_compile(project.workspace, CompileParams())
    gone = [one for one in (*found.errors, *found.warnings) if one.code == "E004"]
    assert [[(each.file, each.line) for each in one.affected] for one in gone] == [[("user.py", 6)]]
    assert project.fake.files_asked() == set()


def test_what_was_said_before_other_files_changed_does_not_hide_what_is_gone(workspace: MakeWorkspace) -> None:
    files = {"a.py": "def f(): ...\n", "b.py": "from a import f\n", "user.py": "from b import f\ndef use():\n    f()\n"}
    project = Project(workspace(files), {"user.py:f()": "a.py:f()"})
    project.map()
    assert project.calls() == ["3 calls f tier2_ty 0.95"]
    write_files(project.folder, {"b.py": "\n"})
    bring_up_to_date(project.line, asks=False)
    assert project.calls() == []
