"""Bindings of calls as lines that specs can expect: ` ```binding ` blocks of calls and whether each fits.

A line is `call -> outcome`: `fits`, `does not fit: reasons`, `not known: why`, with `; if not: reasons` where it would
not fit otherwise. The call is read as the last line of the file above; `x().m(…)` is a method on an instance. Python is
asked too: a call that is said to fit must not raise TypeError, one that is said not to fit must. `run=no` is for files
that import what is not installed.
"""

from __future__ import annotations

import re
import sys
import types

from keel.languages.python.binding.bind import Callee, Fits, Misfit, Outcome, Reason, bind
from keel.languages.python.binding.callees import Reached, callee_of_value, instance_callee, method_callee
from keel.languages.python.binding.calls import read_call
from keel.model.refs import DefRef
from tests.spec.markdown import Block
from tests.texts import Texts

ARROW = " -> "
_on_instance = re.compile(r"(\w+)\(\)(?:\.(\w+))?\(").match


def check_binding(files: dict[str, bytes], block: Block) -> list[str]:
    """What of a `binding` block does not hold for the last file."""
    wrong = []
    for number, line in block.lines():
        call, _, expected = line.rpartition(ARROW)
        outcome = _outcome(files, call)
        if _format_outcome(outcome) != " ".join(expected.split()):
            wrong.append(f"line {number}: {call}: {_format_outcome(outcome)}")
        elif len(files) == 1 and block.options.get("run") != "no":
            wrong += [f"line {number}: {call}: {said}" for said in _of_python(files, call, outcome)]
    return wrong


def _outcome(files: dict[str, bytes], call: str) -> Outcome:
    texts = {path: data.decode() for path, data in files.items()}
    last = list(texts)[-1]
    texts[last] += f"\n{call}\n"
    tree = Texts(texts)
    file = tree.numbers[last]
    place = tree.calls(file)[-1]
    return bind(read_call(tree.interface(file), place), _callee(tree, file, place, call))


def _callee(tree: Texts, file: int, place: int, call: str) -> Callee:
    on_instance = _on_instance(call)
    if on_instance is None:
        return callee_of_value(tree.names(), file, tree.interface(file).ir[place + 1])
    owner = tree.names().written(file, on_instance[1])
    assert isinstance(owner, DefRef)
    if on_instance[2] is None:
        return instance_callee(tree.names(), owner)
    return method_callee(tree.names(), owner, on_instance[2], Reached.INSTANCE)


def _format_outcome(outcome: Outcome) -> str:
    if isinstance(outcome, Fits):
        return "fits"
    if isinstance(outcome, Misfit):
        return f"does not fit: {_words(outcome.reasons)}"
    suspected = f"; if not: {_words(outcome.suspected)}" if outcome.suspected else ""
    return f"not known: {outcome.doubt.words}{suspected}"


def _words(reasons: tuple[Reason, ...]) -> str:
    return ", ".join(reason.words for reason in reasons)


def _of_python(files: dict[str, bytes], call: str, outcome: Outcome) -> list[str]:
    """What Python says against an outcome."""
    module = types.ModuleType("of_a_spec")
    sys.modules[module.__name__] = module  # dataclasses look annotations in quotes up there
    try:
        exec(compile(next(iter(files.values())), "of_a_spec.py", "exec", dont_inherit=True), module.__dict__)
        eval(call, module.__dict__)
    except TypeError as error:
        return [f"Python says: {error}"] if isinstance(outcome, Fits) else []
    except ValueError:  # from inside: it was called
        pass
    finally:
        del sys.modules[module.__name__]
    return ["Python takes it"] if isinstance(outcome, Misfit) else []
