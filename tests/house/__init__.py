"""Tests of the house rules: layout, size, charters, imports, and what is listed as public.

Behaviour is tested elsewhere; the direction between layers is import-linter's.
"""
