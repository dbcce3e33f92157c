"""The nouns of keel: frozen values with no input or output, built on the standard library and msgspec.

What is done with them (finding, reading, linking, storing, judging) is left to the layers above.
"""
