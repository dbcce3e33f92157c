"""The client side of the language server protocol, over standard input and output, for any server.

Which server is run, how it is found and its settings are left to the folders beside this one, such as `ty`.
"""
