#!/usr/bin/env python3
"""Measures how the cost of a replay grows with a log: with its events and tasks, its segments, its sessions and its writers' lives.

  Tests/Benchmarks/growth.py XFERLOG REPLAY_BENCHMARK [LARGEST]      the largest number of events (default: 10 million)

Each task has 48 events. The logs are sealed, and one processor replays them. The time is that of the processor, so that other programs disturb
the figures less.
"""

import os
import subprocess
import sys
import tempfile

from figures import record
from measuring import Run, median

ROUNDS = 3


def cost(xferlog, benchmark, folder, tasks, segments="few", sessions=2, lives=1):
    """Returns the processor time per event in nanoseconds, and the peak memory in MiB."""
    log = os.path.join(folder, "log.xlog")
    for _ in range(lives):
        subprocess.run([benchmark, "--write", log, str(tasks // lives), segments, "1", str(sessions)], check=True)
    subprocess.run([benchmark, "--seal", log], check=True)
    events = int(subprocess.run([benchmark, "--read", log], check=True, capture_output=True, text=True).stdout.split()[0])
    runs = [Run([xferlog, "replay", "--fail-on", "never", log], 1) for _ in range(ROUNDS)]
    subprocess.run(["rm", "-r", log], check=True)
    return median(runs, lambda run: run.processor) * 1e9 / events, max(run.peak for run in runs)


def main(xferlog, benchmark, largest):
    with tempfile.TemporaryDirectory(prefix="xferlog-growth-") as folder:
        times = {}
        print("events       ns per event   MiB")
        events = 10_000
        while events <= largest:
            times[events], peak = cost(xferlog, benchmark, folder, events // 48)
            print(f"{events:<12} {times[events]:12.0f} {peak:5.0f}", flush=True)
            record(f"replay of 10^{len(str(events)) - 1} events", times[events], "ns per event")
            events *= 10
        # Below 10^5 events, the program's start is most of the time.
        compared = [time for events, time in times.items() if events >= 100_000]
        if len(compared) > 1:
            record("replay, largest time per event", max(compared), "ns", peer=("the smallest", min(compared)), goal="<= 1.2x")
        tasks = min(largest, 1_000_000) // 48
        for name, choices in {"segments": [{}, {"segments": "many"}], "sessions": [{"sessions": 2 * 10**power} for power in range(4)],
                              "lives": [{"lives": 10**power} for power in range(3)]}.items():
            for choice in choices:
                time, peak = cost(xferlog, benchmark, folder, tasks, **choice)
                print(f"{tasks * 48} events, {choice or 'few segments'}: {time:.0f} ns per event, {peak:.0f} MiB", flush=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000)
