"""Whatever a client sends to whatever verb: an answer or an error of keel's own, no traceback, and nothing is written.

A slice of what `make fuzz-requests` sends.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from keel.bootstrap import open_workspace
from keel.operations import map as map_operation
from keel.operations import sync
from tests.adversarial import FILES, asking_verbs, fingerprint, outcome, requests
from tests.workspaces import MakeWorkspace

SENT = 400
SETTLED = 0.1


@pytest.mark.parametrize("is_watched", [True, False])
def test_requests_are_answered_or_refused(workspace: MakeWorkspace, is_watched: bool) -> None:
    folder = workspace(FILES, "shop")
    opened = open_workspace(str(folder))
    map_operation.run(opened, map_operation.Params())
    time.sleep(SETTLED)  # a file that has just been written is looked at again, and that is noted
    sync.run(opened, sync.Params())
    opened.is_watched = is_watched
    before = fingerprint(Path(folder))
    outcomes: Counter[str] = Counter()
    for number, request in enumerate(islice(requests(7 + is_watched), SENT)):
        try:
            outcomes[outcome(opened, request)] += 1
        except Exception as error:
            raise AssertionError(f"request {number}: {request}") from error
    assert fingerprint(Path(folder)) == before
    assert outcomes["answer"] > SENT / 10, "some requests are good ones"
    assert len(outcomes) > 2, "and some are not"


def test_every_verb_that_asks_is_asked() -> None:
    assert {"resolve", "find", "describe", "neighbors", "where", "discover"} <= set(asking_verbs())
