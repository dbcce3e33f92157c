"""Language servers that the configuration names: one known by name, or any by its command.

Talking to them is left to `lsp`, using their answers to linking.
"""
