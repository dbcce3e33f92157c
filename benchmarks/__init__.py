"""Speed and accuracy, each printed as a ratio against a peer or a yardstick of the same run.

What must hold on every machine is a test and lives in `tests`.
"""
