"""Contracts: Python's judgement of two trees, base and current, for the Contracts socket.

`judge` implements the socket, `calls` finds how a callee is accessed and whether the call fits, `excuses` where the
source expects a failure or awaits a result, `unbound` which names are unbound, `questions` which annotations and
docstrings a function lacks. Changes are found by `comparison`; which calls are judged is left to enforcement.
"""
