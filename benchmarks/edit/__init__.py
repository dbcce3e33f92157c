"""The edit benchmark: what `keel compile` costs after a hundred edits to real code, cold and in a process that stays.

`edits` makes them, `trees` chooses and counts their callers, `modes` runs a compile in one of several ways, `kept_open`
is the process that stays, `stages` says where its time goes, `page` what came out.
"""
