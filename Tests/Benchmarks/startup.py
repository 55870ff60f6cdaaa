#!/usr/bin/env python3
"""Measures the start of installed programs: `xferlog --version`, and the replay of a log of a few events, compared with jq.

  Tests/Benchmarks/startup.py XFERLOG        an installed xferlog, which `Samples/install` links statically
"""

import sys

from figures import record
from measuring import Run, alternate, instructions, median

ROUNDS = 40
LOG = "Samples/killed-before-delivery/log.xlog"


def main(xferlog):
    commands = {"version": [xferlog, "--version"], "replay": [xferlog, "replay", "--fail-on", "never", LOG], "jq": ["jq", "--version"]}
    runs = alternate(ROUNDS, **{name: lambda command=command: Run(command) for name, command in commands.items()})
    times = {name: median(run) * 1000 for name, run in runs.items()}
    for name, time in times.items():
        counted = "" if name == "jq" else f", {(instructions(commands[name]) or 0) / 1e6:.1f} million instructions"
        print(f"{name}: {time:.1f} ms, least {min(run.seconds for run in runs[name]) * 1000:.1f} ms{counted}")
    record("start, --version", times["version"], "ms", peer=("jq --version", times["jq"]), goal="<= 5")
    record("start, smallest replay", times["replay"], "ms", peer=("jq --version", times["jq"]), goal="<= 8")


main(sys.argv[1])
