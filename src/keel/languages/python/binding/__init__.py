"""Binding: whether a call fits what it calls, by Python's own rules.

`calls` reads what a call gives, `callees` what the called thing takes (functions, methods, constructors, dataclasses,
named tuples, partial applications, what decorators leave), `bind` says whether the one fits the other: it fits, it does
not for the reasons Python would raise, or that is not known. Who is called is left to `resolve`.
"""
