"""The daemon: one background process a workspace that keeps everything warm, and the client that asks it.

It answers what a command alone would have answered, or nothing, and then the command does the work. What commands do
and how they are shown is the command line's, which hands it in.
"""
