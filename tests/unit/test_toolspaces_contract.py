"""The contract of tool spaces, example by example: resolution, the table of spaces, chains, shadowing, edge cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from keel.toolspaces import (
    ChainValidationError,
    ToolNotFoundError,
    execute_chain,
    parse_metadata,
    resolve_chain,
    resolve_tool,
    validate_chain,
    validate_space_compatibility,
)
from tests.toolspaces import SpaceFolders, make_trees, manifest


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SpaceFolders:
    return make_trees(tmp_path, monkeypatch, own_system=True)


# resolution


def test_git_is_found_in_the_project(trees: SpaceFolders) -> None:
    path = trees.add("project", "git")
    assert resolve_tool("git", str(trees.project)) == (str(path), "project")


def test_bootstrap_is_found_in_the_system_when_no_other_space_has_it(trees: SpaceFolders) -> None:
    path = trees.add("system", "bootstrap")
    assert resolve_tool("bootstrap", str(trees.project)) == (str(path), "system")


def test_the_user_comes_before_the_system(trees: SpaceFolders) -> None:
    trees.add("system", "bootstrap")
    path = trees.add("user", "bootstrap")
    assert resolve_tool("bootstrap", str(trees.project)) == (str(path), "user")


def test_without_user_space_the_user_is_at_home(trees: SpaceFolders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("USER_SPACE")
    monkeypatch.setenv("HOME", str(trees.user))
    path = trees.add("user", "git")
    assert resolve_tool("git", trees.project) == (str(path), "user")


def test_what_no_space_has_is_not_found_and_the_error_says_where_was_searched(trees: SpaceFolders) -> None:
    trees.add("user", "git-log")
    with pytest.raises(ToolNotFoundError) as caught:
        resolve_tool("git-lgo", trees.project)
    searched = [
        f"{trees.tools(space)}/git-lgo{end}" for space in ("project", "user", "system") for end in (".py", ".yaml")
    ]
    assert caught.value.searched == searched
    assert caught.value.nearest == ["git-log"]


# the chain of the first example


def chain_of_git(trees: SpaceFolders) -> None:
    trees.add("project", "git")
    trees.add("system", "python_runtime", manifest("subprocess", "runtime"))
    trees.add("system", "subprocess", manifest(None, "primitive"))


def test_a_chain_spans_spaces_and_tracks_each(trees: SpaceFolders) -> None:
    chain_of_git(trees)
    elements = resolve_chain("git", trees.project).elements
    assert [(each.item_id, each.space) for each in elements] == [
        ("git", "project"),
        ("python_runtime", "system"),
        ("subprocess", "system"),
    ]


def test_executors_are_resolved_project_first_or_from_the_tools_own_space_when_scoped(trees: SpaceFolders) -> None:
    chain_of_git(trees)
    trees.add("user", "greet")
    trees.add("project", "python_runtime", manifest("subprocess", "runtime"))
    assert [each.space for each in resolve_chain("greet", trees.project).elements] == ["user", "project", "system"]
    scoped = resolve_chain("greet", trees.project, scoped=True)
    assert [each.space for each in scoped.elements] == ["user", "system", "system"]


def test_the_complete_example(trees: SpaceFolders) -> None:
    chain_of_git(trees)
    trees.add("project", "custom_scraper")
    item_id, project_path = "custom_scraper", str(trees.project)

    tool_path, space = resolve_tool(item_id, project_path)
    metadata = parse_metadata(tool_path)
    assert (space, metadata["__tool_type__"], metadata["__executor_id__"]) == ("project", "python", "python_runtime")

    chain: list[dict[str, object]] = []
    current: object = item_id
    while current:
        item_path, item_space = resolve_tool(str(current), project_path)
        item_metadata = parse_metadata(item_path)
        chain.append({"item_id": current, "space": item_space, "type": item_metadata["__tool_type__"]})
        current = item_metadata["__executor_id__"]
    assert [each["item_id"] for each in chain] == ["custom_scraper", "python_runtime", "subprocess"]

    result = validate_chain(chain)
    assert (result.valid, result.issues) == (True, [])


def test_the_complete_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trees = make_trees(tmp_path, monkeypatch)
    trees.add("project", "custom_scraper", manifest() + "print('scraped')\n")
    chain = [
        {"item_id": "custom_scraper", "space": "project"},
        {"item_id": "python_runtime", "space": "system"},
        {"item_id": "subprocess", "space": "system"},
    ]
    result = execute_chain(chain, project_path=trees.project)
    assert (result.success, result.data) == (True, "scraped\n")
    with pytest.raises(ChainValidationError, match="not what is resolved now"):
        execute_chain([{"item_id": "custom_scraper", "space": "user"}, *chain[1:]], project_path=trees.project)


# the table of spaces

PAIRS = [
    ("project", "user", True),
    ("project", "system", True),
    ("user", "system", True),
    ("user", "project", False),
    ("system", "project", False),
    ("system", "user", False),
    ("project", "project", True),
    ("user", "user", True),
    ("system", "system", True),
]


@pytest.mark.parametrize(("child", "parent", "valid"), PAIRS)
def test_a_tool_relies_on_its_own_space_and_on_lower_ones(child: str, parent: str, valid: bool) -> None:
    one, other = {"item_id": "a", "space": child}, {"item_id": "b", "space": parent}
    result = validate_space_compatibility(one, other)
    assert result.valid is valid is validate_chain([one, other]).valid
    if not valid:
        [issue] = result.issues
        assert issue.startswith(f"Tool 'a' from {child} space cannot depend on 'b' from {parent} space.")
        assert validate_chain([one, other]).issues == [issue]


@pytest.mark.parametrize("space", ["", "nowhere", "Project"])
def test_an_unknown_space_is_refused(space: str) -> None:
    unknown, known = {"item_id": "a", "space": space}, {"item_id": "b", "space": "system"}
    for pair in ((unknown, known), (known, unknown)):
        assert not validate_space_compatibility(*pair).valid
        assert validate_chain(list(pair)).issues == [
            f"Tool 'a' is from the unknown space '{space}'; there are project, user, system."
        ]


def test_the_valid_chain() -> None:
    chain = [
        {"item_id": "git", "space": "project"},
        {"item_id": "python_runtime", "space": "system"},
        {"item_id": "subprocess", "space": "system"},
    ]
    assert validate_chain(chain).valid


def test_the_invalid_chains() -> None:
    user = [{"item_id": "user_tool", "space": "user"}, {"item_id": "project_tool", "space": "project"}]
    assert not validate_chain(user).valid
    system = [{"item_id": "system_tool", "space": "system"}, {"item_id": "project_tool", "space": "project"}]
    result = validate_chain(system)
    assert not result.valid
    [issue] = result.issues
    assert issue.startswith("Tool 'system_tool' from system space cannot depend on 'project_tool' from project space")


def test_all_issues_are_told_not_only_the_first() -> None:
    chain: list[dict[str, object]] = [
        {"item_id": "a", "space": "system", "version": "1.0"},
        {"item_id": "b", "space": "user", "child_constraints": {"a": {"min_version": "2.0"}}},
        {"item_id": "c", "space": "project"},
        {"item_id": "a", "space": "elsewhere"},
    ]
    issues = validate_chain(chain).issues
    assert len(issues) == 5
    for text in ("Circular chain: a → b → c → a.", "unknown space 'elsewhere'", "'a' from system space", "requires at"):
        assert any(text in issue for issue in issues)


# shadowing


@pytest.mark.parametrize(
    ("there", "winner"),
    [
        (("project", "user"), "project"),
        (("user", "system"), "user"),
        (("project", "user", "system"), "project"),
        (("project", "system"), "project"),
    ],
)
def test_the_higher_space_wins(trees: SpaceFolders, there: tuple[str, ...], winner: str) -> None:
    for space in there:
        trees.add(space, "git")
    assert resolve_tool("git", trees.project)[1] == winner


def test_deleting_unshadows(trees: SpaceFolders) -> None:
    paths = [trees.add(space, "git") for space in ("project", "user", "system")]
    for path, space in zip(paths, ("project", "user", "system"), strict=True):
        assert resolve_tool("git", trees.project) == (str(path), space)
        path.unlink()
    with pytest.raises(ToolNotFoundError):
        resolve_tool("git", trees.project)


# edge cases


def test_circular_dependencies_are_refused_and_the_loop_is_printed(trees: SpaceFolders) -> None:
    trees.add("project", "tool_a", executor="tool_b")
    trees.add("project", "tool_b", executor="tool_a")
    trees.add("project", "before", executor="tool_a")
    for start in ("tool_a", "before"):
        with pytest.raises(ChainValidationError) as caught:
            resolve_chain(start, trees.project)
        assert caught.value.issues == ["Circular chain: tool_a → tool_b → tool_a."]
    listed = [{"item_id": name, "space": "project"} for name in ("tool_a", "tool_b", "tool_a")]
    assert validate_chain(listed).issues == ["Circular chain: tool_a → tool_b → tool_a."]


def test_a_chain_is_at_most_ten_long(trees: SpaceFolders) -> None:
    for number in range(12):
        trees.add("project", f"t{number}", executor=f"t{number + 1}" if number < 9 else None)
    assert len(resolve_chain("t0", trees.project).elements) == 10
    trees.add("project", "longer", executor="t0")
    with pytest.raises(ChainValidationError, match="more than 10 elements: longer → t0 → t1"):
        resolve_chain("longer", trees.project)


def test_a_missing_executor_is_not_found_and_the_error_says_who_wanted_it(trees: SpaceFolders) -> None:
    trees.add("project", "git", executor="nonexistent_runtime")
    with pytest.raises(ToolNotFoundError) as caught:
        resolve_chain("git", trees.project)
    assert caught.value.item_id == "nonexistent_runtime"
    assert "'nonexistent_runtime', which 'git' names as its executor" in str(caught.value)


@pytest.mark.parametrize(
    ("version", "constraint", "issue"),
    [
        (
            "1.0.0",
            {"min_version": "2.0.0"},
            "Tool 'child' has the version 1.0.0, and 'parent' requires at least 2.0.0.",
        ),
        ("2.0.0", {"min_version": "2.0.0"}, ""),
        ("2.0.0", {"max_version": "2.0.0"}, ""),
        ("10.0", {"min_version": "9.1"}, ""),
        ("2.0.0rc1", {"min_version": "2.0.0"}, "requires at least 2.0.0"),
        ("3.0", {"min_version": "1.0", "max_version": "2.0"}, "requires 1.0 to 2.0"),
        ("3.0", {"max_version": "2.0"}, "requires at most 2.0"),
        ("new", {"min_version": "2.0.0"}, "has the version 'new', which is no version"),
        ("", {"min_version": "2.0.0"}, "says no __version__"),
        ("1.0", {"min_version": "two"}, "has the min_version 'two' for 'child', which is no version"),
        ("1.0", {}, ""),
    ],
)
def test_version_mismatches(version: str, constraint: dict[str, str], issue: str) -> None:
    child = {"item_id": "child", "space": "project", "version": version}
    parent = {"item_id": "parent", "space": "project", "child_constraints": {"child": constraint}}
    issues = validate_chain([child, parent]).issues
    assert issues == [] if not issue else issue in " ".join(issues)


@pytest.mark.parametrize(
    ("outputs", "inputs", "lacking"),
    [
        (["a", "b"], ["a"], ""),
        (["a"], ["a", "b", "c"], "b, c"),
        ({"a": "text"}, {"a": "text"}, ""),
        (None, ["a"], ""),
        (["a"], None, ""),
        ([], ["a"], "a"),
    ],
)
def test_an_executor_takes_what_its_child_puts_out(outputs: object, inputs: object, lacking: str) -> None:
    child = {"item_id": "child", "space": "project", "outputs": outputs}
    parent = {"item_id": "parent", "space": "system", "inputs": inputs}
    issues = validate_chain([child, parent]).issues
    assert issues == ([f"Tool 'parent' takes {lacking}, which 'child' does not put out."] if lacking else [])


def test_an_empty_chain_is_refused() -> None:
    assert validate_chain([]).issues == ["The chain is empty."]
    with pytest.raises(ChainValidationError, match="The chain is empty"):
        execute_chain([])
