"""Binding: whether a call fits its callee, by Python's own rules.

`calls` reads the arguments of a call, `callees` the parameters of a callee (functions, methods, constructors,
dataclasses, named tuples, partial applications, what decorators leave), `bind` decides: the call fits, does not fit for
the reasons Python would raise, or that is not known. Which definition is called is left to `resolve`.
"""
