"""The edit benchmark: what `keel compile` costs after a hundred edits to real code, cold, warm and with ty.

`edits` makes them, `trees` chooses and counts their callers, `modes` runs a compile in one of several ways, `daemon` by
way of the daemon, `kept_open` in a process that is looked into, `stages` says where its time goes, `page` what came
out.
"""
