"""The commands as a user meets them: every one, for people and for programs, and words that do not fit.

Help, failures, terminals and completion have files of their own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import keel
from keel import registry
from keel.model.schemas import schema_of
from tests.e2e.shop import FILES, ok, refused
from tests.repository import settings
from tests.workspaces import PATIENCE, MakeWorkspace, run_keel

# every command, for programs

CALLS: dict[str, tuple[str, ...]] = {
    "accept": (),
    "check": ("Cart",),
    "compile": ("--all",),
    "deinit": ("--yes",),
    "describe": ("Cart.total",),
    "discover": ("Cart", "--depth", "2"),
    "explain": ("checkout", "pay"),
    "export": (),
    "find": ("symbol",),
    "fix": (),
    "impact": ("Cart.total",),
    "init": ("--yes",),
    "map": ("--depth", "3"),
    "neighbors": ("Cart", "--direction", "in", "--edge-types", "instantiates"),
    "resolve": ("Cart.total",),
    "review": ("--base", "HEAD"),
    "search": ("cart total",),
    "stats": (),
    "status": (),
    "sync": (),
    "tools chain": ("python_runtime",),
    "tools check": (),
    "tools list": (),
    "tools lock": ("python_runtime",),
    "tools new": ("greet",),
    "tools run": ("python_runtime",),
    "tools show": ("subprocess",),
    "where": ("Cart",),
    "where-to-put": ("Cart",),
}
SILENT = ("fix", "review", "tools run")
"""They say nothing when nothing is wrong, or when a tool says nothing."""


def test_every_command_is_called_here() -> None:
    assert registry.names(registry.OPERATIONS) == sorted(CALLS)


@pytest.mark.parametrize("verb", CALLS)
def test_json_answers_fit_their_schema(shop: Path, verb: str) -> None:
    operation = registry.operation(verb)
    assert operation is not None
    said = ok(_where_it_answers(shop, verb), *verb.split(), *CALLS[verb], "--json")
    answers = [json.loads(line) for line in said.splitlines()] if verb == "export" else [json.loads(said)]
    validator = jsonschema.Draft202012Validator(schema_of(operation.Result))
    for answer in answers:
        validator.validate(answer)


@pytest.mark.parametrize("verb", CALLS)
def test_every_answer_can_be_given_to_a_language_model(shop: Path, verb: str) -> None:
    operation = registry.operation(verb)
    if "llm" in getattr(operation, "FORMATS", ("llm",)):
        assert ok(_where_it_answers(shop, verb), *verb.split(), *CALLS[verb], "--llm") or verb in SILENT


def _where_it_answers(shop: Path, verb: str) -> Path:
    """The project; `accept` is for those that git does not know."""
    if verb == "accept":
        shutil.rmtree(shop / ".git")
    return shop


def test_the_version_is_the_one_of_the_project(shop: Path) -> None:
    assert keel.__version__ == settings()["project"]["version"]
    assert ok(shop, "--version") == f"keel {keel.__version__}\n"


# every command, for people


def test_map_counts_what_it_found(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "plain")
    said = ok(folder, "map")
    assert said.startswith("mapped 3 files in ")
    assert "  class     1\n" in said
    assert ok(folder, "map", "--fresh").startswith("mapped 3 files in ")


def test_two_fresh_maps_at_once_both_succeed(shop: Path) -> None:
    command = [sys.executable, "-m", "keel", "map", "--fresh"]
    running = [subprocess.Popen(command, cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    for one in running:
        said, complained = one.communicate(timeout=PATIENCE)
        assert (one.returncode, complained) == (0, b"")
        assert said.startswith(b"mapped 3 files in ")
    assert ok(shop, "status").startswith("fresh: shop, 3 files")


def test_a_fresh_map_is_the_way_out_of_a_damaged_graph(shop: Path) -> None:
    (shop / ".keel/graph.db").write_bytes(b"no database at all, " * 1000)
    assert "keel map --fresh" in refused(shop, "where", "Cart")
    assert ok(shop, "map", "--fresh").startswith("mapped 3 files in ")
    assert ok(shop, "where", "Cart").startswith("shop/cart.py:1  ")


def test_what_keel_keeps_is_hidden_from_git(shop: Path) -> None:
    status = subprocess.run(["git", "status", "--porcelain"], cwd=shop, capture_output=True, check=True)
    assert status.stdout == b""
    (shop / ".keel/config.toml").write_text("schema_version = 1\n", encoding="utf-8")
    status = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=shop, capture_output=True, check=True)
    assert status.stdout == b"?? .keel/config.toml\n"


def test_sync_says_what_changed(shop: Path) -> None:
    assert ok(shop, "sync").startswith("up to date: 3 files, 0 added")
    (shop / "shop/new.py").write_text("def fresh(): pass\n", encoding="utf-8")
    (shop / "shop/main.py").unlink()
    assert ok(shop, "sync").startswith("updated: 3 files, 1 added, 0 changed, 1 removed")


def test_sync_builds_where_there_is_no_graph(workspace: MakeWorkspace) -> None:
    assert ok(workspace(FILES, "plain"), "sync").startswith("built: 3 files, 3 added")


def test_status_tells_missing_stale_and_fresh(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "plain")
    said = ok(folder, "status")
    assert said.startswith("missing: plain")
    assert not (folder / ".keel").exists()
    ok(folder, "map")
    assert ok(folder, "status").startswith("fresh: plain, 3 files")
    (folder / "shop/cart.py").write_text("class Cart: ...\n", encoding="utf-8")
    said = ok(folder, "status")
    assert said.startswith("stale: plain")
    assert "changed:\n  plain/shop/cart.py\n" in said
    assert ok(folder, "status") == said
    assert ".md" in said


def test_status_names_some_files_and_counts_the_others(workspace: MakeWorkspace) -> None:
    folder = workspace({f"m{number:02}.py": "" for number in range(30)}, "many")
    said = ok(folder, "status")
    assert said.startswith("missing: many")
    assert "  many/m19.py\n… and 10 added; --limit names more\n" in said
    assert "m20" not in said
    assert "  many/m29.py\n" in ok(folder, "status", "--limit", "30")


def test_a_map_that_is_shown_is_brought_up_to_date_first(workspace: MakeWorkspace) -> None:
    folder = workspace(FILES, "plain")
    assert ok(folder, "map", "--depth", "1").startswith("mapped 3 files in ")
    assert ok(folder, "map", "--depth", "1").startswith("checked 3 files in ")
    (folder / "shop/new.py").write_text("def late(): pass\n", encoding="utf-8")
    said = ok(folder, "map", "--depth", "2", "--scope", "shop/new.py")
    assert said.startswith("updated 4 files in ")
    assert "symbols:\n  shop/new.py:1  def late()\n" in said
    assert ok(folder / "shop", "map", "--scope", "new.py").startswith("checked 4 files in ")
    assert ok(folder, "map", "--depth", "1", "--fresh").startswith("mapped 4 files in ")


def test_discover_is_of_now(shop: Path) -> None:
    main = shop / "shop/main.py"
    said = json.loads(ok(shop, "discover", "Cart", "--json"))
    assert [caller["call_line"] for caller in said["upstream"]] == [5]
    assert (said["version"], said["command"], said["edges_as_of"]) == ("1.0", "discover", "now")
    main.write_text("# a line above\n" + main.read_text(encoding="utf-8"), encoding="utf-8")
    said = json.loads(ok(shop, "discover", "Cart", "--json"))
    assert [caller["call_line"] for caller in said["upstream"]] == [6]


def test_a_caller_in_a_new_file_is_seen_at_once(shop: Path) -> None:
    late = "from shop.cart import Cart\n\n\ndef {name}():\n    return Cart()\n"
    counts = []
    for name in ("first", "second", "third"):
        (shop / f"shop/{name}.py").write_text(late.format(name=name), encoding="utf-8")
        described = json.loads(ok(shop, "describe", "Cart", "--json"))
        near = json.loads(ok(shop, "neighbors", "Cart", "--direction", "in", "--edge-types", "instantiates", "--json"))
        around = json.loads(ok(shop, "discover", "Cart", "--json"))
        assert {described["edges_as_of"], near["as_of"], around["edges_as_of"]} == {"now"}
        assert described["edges"]["instantiates"]["in"] == near["total"] == around["callers"]
        counts.append(near["total"])
    assert counts == [2, 3, 4]


def test_discover_takes_a_module_and_counts_its_imports(shop: Path) -> None:
    said = json.loads(ok(shop, "discover", "shop/cart.py", "--json"))
    assert {(caller["qualified_name"], caller["edge"]) for caller in said["upstream"]} == {
        ("<module>", "imports"),
        ("checkout", "instantiates"),
    }


def test_answers_for_language_models_stay_within_their_budget(shop: Path) -> None:
    assert ok(shop, "where", "Cart", "--llm").startswith("shop/cart.py:1 class Cart ")
    assert ok(shop, "--max-tokens", "100", "map", "--depth", "2", "--llm").startswith("map: 3 modules\n")
    assert ok(shop, "describe", "Cart", "--format", "llm", "--max-tokens", "200").count("\n") > 3
    assert refused(shop, "export", "--llm") == "export has no format 'llm' (jsonl, dot, mermaid)"
    assert "--max-tokens is for --llm" in refused(shop, "where", "Cart", "--max-tokens", "200")


def test_status_and_stats_count_alike(shop: Path) -> None:
    status = json.loads(ok(shop, "status", "--json"))
    stats = json.loads(ok(shop, "stats", "--json"))
    assert status["edges"] == sum(stats["edges"].values())
    assert status["nodes"] == sum(stats["nodes"].values())
    assert status["tiers"] == stats["tiers"]


def test_stats_count_references_by_reason(shop: Path) -> None:
    said = ok(shop, "stats")
    assert "files:\n  python  3\n" in said
    assert "references:\n  linked " in said


def test_where_says_path_and_line(shop: Path) -> None:
    assert ok(shop, "where", "Cart.total").startswith("shop/cart.py:4  method Cart.total  ")
    assert ok(shop, "where", "shop/main.py:5").startswith("shop/main.py:4  function checkout  ")
    assert ok(shop / "shop", "where", "cart.py").startswith("shop/cart.py:1  file shop/cart.py  ")
    assert ok(shop.parent, "--workspace", str(shop), "where", "Cart").startswith("shop/cart.py:1  class Cart  ")


def test_where_answers_about_the_files_as_they_are_now(shop: Path) -> None:
    cart = shop / "shop/cart.py"
    old = json.loads(ok(shop, "where", "Cart.total", "--json"))["hash"]
    text = cart.read_text(encoding="utf-8")
    cart.write_text("# moved\n\n" + text.replace("return tax", "return tax + 1"), encoding="utf-8")
    assert ok(shop, "where", "Cart.total").startswith("shop/cart.py:6  ")
    said = ok(shop, "where", old)
    assert said.startswith("shop/cart.py:6  method Cart.total  ")
    assert "found by an old hash" in said
    (shop / "shop/new.py").write_text("def late(): pass\n", encoding="utf-8")
    assert ok(shop, "where", "late").startswith("shop/new.py:1  ")
    cart.unlink()
    assert refused(shop, "where", "Cart.total", code=1).startswith("no symbol is called 'Cart.total'")


def test_describe_shows_signature_source_and_edges(shop: Path) -> None:
    said: dict[str, Any] = json.loads(ok(shop, "describe", "Cart.total", "--json"))
    signature = said["node"]["signature"]
    assert signature["text"] == "def total(self, tax: int = 0) -> int"
    assert signature["parameters"][1] == {
        "name": "tax",
        "kind": "positional_or_keyword",
        "annotation": "int",
        "default": True,
    }
    assert said["source"] == "    def total(self, tax: int = 0) -> int:\n        return tax"
    assert said["edges"]["contains"] == {"in": 1, "out": 0}
    assert json.loads(ok(shop, "describe", "pay", "--json"))["edges"]["calls"] == {"in": 1, "out": 0}
    assert "    def total(self, tax: int = 0) -> int:\n" in ok(shop, "describe", "Cart.total")


def test_explain_shows_every_step_with_the_line_as_it_is_now(shop: Path) -> None:
    main = shop / "shop/main.py"
    main.write_text("# first\n" + main.read_text(encoding="utf-8"), encoding="utf-8")
    said = ok(shop, "explain", "checkout", "Cart")
    assert said == (
        "shop/main.py:5  checkout -> Cart\n"
        "1 edge from checkout to Cart, the surest with confidence 0.80\n"
        "instantiates  0.80  by keel (heuristic)\n"
        "  call    shop/main.py:6  return pay(Cart())\n"
        "  import  shop/main.py:2  from shop.cart import Cart\n"
        "defined at  shop/cart.py:1  class Cart:\n"
    )
    [edge] = json.loads(ok(shop, "explain", "checkout", "Cart", "--json"))["edges"]
    assert edge["resolution_chain"][1] == {
        "kind": "import",
        "file": "shop/main.py",
        "line": 2,
        "text": "from shop.cart import Cart",
    }


def test_explain_says_that_there_is_no_edge_and_why(shop: Path) -> None:
    (shop / "shop/late.py").write_text("def later(cart):\n    cart.total()\n", encoding="utf-8")
    done = run_keel(["explain", "later", "Cart.total"], cwd=shop)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "shop/late.py:1  later -> Cart.total\n"
        "no edge from later to Cart.total:\n"
        "shop/late.py:2  call of cart.total has no edge: known only at run time\n"
    )
    assert refused(shop, "explain", "checkout", "Card", code=1).startswith("no symbol is called 'Card'")
    assert refused(shop, "explain", "checkout") != ""


def test_describe_cuts_a_long_source_and_says_so(shop: Path) -> None:
    said = json.loads(ok(shop, "describe", "Cart", "--max-lines", "2", "--json"))
    assert said["source"].count("\n") == 1
    assert said["source_cut"] == 3
    assert ok(shop, "describe", "Cart", "--max-lines", "2").endswith("\n… 3 more lines; --max-lines shows more\n")


def test_export_writes_to_a_file_or_to_standard_output(shop: Path, tmp_path: Path) -> None:
    said = ok(shop, "export")
    assert ok(shop, "export", "--output", str(tmp_path / "graph.jsonl")) == ""
    assert (tmp_path / "graph.jsonl").read_text(encoding="utf-8") == said
    assert ok(shop, "export", "--format", "dot").startswith("digraph keel {")
    assert ok(shop, "export", "--format=mermaid", "--kind", "class").startswith("flowchart LR")


# getting it wrong


@pytest.mark.parametrize("verb", ["where", "describe", "export", "stats"])
def test_a_question_without_a_graph_says_what_to_do(workspace: MakeWorkspace, verb: str) -> None:
    folder = workspace(FILES, "plain")
    assert "run `keel map` first" in refused(folder, verb, *CALLS[verb])
    assert not (folder / ".keel").exists()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["wher", "Cart"], "unknown command 'wher'; did you mean where?"),
        (["where"], "SYMBOL is missing: "),
        (["where", "Cart", "Shop"], "unexpected argument 'Shop'"),
        (["where", "Cart", "--jsn"], "unknown option --jsn; did you mean --json?"),
        (["--jsn"], "unknown option --jsn; did you mean --json?"),
        (["map", "--fresh=1"], "--fresh takes no value"),
        (["export", "--kind", "clas"], "--kind cannot be 'clas'; did you mean class?"),
        (["export", "--min-confidence", "much"], "--min-confidence is a number, not 'much'"),
        (["export", "--min-confidence", "7"], "--min-confidence is a number from 0 to 1, not '7'"),
        (["export", "--min-confidence", "nan"], "--min-confidence is a number from 0 to 1, not 'nan'"),
        (["export", "--language", "cobol"], "--language cannot be 'cobol' (python)"),
        (["describe", "Cart", "--max-lines", "-1"], "--max-lines is a whole number of at least 0, not '-1'"),
        (["export", "--min-confidence"], "--min-confidence needs a value: "),
        (["export", "--format", "svg"], "export has no format 'svg' (jsonl, dot, mermaid)"),
        (["describe", "Cart", "--max-lines", "2.5"], "--max-lines is a whole number, not '2.5'"),
        (["--workspace", "nowhere", "where", "Cart"], "--workspace: there is no folder nowhere"),
        (["export", "--output", "no/such/folder"], "cannot write no/such/folder: "),
        (["--quiet"], "no command given"),
        (["where", "Cart", "--llm", "--format", "human"], "--llm and --format human cannot be used together"),
        (["export", "--llm", "--format=dot"], "--llm and --format dot cannot be used together"),
    ],
)
def test_wrong_words_are_told(shop: Path, words: list[str], expected: str) -> None:
    said = refused(shop, *words)
    assert said.startswith(expected)
    assert "\n" not in said


@pytest.mark.parametrize(
    ("words", "pair"),
    [
        (["where", "Cart", "--json", "--llm"], "--json and --llm"),
        (["where", "Cart", "--json", "--format", "human"], "--json and --format human"),
        (["where", "Cart", "--llm", "--format", "json"], "--llm and --format json"),
        (["export", "--json", "--format", "dot"], "--json and --format dot"),
    ],
)
def test_contradicting_formats_are_refused_in_json_where_that_is_asked_for(
    shop: Path, words: list[str], pair: str
) -> None:
    done = run_keel(words, cwd=shop)
    assert (done.returncode, done.stderr) == (2, "")
    assert f"{pair} cannot be used together" in json.loads(done.stdout)["error"]


def test_the_same_format_can_be_said_twice(shop: Path) -> None:
    assert ok(shop, "where", "Cart", "--json", "--format", "json") == ok(shop, "where", "Cart", "--json")
    assert ok(shop, "where", "Cart", "--llm", "--format", "llm") == ok(shop, "where", "Cart", "--llm")
    assert ok(shop, "export", "--json", "--format", "jsonl") == ok(shop, "export")


def test_a_symbol_that_is_not_one_is_told_with_exit_code_1(shop: Path) -> None:
    assert "did you mean Cart" in refused(shop, "where", "Crat", code=1)
    (shop / "shop/other.py").write_text("class Cart: ...\n", encoding="utf-8")
    ok(shop, "sync")
    said = refused(shop, "where", "Cart", code=1)
    assert said.startswith("'Cart' names 2 symbols")
    assert "\n  shop/cart.py:1   class Cart  " in said


def test_broken_files_are_named_by_what_reads_them(workspace: MakeWorkspace) -> None:
    folder = workspace({"good.py": "def f(): ...\n", "bad.py": "def g(): ...\ndef (:\n"}, "mixed")
    assert "mixed/bad.py" in ok(folder, "map")
    assert "bad.py" not in ok(folder, "sync")
    (folder / "good.py").write_text("def f(: ...\n", encoding="utf-8")
    assert "mixed/good.py" in ok(folder, "sync")
