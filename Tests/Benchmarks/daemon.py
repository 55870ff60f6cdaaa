#!/usr/bin/env python3
"""Measures small downloads of one app through xferd, from nginx on loopback.

  Tests/Benchmarks/daemon.py XFER XFERD [DOWNLOADS]                  4 KiB each (default: 10,000)

The time is that of the app, from its start to its exit after the last completion. The memory is the most that xferd used.
"""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

from figures import record
from measuring import Run

SCRIPT = """
app: Collector
launch:
  - exit: 0                                  # a later launch, by xferd
    when: { woken: true }
  - session: com.example.collector
  - download: { url: "$SERVER/$N.bin", as: "file-$N" }
    times: COUNT
on:
  completed:
    - exit: 0
      when: { nth: COUNT }
"""

SERVER = """
pid FOLDER/nginx.pid;
error_log FOLDER/error.log;
worker_processes 1;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 100000;
  server { listen 127.0.0.1:PORT; location / { alias FOLDER/www/file.bin; } }
}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main(xfer, xferd, downloads):
    # xferd may have launched the app again, which ends by itself and may write until then.
    with tempfile.TemporaryDirectory(prefix="xferlog-daemon-", ignore_cleanup_errors=True) as folder:
        for name in ["www", "app", "state"]:
            os.mkdir(f"{folder}/{name}")
        os.mkdir(f"{folder}/run", 0o700)
        with open(f"{folder}/www/file.bin", "wb") as file:
            file.write(os.urandom(4096))
        if os.geteuid() == 0:
            subprocess.run(["chmod", "a+rx", folder, f"{folder}/www"], check=True)
        with open(f"{folder}/app/app.yaml", "w") as file:
            file.write(SCRIPT.replace("COUNT", str(downloads)))
        port = free_port()
        with open(f"{folder}/nginx.conf", "w") as file:
            file.write(SERVER.replace("FOLDER", folder).replace("PORT", str(port)))
        environment = os.environ | {
            "XFERD_DIR": f"{folder}/run", "XFERLOG_DIR": f"{folder}/log.xlog", "XDG_STATE_HOME": f"{folder}/state", "HOME": folder}
        subprocess.run(["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"], check=True)
        with open(f"{folder}/xferd.errors", "w") as errors:
            daemon = subprocess.Popen([xferd], env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            while not any(stat.S_ISSOCK(entry.stat().st_mode) for entry in os.scandir(f"{folder}/run")):
                if daemon.poll() is not None:
                    with open(f"{folder}/xferd.errors") as errors:
                        sys.exit(f"xferd did not start: {errors.read()}")
                time.sleep(0.01)
            app = Run(
                [xfer, "actor", f"{folder}/app/app.yaml", "--server", f"http://127.0.0.1:{port}", "--directory", f"{folder}/app"],
                environment=environment)
            with open(f"/proc/{daemon.pid}/status") as status:
                memory = int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024
        finally:
            daemon.send_signal(signal.SIGTERM)
            daemon.wait()
            with open(f"{folder}/nginx.pid") as file:
                os.kill(int(file.read()), signal.SIGTERM)
    print(f"{downloads} downloads: {app.seconds:.1f} s, {downloads / app.seconds:.0f} tasks/s; xferd at most {memory:.0f} MiB")
    record("daemon, small downloads", downloads / app.seconds, "tasks/s", goal=">= 1000")
    record("daemon, memory", memory, "MiB", goal="<= 64")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10_000)
