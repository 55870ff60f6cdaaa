#!/usr/bin/env python3
"""Measures `xferlog index` on a sealed log, compared with `sqlite3`, which imports three columns of the same events from CSV.

  Tests/Benchmarks/index.py XFERLOG REPLAY_BENCHMARK [TASKS]         48 events each (default: 20,834 tasks, a million events)
"""

import os
import subprocess
import sys
import tempfile

from figures import record
from measuring import Run, alternate, median

ROUNDS = 3


def main(xferlog, benchmark, tasks):
    with tempfile.TemporaryDirectory(prefix="xferlog-index-") as folder:
        log, table = f"{folder}/log.xlog", f"{folder}/events.csv"
        subprocess.run([benchmark, "--write", log, str(tasks), "few"], check=True)
        subprocess.run([benchmark, "--seal", log], check=True)
        subprocess.run([benchmark, "--table", log, table], check=True)
        events = int(subprocess.run([benchmark, "--read", log], check=True, capture_output=True, text=True).stdout.split()[0])

        def index():
            subprocess.run(["rm", "-rf", f"{folder}/cache"], check=True)
            return Run([xferlog, "index", log], environment=os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"})

        def load():
            subprocess.run(["rm", "-f", f"{folder}/events.sqlite"], check=True)
            return Run(["sqlite3", f"{folder}/events.sqlite", ".mode csv", f".import {table} events"])

        runs = alternate(ROUNDS, index=index, load=load)
        times = {name: median(run, lambda run: run.processor) * 1e6 / events for name, run in runs.items()}
        print(f"{events} events: xferlog index {times['index']:.2f} µs of processor time per event, sqlite3 .import {times['load']:.2f} µs")
        record("index, processor time", times["index"], "µs per event", peer=("sqlite3 .import", times["load"]), goal="<= 1")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 20_834)
