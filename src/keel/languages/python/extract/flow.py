"""Variables: the environment of one function, module or class body while it is walked.

Flow of control is settled here and nowhere else: a read of a variable becomes the value it holds there, several where
branches meet. Attributes and elements that the body itself sets (`self.x`, `d["a"]`) are followed like variables. What
values evaluate to is left to `resolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from keel.languages.python import forms
from keel.languages.python.extract.scopes import FUNCTION, Scope, look_up
from keel.languages.python.extract.walk import Changes, Flow, Loop, Walk, head
from keel.languages.python.forms import BOUND, PARAM
from keel.model.facts import AUGMENTED, GROWN, Assign

BITS = 64
NARROWINGS = (forms.NARROWED, forms.EXCLUDED)
MAX_VALUES = 64
"""A variable that is assigned more values in one body is no longer followed."""


def enter_body(w: Walk, scope: Scope, params: Iterable[tuple[bytes, int]] = ()) -> None:
    """Enters the body of a definition; parameters hold their arguments."""
    flow = Flow(scope)
    w.flows.append(flow)
    use(w, flow)
    for name, expr in params:
        flow.env[name] = expr
        scope.values[name] = [expr]


def use(w: Walk, flow: Flow) -> None:
    """Works with the environment of a body."""
    w.flow, w.env, w.chains, w.bound = flow, flow.env, flow.chains, flow.bound


# reading and writing


def load(w: Walk, text: bytes, name: bytes) -> int:
    """A name or chain as a value: what its first name holds, or the chain itself when that is no variable here."""
    base = w.env.get(name)
    if base is None:
        expr = w.chains.get(text)
        return w.chain(text) if expr is None else expr
    skip = 0 if name == text else 1
    if skip and w.flow.paths:
        base, skip = _followed(w.env, text, name)
    key = (text, base)
    expr = w.bound.get(key)
    if expr is None:
        ir, strings = w.ir, w.strings
        expr = w.bound[key] = len(ir)
        ir += (BOUND, strings.setdefault(text, len(strings)), base, skip)
        if ir[base] == PARAM and base >= 0:
            w.flow.used_parameters |= bit_of(ir[base + 2])
    return expr


def _followed(env: dict[bytes, int], text: bytes, name: bytes) -> tuple[int, int]:
    """The value of the longest prefix of a chain that is followed, and how many names that prefix has (0: all)."""
    end = len(text)
    while end > len(name):
        known = env.get(text[:end])
        if known is not None:
            return known, 0 if end == len(text) else text.count(b".", 0, end) + 1
        end = text.rfind(b".", 0, end)
    return env[name], 1


def hear(w: Walk, expr: int) -> None:
    """A value is used: recorded if it is a parameter of this body."""
    flow, ir = w.flow, w.ir
    if expr >= 0 and ir[expr] == PARAM and ir[expr + 1] == flow.scope.owner:
        flow.used_parameters |= bit_of(ir[expr + 2])


def bit_of(number: int) -> int:
    """The bit of a parameter; those that 64 bits have no room for share the sign, which fills all bits behind it."""
    return 1 << number if number < BITS else -1 << BITS - 1


def assign(w: Walk, name: bytes, expr: int) -> None:
    """A name holds a value from here on."""
    scope, flow = w.scope, w.flow
    if name in scope.globals:
        return
    if name in scope.nonlocals:
        outer = look_up(scope, name)[0]
        if outer is not None and outer is not scope:
            outer.values.setdefault(name, []).append(expr)
        return
    given = scope.values.get(name)
    if given is None:
        scope.values[name] = [expr]
    else:
        if len(given) >= MAX_VALUES:
            expr = -1
        given.append(expr)
    flow.trail.append((name, flow.env.get(name)))
    flow.env[name] = expr
    if flow.tries:
        flow.tries[-1].setdefault(name, []).append(expr)
    if flow.paths:
        _forget(w, name)


def store(w: Walk, path: bytes, expr: int) -> None:
    """An attribute or element (`self.x`, `d['a']`) holds a value from here on."""
    _forget(w, path)
    _set(w, path, expr)
    w.flow.paths.add(path)


def extend(w: Walk, base: bytes, other: int, at: int) -> None:
    """A container gets all elements of another: `x.extend(v)`, `x.update(v)`."""
    held = w.env.get(base)
    is_local = b"." not in base and w.scope.kind >= FUNCTION
    if held is not None:
        _set(w, base, choice(w, [held, other]))
        if is_local and base in w.scope.values:
            w.scope.values[base].append(w.env[base])
    if held is None or not is_local:
        w.assigns.append(Assign(w.owner, owner(w, base), other, at, AUGMENTED))


def owner(w: Walk, base: bytes) -> int:
    """A container as a target: by its name, or by what it is an attribute of, not by what it holds."""
    first, _, rest = base.partition(b".")
    receiver = w.env.get(first)
    if not rest or receiver is None:
        return w.chain(base)
    return w.put(forms.BOUND, w.intern(base), receiver, 1)


def grow(w: Walk, base: bytes, element: int, key: int, at: int) -> None:
    """A container gets one more element: `x.append(v)`, `x[k] = v`."""
    held = w.env.get(base)
    if held is not None:
        hear(w, held)
        _set(w, base, w.put(forms.GROWN, held, element, key))
        if b"." not in base and w.scope.kind >= FUNCTION and base in w.scope.values:
            w.scope.values[base].append(w.env[base])
    if key >= 0 or w.ir[element] == forms.GROWN:
        element = w.put(forms.GROWN, -1, element, key)
    w.assigns.append(Assign(w.owner, owner(w, base), element, at, GROWN))


def forget_elements(w: Walk, base: bytes) -> None:
    """Some element of a container was set, it is not known which."""
    for path in w.flow.paths:
        if path.startswith(base + b"[") and path in w.env:
            _set(w, path, None)


def narrow(w: Walk, text: bytes, expr: int, is_instance: bool) -> None:
    """A name or chain is known to hold an instance of a class from here on, or none of it."""
    if not is_instance and head(text) not in w.env:
        return
    hold(w, text, w.put(forms.NARROWED if is_instance else forms.EXCLUDED, load(w, text, head(text)), expr))


def hold(w: Walk, text: bytes, expr: int) -> None:
    """A name or chain is known to hold a value from here on, without being assigned it."""
    _set(w, text, expr)
    if b"." in text:
        w.flow.paths.add(text)


def element_path(base: bytes, key: bytes) -> bytes:
    """How an element with a literal key is named in the environment."""
    return base + b"[" + key.replace(b'"', b"'") + b"]"


def _set(w: Walk, name: bytes, expr: int | None) -> None:
    env = w.env
    w.flow.trail.append((name, env.get(name)))
    if expr is None:
        env.pop(name, None)
        return
    env[name] = expr
    if w.flow.tries:
        w.flow.tries[-1].setdefault(name, []).append(expr)


def _forget(w: Walk, name: bytes) -> None:
    """Facts about parts of a name no longer hold."""
    for path in w.flow.paths:
        if path in w.env and path.startswith(name) and path[len(name) : len(name) + 1] in (b".", b"["):
            _set(w, path, None)


# branches


def branch(w: Walk, walk: Callable[[], object]) -> Changes | None:
    """Walks a branch from the environment as it is, then restores it; its changes, None if its end is unreachable."""
    flow = w.flow
    mark, dead, flow.dead = len(flow.trail), flow.dead, False
    walk()
    ended, flow.dead = flow.dead, dead
    changes = undo(w, mark)
    return None if ended else changes


def since(w: Walk, mark: int) -> Changes:
    """What has changed since a mark."""
    return {name: w.env.get(name) for name, _ in w.flow.trail[mark:]}


def undo(w: Walk, mark: int) -> Changes:
    """Undoes all changes since a mark, and returns them."""
    env, trail = w.env, w.flow.trail
    changes: Changes = {}
    if len(trail) == mark:
        return changes
    for name, old in reversed(trail[mark:]):
        if name not in changes:
            changes[name] = env.get(name)
        if old is None:
            env.pop(name, None)
        else:
            env[name] = old
    del trail[mark:]
    return changes


def merge(w: Walk, alternatives: list[Changes | None]) -> None:
    """Goes on with what any of the branches left; where none ends, what follows is unreachable."""
    alive = [changes for changes in alternatives if changes is not None]
    if not alive:
        w.flow.dead = True
        return
    if len(alive) == 1:
        for name, expr in alive[0].items():
            _set(w, name, expr)
        return
    if not any(alive):
        return
    env, paths = w.env, w.flow.paths
    partly: list[tuple[bytes, list[int]]] = []
    for name in dict.fromkeys(name for changes in alive for name in changes):
        held = [changes[name] if name in changes else env.get(name) for changes in alive]
        known = [expr for expr in held if expr is not None]
        if name in paths and None in held:
            _set(w, name, None)
            given = [expr for expr in known if expr < 0 or w.ir[expr] not in NARROWINGS]
            if b"[" not in name and given:
                partly.append((name, given))
            continue
        expr = choice(w, known)
        _set(w, name, expr)
        if w.flow.loops and expr is not None and expr not in known:
            w.flow.loops[-1].choices.append((name, expr))
    for name, given in partly:  # where nothing was set, the current value of its owner
        _set(w, name, choice(w, [*given, load(w, name, head(name))]))


def choice(w: Walk, exprs: list[int]) -> int | None:
    """One of several values."""
    exprs = list(dict.fromkeys(exprs))
    if len(exprs) > 1:
        for expr in exprs:
            hear(w, expr)
        return w.put(forms.CHOICE, len(exprs), *exprs)
    return exprs[0] if exprs else None


def loop(w: Walk, walk: Callable[[], object], otherwise: Callable[[], object], always: bool = False) -> None:
    """Walks the body of a loop: each iteration begins with what the one before left; `otherwise` runs without `break`.

    The body is walked once; reads that saw values from before the loop get the later values as well.
    """
    flow = w.flow
    outer_bound = flow.bound
    flow.bound = w.bound = {}
    frame = Loop(len(flow.trail))
    flow.loops.append(frame)
    changes = branch(w, walk)
    flow.loops.pop()
    back = [*([changes] if changes is not None else []), *frame.continues]
    reads = [*w.bound.items(), *frame.inner]
    _close(w, reads, frame.choices, back)
    if flow.loops:
        flow.loops[-1].inner += reads
        flow.loops[-1].choices += frame.choices
    flow.bound = w.bound = outer_bound
    before: list[Changes | None] = [] if always and frame.breaks else [{}]

    def end() -> None:
        merge(w, [*before, *back])
        otherwise()

    merge(w, [branch(w, end), *frame.breaks])


def _close(
    w: Walk, reads: list[tuple[tuple[bytes, int], int]], choices: list[tuple[bytes, int]], back: list[Changes]
) -> None:
    """Values from before the loop may be replaced by those an iteration left: in reads, and where branches have met."""
    ir, env = w.ir, w.env
    later: dict[bytes, int | None] = {}
    for name in dict.fromkeys(name for changes in back for name in changes):
        exprs = [expr for changes in back if (expr := changes.get(name)) is not None]
        before = env.get(name)
        if before is not None and exprs:
            later[name] = choice(w, [before, *exprs])
    if not later:
        return
    for (text, base), expr in reads:
        name = b".".join(text.split(b".")[: ir[expr + 3] or None])
        if env.get(name) == base and (value := later.get(name)) is not None:
            held = ir[expr + 2]
            ir[expr + 2] = value if held == base else w.put(forms.CHOICE, 2, held, value)
    for name, expr in choices:
        value, before = later.get(name), env.get(name)
        if value is not None and value != expr:
            for at in range(expr + 2, expr + 2 + ir[expr + 1]):
                if ir[at] == before:
                    ir[at] = value


def tried(w: Walk, walk: Callable[[], object]) -> Changes:
    """Walks a body that an exception may leave at any point: all values that variables held meanwhile."""
    flow = w.flow
    held: dict[bytes, list[int]] = {}
    flow.tries.append(held)
    walk()
    flow.tries.pop()
    if flow.tries:
        for name, exprs in held.items():
            flow.tries[-1].setdefault(name, []).extend(exprs)
    return {name: choice(w, exprs) for name, exprs in held.items()}


def jump(w: Walk, out: bool) -> None:
    """`break` or `continue`: what holds here holds where the loop goes on."""
    flow = w.flow
    if flow.loops:
        frame = flow.loops[-1]
        (frame.breaks if out else frame.continues).append(since(w, frame.mark))
    flow.dead = True


def jumps_of(w: Walk) -> tuple[list[Changes], ...]:
    """What holds at each `break` and each `continue` of the loop at hand."""
    return (w.flow.loops[-1].breaks, w.flow.loops[-1].continues) if w.flow.loops else ()
