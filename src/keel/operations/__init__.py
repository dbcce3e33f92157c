"""The operations: one file per command, each with Params, Result and run; its docstring is its help page.

The command line and the documentation are generated from them.
"""
