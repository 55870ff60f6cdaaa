#!/usr/bin/env python3
"""Measures `xferlog replay` with all rules on logs with many downloads, compared with reading the same log.

  Tests/Benchmarks/replay.py XFERLOG REPLAY_BENCHMARK [TASKS]        48 events each (default: 105,000 tasks, 5 million events)

The logs: as written and sealed; sealed in 909 segments instead of 12; and sealed with a lost completion in each tenth task. Instructions
are counted by callgrind, as the difference between two smaller logs, so that the program's start is not counted.
"""

import os
import subprocess
import sys
import tempfile

from figures import record
from measuring import Run, alternate, instructions, median

ROUNDS = 5
REPLAY = ["replay", "--fail-on", "never"]


class Log:
    def __init__(self, folder, name, benchmark, tasks, segments="few", lost=1):
        self.path, self.benchmark = os.path.join(folder, f"{name}.xlog"), benchmark
        # Written by another process, so that the writer is gone, and the segments can be sealed and read ahead.
        subprocess.run([benchmark, "--write", self.path, str(tasks), segments, str(lost)], check=True)

    def seal(self):
        subprocess.run([self.benchmark, "--seal", self.path], check=True)
        return self

    def read(self):
        """Returns the number of events, and the median time of reading them."""
        readings = [subprocess.run([self.benchmark, "--read", self.path], check=True, capture_output=True, text=True).stdout.split()
                    for _ in range(3)]
        return int(readings[0][0]), sorted(float(seconds) for _, seconds in readings)[1]

    def __str__(self):
        files = [os.path.join(self.path, name) for name in os.listdir(self.path) if name.endswith(".seg")]
        return f"{len(files)} segments, {sum(map(os.path.getsize, files)) / 1e6:.1f} MB"


def measure(xferlog, log, name):
    """Prints the times of a log, and returns the time per event with one and two processors and as JSON, in nanoseconds."""
    events, reading = log.read()
    runs = alternate(
        ROUNDS, one=lambda: Run([xferlog, *REPLAY, log.path], 1), two=lambda: Run([xferlog, *REPLAY, log.path], 2),
        json=lambda: Run([xferlog, *REPLAY, "-o", "json", log.path], 1))
    times = {processors: median(run) * 1e9 / events for processors, run in runs.items()}
    print(f"{name}: {events} events, {log}; reading {reading * 1e9 / events:.0f} ns per event")
    for processors, time in times.items():
        print(f"  {processors}: {time:.0f} ns per event, {1000 / time:.2f} M events/s, {time * events / 1e9 / reading:.2f} × the time of "
              f"reading, at most {max(run.peak for run in runs[processors]):.0f} MiB", flush=True)
    return times, reading * 1e9 / events


def main(xferlog, benchmark, tasks):
    with tempfile.TemporaryDirectory(prefix="xferlog-replay-") as folder:
        few = Log(folder, "few", benchmark, tasks)
        measure(xferlog, few, "as written")
        times, reading = measure(xferlog, few.seal(), "sealed")
        many, _ = measure(xferlog, Log(folder, "many", benchmark, tasks, segments="many").seal(), "sealed, in many segments")
        faulty, _ = measure(xferlog, Log(folder, "faulty", benchmark, tasks, lost=100).seal(), "sealed, each tenth task lost")
        record("replay, sealed", times["one"], "ns per event", peer=("reading", reading))
        record("replay as JSON", times["json"], "ns per event", peer=("replay as text", times["one"]))
        record("replay, many segments", many["one"], "ns per event", peer=("few segments", times["one"]))
        record("replay, a tenth lost", faulty["one"], "ns per event", peer=("a thousandth lost", times["one"]))
        record("replay, a tenth lost, speed of two processors", 1e9 / faulty["two"], "events/s", peer=("one", 1e9 / faulty["one"]),
               goal=">= 1.7x")
        sizes = [Log(folder, f"small-{count}", benchmark, count, lost=100).seal() for count in [1000, 5000]]
        counts = [instructions([xferlog, *REPLAY, log.path]) for log in sizes]
        if all(counts):
            each = (counts[1] - counts[0]) / (sizes[1].read()[0] - sizes[0].read()[0])
            print(f"instructions per event, sealed, each tenth task lost: {each:.0f}")
            record("replay, a tenth lost, instructions", each, "per event", goal="<= 1000")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 105_000)
