"""The library: classes that other Python programs use without a command line.

They are thin; finding the answers is left to the layers below. `keel` itself lists the public names.
"""
