"""The manifests of Python projects: `pyproject.toml`, `setup.cfg` and `setup.py`, one file for each.

`read` is the recipe; it is imported only when a manifest is new or has changed. What declared folders mean for imports
is left to `languages/python/resolve/lookup/modules.py`.
"""
