"""Walks over a GraphReader that operations share.

They read and return values; what is done with them is left to those who ask.
"""
