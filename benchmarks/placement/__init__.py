"""Placement and duplicates on real packages: functions moved and found again, flags on what was not touched.

How well a function fits a module is keel's own to say; here it is only asked.
"""
