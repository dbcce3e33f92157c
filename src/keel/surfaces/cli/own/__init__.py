"""The command line's own commands: modules like those of `operations/`, whose `run` needs no workspace.

They are about the command line itself; all other commands are left to `operations/`.
"""
