"""Every case of the call graphs is true: its run takes the calls it lists, and no other.

Whether keel finds them is another test's question.
"""

from __future__ import annotations

from itertools import groupby

import pytest

from tests.spec.callgraph.cases import read_cases
from tests.spec.callgraph.observe import observe, untruths

DOCUMENTS = {name: list(cases) for name, cases in groupby(read_cases(), lambda case: case.category)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_cases_are_true(document: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    cases = [case for case in DOCUMENTS[document] if case.entry]
    seen = observe(cases, tmp_path_factory.mktemp("cases"))
    wrong = [
        f"{document}.md:{case.line}: {case.title}: {each}"
        for case, one in zip(cases, seen, strict=True)
        for each in untruths(case, one)
    ]
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)
