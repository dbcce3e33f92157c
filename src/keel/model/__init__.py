"""The data model of keel: frozen values with no input or output, built on the standard library and msgspec.

What is done with them (scanning, extracting, linking, storing, judging) is left to the layers above.
"""
