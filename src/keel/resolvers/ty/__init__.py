"""ty, a type checker for Python, asked over its language server for what names refer to.

Talking to a language server is left to `lsp`; what is made of the answers, to linking.
"""

LANGUAGE = "python"
"""The language that it is asked about."""
