"""Contracts: Python's judgement of two trees, base and now, for the Contracts socket.

`judge` is the socket, `calls` binds, `changes` compares, `reach` says through what a method is called, `excuses` where
the source expects a failure, `asked` what a function must have written at it. Which calls are judged is left to
enforcement.
"""
