"""The acceptance criteria of the enforcement contract, each under its own words.

Batch mode, the circuit breaker and suppression are held elsewhere. What edits give which findings, case by
case, is told by `tests/spec/enforcement`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from keel import registry
from keel.model.schemas import schema_of
from tests.workspaces import CommandResult, MakeWorkspace, commit_all, keel_inside, write_files

LOGIN = '''
class Password:
    """A password that was checked."""


def login(email: str, password: str) -> str:
    """Logs somebody in."""
    return email + password


def logout(email: str) -> None:
    """Logs somebody out."""
'''
ROUTES = '''
from auth.login import login, logout


def handle_login(email: str, password: str) -> str:
    """Handles a request."""
    return login(email, password)


def handle_logout(email: str) -> None:
    """Handles a request."""
    logout(email)
'''
SESSION = '''
from auth import login


def auto_login(email: str, secret: str) -> str:
    """Logs in by itself."""
    return login.login(email, secret)


def end(email: str) -> None:
    """Ends a session."""
    login.logout(email)
'''
FILES = {"auth/__init__.py": "", "auth/login.py": LOGIN, "routes.py": ROUTES, "session.py": SESSION}
FILE = "auth/login.py"
COMMON = {
    "code",
    "severity",
    "category",
    "message",
    "file",
    "line",
    "hash",
    "confidence",
    "resolution_tier",
    "fix_hint",
}


@pytest.fixture
def project(git_workspace: MakeWorkspace) -> Path:
    """A module with two callers of each of its functions, committed and mapped."""
    folder = git_workspace(FILES)
    assert keel_inside(folder, "map", "--quiet").code == 0
    return folder


def edited(project: Path, old: str, new: str) -> Path:
    """The project with a text of the module replaced."""
    assert old in LOGIN
    return write_files(project, {FILE: LOGIN.replace(old, new)})


def compiled(folder: Path, *words: str) -> dict[str, Any]:
    """What `keel compile FILE --json` answers, which fits its schema."""
    return answered("compile", keel_inside(folder, "compile", *(words or (FILE,)), "--json"))


def explained(folder: Path, *words: str) -> dict[str, Any]:
    """What `keel explain CODE HASH --json` answers, which fits its schema."""
    return answered("explain", keel_inside(folder, "explain", *words, "--json"))


def answered(verb: str, said: CommandResult) -> dict[str, Any]:
    assert said.code in (0, 1), said.err
    operation = registry.operation(verb)
    assert operation is not None
    answer: dict[str, Any] = json.loads(said.out)
    jsonschema.Draft202012Validator(schema_of(operation.Result)).validate(answer)
    return answer


class TestGivenAFileWhereAFunctionsParameterTypeWasChanged:
    def test_e001_is_returned_with_all_affected_callers_listed_in_affected_each_with_hash_name_file_line(
        self, project: Path
    ) -> None:
        answer = compiled(edited(project, "password: str)", "password: Password)"))
        [found] = [each for each in (*answer["errors"], *answer["warnings"]) if each["code"] == "E001"]
        assert {*found} >= COMMON
        assert found["fix_hint"]
        assert [(one["name"], one["file"], one["line"]) for one in found["affected"]] == [
            ("handle_login", "routes.py", 7),
            ("auto_login", "session.py", 7),
        ]
        assert all(len(one["hash"]) == 11 for one in found["affected"])


class TestGivenAFileWithANewFunctionMissingTypeAnnotations:
    def test_e002_is_returned_with_confidence_1_0_and_resolution_tier_tier1_treesitter(self, project: Path) -> None:
        answer = compiled(write_files(project, {FILE: LOGIN + '\n\ndef new(a, b=1):\n    """Is new."""\n'}))
        [found] = answer["errors"]
        assert (found["code"], found["severity"], found["category"]) == ("E002", "ERROR", "missing_type_hints")
        assert (found["confidence"], found["resolution_tier"]) == (1.0, "tier1_treesitter")
        assert found["affected"] == []
        assert "'a', 'b' and return type" in found["fix_hint"]


class TestGivenAPublicFunctionWithoutADocstring:
    def test_e003_is_returned_with_fix_hint_containing_the_function_name(self, project: Path) -> None:
        bare = "\n\ndef validate_token(token: str) -> bool:\n    return True\n"
        [found] = compiled(write_files(project, {FILE: LOGIN + bare}))["errors"]
        assert (found["code"], found["category"]) == ("E003", "missing_docstring")
        assert "validate_token" in found["fix_hint"]


class TestGivenAFileWhereAFunctionWasDeletedThatHas2Callers:
    def test_e004_is_returned_with_both_callers_in_affected(self, project: Path) -> None:
        [found] = compiled(edited(project, LOGIN[LOGIN.index("def logout") :], ""))["errors"]
        assert (found["code"], found["category"]) == ("E004", "function_removed")
        assert {(one["name"], one["line"]) for one in found["affected"]} >= {("handle_logout", 12), ("end", 12)}


class TestGivenAFunctionWhoseArityChangedFrom2To3Params:
    def test_e005_is_returned_with_all_callers_that_pass_the_wrong_argument_count(self, project: Path) -> None:
        [found] = compiled(edited(project, "password: str)", "password: str, code: int)"))["errors"]
        assert (found["code"], found["category"]) == ("E005", "arity_mismatch")
        assert [one["name"] for one in found["affected"]] == ["handle_login", "auto_login"]


class TestGivenACompileThatPassesWithZeroErrorsAndZeroWarnings:
    def test_stdout_is_empty_and_exit_code_is_0(self, project: Path) -> None:
        edited(project, "email + password", "password + email")
        assert keel_inside(project, "compile", FILE) == (0, "", "")


class TestGivenCompileIsRunWithVerboseAndZeroViolations:
    def test_the_info_block_is_present_with_nodes_updated_edges_updated_hashes_changed(self, project: Path) -> None:
        info = compiled(edited(project, "email + password", "password + email"), FILE, "--verbose")["info"]
        assert (info["nodes_updated"], info["edges_updated"], len(info["hashes_changed"])) == (1, 0, 1)


class TestGivenKeelExplainE001HashIsCalled:
    def test_json_output_includes_resolution_chain_array_with_import_call_and_or_type_ref_steps(
        self, project: Path
    ) -> None:
        write_files(project, {"session.py": SESSION.replace("(email, secret)", "(email, password=secret)")})
        commit_all(project)
        [error] = compiled(edited(project, "password: str)", "secret: str)"))["errors"]
        answer = explained(project, "E001", error["hash"])
        assert (answer["error_code"], answer["hash"]) == ("E001", error["hash"])
        assert (answer["confidence"], answer["resolution_tier"]) == (error["confidence"], error["resolution_tier"])
        steps = [(step["kind"], step["file"], step["line"], step["text"]) for step in answer["resolution_chain"]]
        assert ("import", "session.py", 2, "from auth import login") in steps
        assert ("call", "session.py", 7, "return login.login(email, password=secret)") in steps
        assert "import" in answer["summary"]


# explain


def test_explain_shows_the_definition_before_and_now(project: Path) -> None:
    [error] = compiled(edited(project, "password: str)", "password: str, code: int)"))["errors"]
    kinds = {step["kind"]: step["text"] for step in explained(project, "E005", error["hash"])["resolution_chain"]}
    assert kinds["before"] == "def login(email: str, password: str) -> str:"
    assert kinds["definition"] == "def login(email: str, password: str, code: int) -> str:"


def test_explain_works_for_what_was_removed_from_base(project: Path) -> None:
    [error] = compiled(edited(project, LOGIN[LOGIN.index("def logout") :], ""))["errors"]
    answer = explained(project, "E004", error["hash"])
    assert ("before", FILE, 11, "def logout(email: str) -> None:") in steps_of(answer)
    assert ("import", "routes.py", 2, "from auth.login import login, logout") in steps_of(answer)
    assert ("call", "session.py", 12, "login.logout(email)") in steps_of(answer)


def test_explain_of_a_removed_method_shows_how_its_receiver_was_known(project: Path) -> None:
    client = 'class Client:\n    """One."""\n\n    def close(self) -> None:\n        """Closes."""\n'
    use = 'from client import Client\n\n\ndef go() -> None:\n    """Goes."""\n    it = Client()\n    it.close()\n'
    write_files(project, {"client.py": client, "use.py": use})
    commit_all(project)
    write_files(project, {"client.py": client.replace("def close", "def shut")})
    answer = explained(project, "E004", "Client.close")
    assert ("assignment", "use.py", 6, "it = Client()") in steps_of(answer)


@pytest.mark.parametrize(("code", "text"), [("E002", "def bare(a):"), ("E003", "def bare(a):")])
def test_explain_of_what_is_not_written_shows_the_definition_line(project: Path, code: str, text: str) -> None:
    write_files(project, {FILE: LOGIN + "\n\ndef bare(a):\n    return a\n"})
    answer = explained(project, code, "bare")
    assert steps_of(answer) == [("definition", FILE, 15, text)]
    assert (answer["confidence"], answer["resolution_tier"]) == (1.0, "tier1_treesitter")


def test_explain_takes_a_hash_from_before_another_edit(project: Path) -> None:
    [error] = compiled(edited(project, "password: str)", "password: str, code: int)"))["errors"]
    edited(project, "password: str)", "password: str, number: int)")
    answer = explained(project, "E005", error["hash"])
    assert answer["symbol"] == "login"
    assert answer["hash"] != error["hash"]


@pytest.mark.parametrize(
    ("words", "kind", "code"),
    [
        (("E999", "login"), "CodeUnknown", 2),
        (("E001", "nothing"), "SymbolNotFound", 1),
        (("E001", "login"), "FindingMissing", 1),
    ],
)
def test_explain_of_what_is_not_there_is_an_error_of_its_kind(
    project: Path, words: tuple[str, str], kind: str, code: int
) -> None:
    edited(project, "password: str)", "password: str, code: int)")
    said = keel_inside(project, "explain", *words, "--json")
    failure = json.loads(said.err or said.out)
    assert (failure["kind"], said.code) == (kind, code)


def test_explain_names_what_was_found_instead(project: Path) -> None:
    edited(project, "password: str)", "password: str, code: int)")
    said = keel_inside(project, "explain", "E001", "login")
    assert "there is no E001 for 'login'; found instead: E005" in said.err


def test_explain_convinces_people_line_by_line(project: Path) -> None:
    edited(project, "password: str)", "password: str, code: int)")
    lines = [" ".join(line.split()) for line in keel_inside(project, "explain", "E005", "login").out.splitlines()]
    assert lines[0].startswith(f"{FILE}:6 E005 login error, confidence 0.")
    assert f"before {FILE}:6 def login(email: str, password: str) -> str:" in lines
    assert "routes.py:7 handle_login: missing required 'code'" in lines
    assert "call routes.py:7 return login(email, password)" in lines
    assert "import routes.py:2 from auth.login import login, logout" in lines
    assert "fix: Update 2 callers of 'login' (required parameter 'code' added)" in lines


def steps_of(answer: dict[str, Any]) -> list[tuple[str, str, int, str]]:
    """The chain of an explanation."""
    return [(step["kind"], step["file"], step["line"], step["text"]) for step in answer["resolution_chain"]]


# clean compile


@pytest.mark.parametrize("form", [(), ("--llm",), ("--format", "github")])
def test_a_clean_compile_says_nothing_in_any_form_for_readers(project: Path, form: tuple[str, ...]) -> None:
    assert keel_inside(project, "compile", *form) == (0, "", "")


def test_a_clean_compile_in_json_has_empty_lists_and_no_info(project: Path) -> None:
    assert compiled(project) == {
        "version": "1.0",
        "command": "compile",
        "status": "ok",
        "files_analyzed": [FILE],
        "errors": [],
        "warnings": [],
        "evidence": "own",
    }


def test_a_clean_compile_in_sarif_is_a_log_without_results(project: Path) -> None:
    said = keel_inside(project, "compile", "--format", "sarif")
    assert json.loads(said.out)["runs"][0]["results"] == []
    assert (said.code, said.err) == (0, "")


def test_a_clean_compile_that_is_strict_passes(project: Path) -> None:
    assert keel_inside(project, "compile", "--strict") == (0, "", "")


RATES = '''
class Parcel:
    """Something to send."""


def calculate_rate(parcel: Parcel) -> int:
    """What it costs."""
    return 2


def get_carrier(parcel: Parcel) -> str:
    """Who brings it."""
    return "van"


def estimate_delivery(parcel: Parcel) -> int:
    """When it comes."""
    return len(get_carrier(parcel)) + calculate_rate(parcel)
'''
CART = "".join(f'def {name}_cart(cart: str) -> str:\n    """Does it."""\n    return cart\n\n\n' for name in "abcdef")
SHIPPING = '''
from shipping.rates import Parcel, calculate_rate, get_carrier


def calculate_shipping(parcel: Parcel) -> str:
    """What sending costs."""
    return get_carrier(parcel) * calculate_rate(parcel)
'''


class TestGivenANewFunctionPlacedInModuleCheckoutThatScoresHigherInModuleShipping:
    def test_w001_is_returned_with_suggested_module_src_shipping_and_relevant_sibling_functions_listed(
        self, git_workspace: MakeWorkspace
    ) -> None:
        folder = git_workspace({"src/shipping/rates.py": RATES, "src/checkout/cart.py": CART})
        assert keel_inside(folder, "map", "--quiet").code == 0
        write_files(folder, {"src/checkout/cart.py": CART + SHIPPING})
        answer = compiled(folder, "src/checkout/cart.py")
        [found] = answer["warnings"]
        assert {*found} >= COMMON
        assert (found["code"], found["severity"], found["category"]) == ("W001", "WARNING", "placement")
        assert found["suggested_module"] == "src/shipping/"
        assert found["runners_up"] == []
        assert "existing" not in found
        for sibling in ("calculate_rate", "get_carrier", "estimate_delivery"):
            assert sibling in found["message"]
            assert sibling in found["fix_hint"]
        assert 0.7 <= found["confidence"] < 1
        assert found["resolution_tier"] == "tier2_treesitter_heuristic"
        told = explained(folder, "W001", found["hash"])
        assert "where-to-put" in told["summary"]


class TestGivenANewFunctionWithTheNameOfAnother:
    def test_w002_is_returned_with_existing_naming_its_hash_file_and_line(self, git_workspace: MakeWorkspace) -> None:
        folder = git_workspace({"src/shipping/rates.py": RATES, "src/checkout/cart.py": CART})
        assert keel_inside(folder, "map", "--quiet").code == 0
        copy = RATES[RATES.index("def estimate_delivery") :]
        imports = "from shipping.rates import Parcel, calculate_rate, get_carrier\n\n\n"
        write_files(folder, {"src/checkout/cart.py": imports + CART + copy})
        found = next(each for each in compiled(folder, "src/checkout/cart.py")["warnings"] if each["code"] == "W002")
        assert {*found} >= COMMON
        assert (found["severity"], found["category"]) == ("WARNING", "duplicate_name")
        assert found["message"].startswith("Function 'estimate_delivery' already exists in 'src/shipping/rates.py:16'")
        assert (found["existing"]["file"], found["existing"]["line"]) == ("src/shipping/rates.py", 16)
        assert len(found["existing"]["hash"]) == 11
        assert "suggested_module" not in found
        assert found["resolution_tier"] == "tier1_treesitter"
