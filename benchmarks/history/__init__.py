"""The history oracle: successive releases of real packages, replayed as edits, and every ERROR about them judged.

Two releases that work are an edit that breaks nothing, but for the defects a release has: an ERROR is one of those, or
false. Whether it is was read by hand, and is written down in `verdicts.toml`.
"""
