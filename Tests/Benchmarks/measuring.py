"""Runs programs and measures them, for the benchmarks."""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# Do not write bytecode files into the checkout.
sys.dont_write_bytecode = True


class Run:
    """A completed run of a program, pinned to the first `processors` processors."""

    def __init__(self, command, processors=None, environment=None):
        if processors:
            command = ["taskset", "-c", "0" if processors == 1 else f"0-{processors - 1}", *command]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        self.seconds = time.monotonic() - start
        if status:
            sys.exit(f"{command} ended with status {status}: {process.stderr.read().decode()}")
        process.stderr.close()
        process.returncode = 0
        self.processor = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss / 1024


def alternate(rounds, **measurements):
    """Repeats measurements in turn, so that changes of the machine's speed affect all equally, and returns the runs of each."""
    runs = {name: [] for name in measurements}
    for _ in range(rounds):
        for name, measure in measurements.items():
            runs[name].append(measure())
    return runs


def median(runs, of=lambda run: run.seconds):
    return statistics.median(of(run) for run in runs)


def instructions(command):
    """Returns the number of instructions of a program, counted by callgrind; None if valgrind is not installed.

    Callgrind cannot read the debugging information of Swift programs, so a copy without it runs.
    """
    if not shutil.which("valgrind"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        subprocess.run(["strip", "-g", "-o", program, shutil.which(command[0])], check=True)
        counted = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", program, *command[1:]],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = re.search(r"Collected : (\d+)", counted.stderr)
        return int(found[1]) if found and counted.returncode == 0 else sys.exit(counted.stderr)
