"""Checks a value in a process of its own, which is killed when it takes too long.

It is for schemas whose cost cannot be predicted: a regular expression that backtracks cannot be stopped from inside of
its process. The check itself is left to `schema_errors.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys

MAX_SECONDS = 10.0
"""Most of a check is the start of Python, a fifth of a second; this leaves room for a machine that is busy."""


def problems_in_time(schema: object, value: object) -> list[str]:
    """What is wrong with a value, or that the check took too long."""
    # -P: what lies in the folder that keel was started in must not be imported.
    command = [sys.executable, "-P", "-m", __spec__.name]
    try:
        done = subprocess.run(
            command, input=json.dumps([schema, value]), capture_output=True, encoding="utf-8", timeout=MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        return [f"they could not be checked within {MAX_SECONDS:g} seconds: its CONFIG_SCHEMA costs too much"]
    if done.returncode != 0:
        return [f"they could not be checked: {done.stderr.strip().rpartition(chr(10))[2]}"]
    problems: list[str] = json.loads(done.stdout)
    return problems


def main() -> None:
    """Reads a schema and a value, writes the list of problems; all as JSON."""
    from keel.toolspaces.schema_errors import problems_of  # not for the process that asks

    sys.stdout.write(json.dumps(problems_of(*json.loads(sys.stdin.buffer.read()))))


if __name__ == "__main__":
    main()
