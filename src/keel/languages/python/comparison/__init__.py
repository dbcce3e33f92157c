"""Comparison: what a definition before and after an edit means to those who use it.

`signatures` finds the changes after which a call may no longer fit, `annotations` compares types by what they mean,
`changes` puts changes into words and finds where a definition that is gone has moved to. Which users are affected is
left to rules.
"""
