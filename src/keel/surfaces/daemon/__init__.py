"""The daemon: one background process a workspace that keeps the graph in memory, and its client.

It answers what the command alone would have answered, or declines, and then the command does the work itself. Running
commands and formatting results is left to the command line, which passes a function in.
"""
