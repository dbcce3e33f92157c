"""Rules: one file a rule, whose docstring is its page.

They look at a prepared case and say findings; finding out who is broken is left to `enforcement` and the languages.
"""
