"""Breaks: the places that an edit breaks, one module for each way in which that happens, and the judge that asks them
all.
"""
