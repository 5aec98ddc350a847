"""A server's memory shrinks again after it held much."""

import subprocess
import sys
from typing import Final

import pytest

# Holds a hundred bodies, of which each is freed while a small block behind it stays.
HOLD: Final = """
import re, sys
from pathlib import Path
from scorekeeper.operation.allocator import return_large_blocks

def megabytes():
    return int(re.search(r"VmRSS:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) >> 10

if sys.argv[1] == "set up":
    return_large_blocks()
before, stay = megabytes(), []
for _ in range(2):
    bodies = []
    for _ in range(100):
        bodies.append(bytearray(b"x") * (1 << 20))
        stay.append(bytearray(4096))
    del bodies
print(megabytes() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs glibc and /proc")
def test_large_blocks_that_are_freed_return_to_the_system() -> None:
    command = [sys.executable, "-c", HOLD]
    grown = {
        case: int(subprocess.run([*command, case], capture_output=True, check=True).stdout)
        for case in ("set up", "as it is")
    }
    assert grown["set up"] < 10
    assert grown["as it is"] > 50, "the library does so by itself: delete the module"
