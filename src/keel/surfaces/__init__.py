"""Surfaces: where people and programs meet keel. The only part that prints.

They take words in and put text out; what is asked and answered is left to the operations.
"""
