"""Evaluation: the abstract values that an expression may have."""
