"""Rules: one file per rule, whose docstring is its page.

A rule reads a prepared `Case` and yields findings; computing what is broken is left to `enforcement` and the languages.
"""
