"""The catalogue: one file a verb, each with Params, Result and run; its docstring is its help and its page.

The command line and the documentation follow from it. Modules that begin with an underscore are shared by verbs.
"""
