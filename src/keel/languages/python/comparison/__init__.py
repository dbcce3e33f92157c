"""Comparison: what a definition before and after an edit means to those who use it.

`signatures` names the changes after which a call may no longer fit, `annotations` compares types by what they mean,
`renames` finds where a definition that is gone has come to stand. Which users are affected is left to rules.
"""
