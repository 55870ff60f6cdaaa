"""The contenders of the emission benchmark: programs that write the event mix, and functions that read their output."""

import contextlib
import os
import re
import shutil
import signal
import struct
import subprocess
import time

# Timeout of a contender's run, in seconds.
LIMIT = 300
# Timeout of LTTng's client, in seconds.
PATIENCE = 10


class Contender:
    """A program that writes the event mix, and a function that reads its output."""

    def __init__(self, name, command, numbers, share=1.0, threads=1):
        self.name, self.command, self.numbers, self.share, self.threads = name, command, numbers, share, threads
        self.wall, self.processor, self.calls, self.bytes = [], [], None, None
        self.acknowledged = self.lost = None
        self.discarded = 0
        self.sealed = None
        self.problem = None

    def session(self, directory):
        """Starts the services that the contender needs while it writes, and yields the path to write to."""
        return contextlib.nullcontext(os.path.join(directory, "log"))

    def run(self, mode, count, path, *more):
        command = self.command + [mode, str(count), path, *more]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT).stdout.split()

    def start(self, mode, count, path, *more):
        return subprocess.Popen(self.command + [mode, str(count), path, *more])


class LTTng(Contender):
    """LTTng-UST tracepoints, with a separate session daemon in its own directory."""

    @contextlib.contextmanager
    def session(self, directory):
        home = os.path.join(directory, "lttng")
        trace = os.path.join(home, "trace")
        os.mkdir(home)
        # The session daemon of root is shared by the whole machine, so run a daemon of another user.
        self.user = []
        if os.geteuid() == 0:
            os.chmod(directory, 0o755)
            shutil.chown(home, "nobody", "nogroup")
            self.user = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        self.user += ["env", f"LTTNG_HOME={home}", f"HOME={home}", f"LTTNG_UST_REGISTER_TIMEOUT={PATIENCE * 1000}"]
        command = self.user + ["lttng-sessiond", "--no-kernel"]
        daemon = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            waited = time.monotonic() + PATIENCE
            while not os.path.exists(os.path.join(home, ".lttng", "client-lttng-sessiond")):
                if daemon.poll() is not None or time.monotonic() > waited:
                    raise RuntimeError("lttng-sessiond did not start")
                time.sleep(0.01)
            self.lttng("create", "mix", f"--output={trace}")
            self.lttng("enable-channel", "--userspace", "main")
            self.lttng("enable-event", "--userspace", "mix:*", "--channel=main")
            self.lttng("start")
            yield trace
        finally:
            daemon.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                daemon.wait(PATIENCE)
            # Also kill the daemon's children, which may still be waiting for a killed writer.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()

    def lttng(self, *words, check=True):
        command = self.user + ["lttng", "--no-sessiond", *words]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            if check:
                raise
            return ""
        if check and run.returncode != 0:
            raise RuntimeError(f"lttng {words[0]}: {(run.stderr or run.stdout).strip().splitlines()[-1]}")
        return run.stdout + run.stderr

    def finish(self):
        """Stops the session and returns the number of discarded events. A writer killed during an event can make `stop` block."""
        said = self.lttng("stop", check=False)
        self.lttng("destroy", "--no-wait", check=False)
        return sum(int(number) for number in re.findall(r"(\d+) events? (?:was|were) discarded", said))

    def run(self, mode, count, path, *more):
        command = self.user + self.command + [mode, str(count), path, *more]
        output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT).stdout.split()
        self.discarded = max(self.discarded, self.finish() / count)
        return output

    def start(self, mode, count, path, *more):
        return subprocess.Popen(self.user + self.command + [mode, str(count), path, *more])


def numbers_by(pattern, *command):
    """Returns a function that reads numbers from a program's output for a path. The order is unspecified."""

    def read(path):
        with subprocess.Popen([*command, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            return [int(found) for line in process.stdout for found in pattern.findall(line)]

    return read


def numbers_in_records(path):
    with open(path, "rb") as file:
        data = file.read()
    return [number for number, *_ in struct.iter_unpack("<6Q", data[: len(data) // 48 * 48])]


def contenders(programs, xferlog):
    swift = os.path.join(programs, "EmissionBenchmark")
    ours = numbers_by(re.compile(rb'"received":(\d+)'), xferlog, "show", "-o", "ndjson")
    text = numbers_by(re.compile(rb"received[=:] ?(\d+) expected"), "cat")
    metadata = numbers_by(re.compile(rb" received=(\d+)"), "cat")
    traced = numbers_by(re.compile(rb" received = (\d+)"), "babeltrace2")
    return [
        Contender("xferlog", [swift, "xferlog"], ours),
        Contender("xferlog, each of 2 threads", [swift, "xferlog-2"], None, threads=2),
        Contender("write(2) for each event", [os.path.join(programs, "peer-write")], numbers_in_records, 0.1),
        Contender("swift-log, StreamLogHandler", [swift, "swift-log"], metadata, 0.02),
        Contender("spdlog, file sink", [os.path.join(programs, "peer-spdlog")], text, 0.1),
        Contender("spdlog, asynchronous", [os.path.join(programs, "peer-spdlog-async")], text, 0.1),
        LTTng("LTTng-UST", [os.path.join(programs, "peer-lttng")], traced, 0.1),
    ]
