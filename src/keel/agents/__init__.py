"""Coding agents, one file each: how it is recognised, set up, read and answered. Nothing here reads or writes files.

Each follows what the agent's own documents say, which its docstring names. Modules that begin with an underscore are
shared by agents.
"""
