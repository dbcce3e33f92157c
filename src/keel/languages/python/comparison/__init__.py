"""Comparison: what the difference between a definition before and after an edit means to its users.

`signatures` finds the changes after which a call may no longer fit, `annotations` compares types by meaning, `changes`
formats changes and finds where a removed definition has moved to. Which users are affected is left to rules.
"""
