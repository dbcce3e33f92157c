"""Coding agents, one module each: how an agent is detected and set up, and how its hook payloads are parsed and
answered.

Each follows the agent's own documentation, which its docstring names. Modules with a leading underscore are shared by
agents. Reading and writing files is left to `init`, `deinit` and the hook command.
"""
