"""Contracts: Python's judgement of two trees, base and now, for the Contracts socket.

`judge` is the socket, `calls` says through what something is called and whether the call fits, `excuses` where the
source expects a failure or awaits a result, `unbound` which names mean nothing, `questions` what a function must have
written at it. What has changed is found by `comparison`; which calls are judged is left to enforcement.
"""
