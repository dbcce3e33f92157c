"""ty, a type checker for Python, used through its language server to resolve names and to check edits.

Talking to a language server is left to `lsp`, using the answers to linking.
"""

LANGUAGE = "python"
"""The language that ty is for."""
