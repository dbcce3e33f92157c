"""Contracts: Python's judgement of two trees, base and now, for the Contracts socket.

`judge` asks binding and comparison, `reach` says through what a method is called, `excuses` what tests expect to fail,
`asked` what a function must have written at it. Which calls are judged is left to enforcement.
"""
