# SPDX-License-Identifier: BSD-3-Clause
"""The rows of a dispatch table, for scripts that force one after the other."""
import re
import subprocess


def read_rows(programs, target, expression):
    """[(name, type of a and b, type of c)] of the table of chip `target` (90, ...), as `myblas-info --rows`
    in the folder `programs` prints them: those whose names the regular expression finds."""
    listing = subprocess.run([f"{programs}/myblas-info", "--rows"], check=True,
                             capture_output=True, text=True).stdout
    rows = [line.split()[:4] for line in listing.splitlines()]
    return [(name, ab, c) for table, name, ab, c in rows
            if table == str(target) and re.search(expression, name)]
