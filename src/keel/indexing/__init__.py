"""The write line: from the files of a workspace to the committed graph, each stage a verb in a file of its own.

What a file means is left to `languages`, where the graph is kept to `stores`; whether an edit is good is judged
elsewhere.
"""
