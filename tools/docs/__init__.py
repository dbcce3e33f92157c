"""The documentation that is made from the code: what can be said by the code is written once, there.

`python -m tools.docs` (or `make docs`) writes it; `tests/house` says when that is due.
"""
