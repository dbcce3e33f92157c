"""The library: classes that other Python programs use without a command line.

They are thin faces; what they answer is found by the layers below. `keel` itself lists the public names.
"""
