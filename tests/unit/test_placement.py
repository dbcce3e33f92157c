"""How functions are weighed against modules, on signs made by hand, and what profiles are made of."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from keel.bootstrap import open_workspace
from keel.graph.placement.duplicates import Shape, likeness
from keel.graph.placement.modules import Modules, is_apart, is_utility
from keel.graph.placement.placement import CALLED_BY, CALLS, NAMED, Sign, fits_of, reasons_of, signs_of
from keel.languages.python import language
from keel.model.profiles import Folder, ModuleProfile, decode_profile
from keel.model.syntax import syntaxes_of
from keel.model.text.topics import name_topics, prose_topics
from keel.model.text.words import stem
from keel.operations import map as mapping
from keel.stores.sqlite.store import SqliteStore
from tests.workspaces import write_files

SHOP, MAIL = ("app", "shop"), ("app", "mail")


def test_a_fit_is_the_share_of_all_signs_that_point_to_a_module() -> None:
    signs = [Sign(CALLS, "f", 1.0, {SHOP: 1.0}, SHOP), Sign(CALLED_BY, "g", 3.0, {MAIL: 0.5, SHOP: 0.5}, MAIL)]
    assert [(fit.folder, fit.score) for fit in fits_of(signs)] == [(SHOP, 0.625), (MAIL, 0.375)]


def test_without_signs_nothing_fits() -> None:
    assert fits_of([]) == []


def test_reasons_name_what_is_in_the_module_and_the_words_it_shares() -> None:
    signs = [
        Sign(CALLS, "charge", 1.0, {SHOP: 0.5, MAIL: 0.5}, SHOP),
        Sign(CALLS, "send", 0.5, {MAIL: 1.0}, MAIL),
        Sign(NAMED, "order", 0.2, {MAIL: 1.0}),
    ]
    fits = {fit.folder: fit for fit in fits_of(signs)}
    assert reasons_of(fits[MAIL], language.syntax) == ["uses send", "names there share order"]
    assert reasons_of(fits[SHOP], language.syntax) == ["uses charge"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("shop/utils/text.py", True),
        ("shop/utils.py", True),
        ("shop/_helpers.py", True),
        ("shop/testutils.py", True),
        ("shop/common/", True),
        ("shop/text.py", False),
        ("commonwealth/text.py", False),
    ],
)
def test_utilities_are_told_by_their_path(path: str, expected: bool) -> None:
    assert is_utility(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("scripts/run.py", True),
        ("shop/scripts/run.py", False),
        ("shop/migrations/0001_initial.py", True),
        ("shop/migrations/versions/ab12_orders.py", True),
        ("shop/migrations/executor.py", False),
        ("shop/_vendor/six.py", True),
        ("run.py", False),
    ],
)
def test_what_is_by_itself_is_told_by_its_path(path: str, expected: bool) -> None:
    assert is_apart(path) is expected


@pytest.mark.parametrize("words", ["date dates dated dating", "map maps mapped mapping", "query queries"])
def test_words_of_one_stem_are_one(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("word", ["status", "address", "analysis", "is"])
def test_words_that_only_look_like_plurals_stay(word: str) -> None:
    assert stem(word) == word


def test_names_are_taken_apart_in_every_spelling() -> None:
    assert list(name_topics("parseHTTPDate")) == list(name_topics("parse_http_date")) == ["pars", "http", "dat"]


def test_words_that_say_nothing_are_left_out_of_a_description() -> None:
    assert list(prose_topics("a function that sends the mail").values()) == ["sends", "mail"]


ONE = Shape(0, ("a", "b"), Counter({(1, "x"): 2, (1, "y"): 2}), 1, frozenset(), False, False, {})


def test_likeness_grows_with_what_is_shared() -> None:
    equal, other = ONE._replace(body=2), ONE._replace(body=3, uses=type(ONE.uses)({(1, "z"): 4}))
    fewer = other._replace(parameters=("a",))
    assert likeness(ONE, ONE) > likeness(ONE, equal) > likeness(ONE, other) > likeness(ONE, fewer) > 0
    assert likeness(ONE, equal._replace(flags=1)) == 0
    assert likeness(equal._replace(decorators=frozenset(["lazy"])), ONE) == 0
    assert likeness(ONE, equal._replace(is_registered=True)) == 0


def modules_of(folder: Path, files: dict[str, str]) -> tuple[SqliteStore, str]:
    """A mapped workspace."""
    write_files(folder, files)
    mapping.run(open_workspace(str(folder), str(folder)), mapping.Params())
    return SqliteStore(str(folder / ".keel" / "graph.db")), folder.name


RATES = '''"""Rates of carriers."""
from web import app
import requests
__all__ = ["rate_of"]
class Carrier:
    """Somebody who brings parcels."""
    def pick_up(self): ...
@app.get("/rates/{id}")
def rate_of(carrier): ...
def _hidden(): ...
'''


def test_a_profile_says_what_a_module_is_about(tmp_path: Path) -> None:
    files = {"shipping/rates.py": RATES, "shipping/test_rates.py": "def test_it(): ...\n", "web.py": "app = 1\n"}
    store, root = modules_of(tmp_path / "shop", files)
    with store.reading() as reader:
        modules = Modules(reader, syntaxes_of([language]))
        profile: ModuleProfile = modules.profiles[root, "shipping"]
        assert len(reader.profiles()) == 2, "tests have none"
        assert {type(decode_profile(each)).__name__ for each in reader.profiles().values()} == {"FileProfile"}
    assert profile.path == "shipping/"
    assert (profile.functions, profile.methods, profile.classes) == (("rate_of", "_hidden"), 1, ("Carrier",))
    assert (profile.exports, profile.endpoints) == (("rate_of",), ("/rates/{id}",))
    assert profile.imports == ("requests", "web")
    assert profile.names == {"rat": 1, "of": 1, "hidden": 1, "carrier": 1}
    assert profile.keywords["parcel"] == 1
    assert profile.keywords["pick"] == 1


def test_a_callee_speaks_for_everybody_who_uses_it_and_a_function_not_for_itself(tmp_path: Path) -> None:
    library = "def bold(text): return text\n"
    page = "from lib.text import bold\n" + "".join(
        f"def {name}(): return bold(3)\n" for name in ("title", "head", "mine")
    )
    store, root = modules_of(tmp_path / "shop", {"lib/text.py": library, "pages/page.py": page})
    with store.reading() as reader:
        modules = Modules(reader, syntaxes_of([language]))
        [mine] = reader.with_name("mine")
        [sign] = signs_of(modules, mine)
    library_folder: Folder = (root, "lib")
    assert (sign.signal, sign.what, sign.home) == (CALLS, "bold", library_folder)
    assert sign.shares == {(root, "pages"): 2 / 3, library_folder: 1 / 3}
