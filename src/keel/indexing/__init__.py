"""The indexing pipeline: from the files of a workspace to the committed graph, each stage in a file of its own.

Extracting and linking are left to `languages`, keeping the graph to `stores`, judging an edit to `checking`.
"""
