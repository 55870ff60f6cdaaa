"""Writes a capture of Apple's log in two forms and measures programs that read it; see Tests/Benchmarks/foreign.

    foreign.py XFERLOG FOLDER RECORDS            measure
    foreign.py --write FOLDER RECORDS            only write capture.ndjson and capture.log
"""

import os
import random
import statistics
import subprocess
import sys
import time

from figures import record

ROUNDS = 5
SEED = 20
# Of a hundred tasks, so many are transferred without a completion in the app.
LOST_PERCENT = 1

APP = ("/private/var/containers/Bundle/Application/4E2C7C0B-7C33-4F2A-9E0B-0B6A1D3B7A11/Maps.app/Maps", "Maps", 4021)
DAEMON = ("/usr/libexec/nsurlsessiond", "nsurlsessiond", 118)
CFNETWORK = "/System/Library/Frameworks/CFNetwork.framework/CFNetwork"

# Process, library, subsystem, category and message of records that are about something else. `#` stands for a number.
OTHERS = [
    ("/usr/libexec/locationd", "/usr/libexec/locationd", "com.apple.locationd.Core", "Client", "{\"msg\":\"#CLIUA updating AppMonitor entitlement\", \"bundleID\":\"com.apple.weather\", \"ntf\":#}"),
    ("/usr/sbin/bluetoothd", "/usr/sbin/bluetoothd", "com.apple.bluetooth", "Server.LE", "Received advertisement of type # from device with RSSI -# on channel #"),
    ("/System/Library/CoreServices/SpringBoard.app/SpringBoard", "/System/Library/PrivateFrameworks/BaseBoard.framework/BaseBoard", "com.apple.BaseBoard", "Connection", "[C:#] Handling message <private> with reply <private> after # ms"),
    ("/usr/libexec/runningboardd", "/usr/libexec/runningboardd", "com.apple.runningboard", "assertion", "Acquired assertion descriptor #-#-# with attributes <private> for <private>"),
    ("/kernel", "/kernel", "", "", "wlan0: handleRxFrame: received # frames, # dropped, rate # kbps, noise -# dBm"),
    (APP[0], "/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore", "com.apple.UIKit", "EventDispatch", "Sending UIEvent type: #; subtype: #; to windows: #"),
    (APP[0], APP[0], "com.example.maps", "tiles", "Rendered tile #/#/# in # ms, cache hit ratio 0.#"),
    (APP[0], "/usr/lib/libobjc.A.dylib", "com.apple.foundation", "default", "Key-value observing of <private> changed # times for path #"),
    ("/usr/libexec/symptomsd", "/usr/libexec/symptomsd", "com.apple.symptomsd", "netepochs", "Epoch # for interface en0 has # bytes in and # bytes out with # flows"),
    ("/usr/libexec/trustd", "/usr/lib/libsqlite3.dylib", "com.apple.libsqlite3", "logging", "cannot open file at line # of [ebaecd14#] with errno #"),
    ("/usr/sbin/mediaserverd", "/System/Library/Frameworks/AVFoundation.framework/AVFoundation", "com.apple.coremedia", "player", "<<< FigPlayerInterstitial >>> item # time # rate 1.0 buffered # ms likely to keep up YES"),
    ("/usr/libexec/nehelper", "/usr/libexec/nehelper", "com.apple.networkextension", "", "Handling a cache miss for # rules of # sessions, generation #"),
]
TYPES = ["Default"] * 7 + ["Info", "Debug", "Error"]


def uuid(random):
    text = f"{random.getrandbits(128):032X}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def lifecycle(random, number):
    """The records of one task, as (process, subsystem, category, message)."""
    task = f"Task <{uuid(random)}>.<{number}>"
    connection = random.randint(1, 9999)
    size = random.randint(1000, 9_000_000)
    app, daemon = (APP, "com.apple.CFNetwork", "Default"), (DAEMON, "com.apple.nsurlsessiond", "background")
    lines = [
        (app, f"{task} resuming, timeouts(60.0, 604800.0) qos(0x19) voucher((null)) activity(00000000-0000-0000-0000-000000000000)"),
        (daemon, f"NDSession <6B29FC40-CA47-1067-B31D-00DD010662DA> {task} will begin"),
        (daemon, f"{task} setting up Connection {connection}"),
        (daemon, f"{task} now using Connection {connection}"),
        (daemon, f"{task} sent request, body N 0"),
        (daemon, f"{task} received response, status 200 content K"),
        (daemon, f"{task} response ended"),
        (daemon, f"{task} done using Connection {connection}"),
        (((DAEMON, "com.apple.CFNetwork", "Summary")),
         f"{task} summary for task success {{transaction_duration_ms={random.randint(10, 9000)}, response_status=200, connection={connection}, "
         f"protocol=\"h2\", domain_lookup_duration_ms=0, connect_duration_ms=0, secure_connection_duration_ms=0, private_relay=false, "
         f"request_start_ms=0, request_duration_ms=0, response_start_ms=24, response_duration_ms=34, request_bytes=244, "
         f"request_throughput_kbps=2612, response_bytes={size}, response_throughput_kbps=631, cache_hit=false}}"),
        (daemon, f"{task} completed with error (null) [0]"),
    ]
    if random.random() * 100 >= LOST_PERCENT:
        lines.append((app, f"{task} finished successfully"))
        lines.append((daemon, f"{task} client acknowledged completion"))
        return lines, False
    # The daemon has no line about its completion either, so that the task stays transferred.
    return lines[:-1], True


def write(folder, count):
    """Returns the number of lost completions."""
    source = random.Random(SEED)
    filled = [(path, library, subsystem, category, [part for part in message.split("#")]) for path, library, subsystem, category, message in OTHERS]
    open_tasks, lost, number = [], 0, 0
    with open(f"{folder}/capture.ndjson", "w") as json, open(f"{folder}/capture.log", "w") as text:
        json.write('Filtering the log data using "process != "x""\n')
        text.write("Timestamp                       Thread     Type        Activity             PID    TTL  \n")
        for place in range(count):
            microseconds = place * 700
            second, fraction = divmod(microseconds, 1_000_000)
            minute, second = divmod(second, 60)
            hour, minute = divmod(minute, 60)
            stamp = f"2026-11-{20 + hour // 24:02} {hour % 24:02}:{minute:02}:{second:02}.{fraction:06}+0100"
            if source.random() < 0.25:
                if len(open_tasks) < 40:
                    number += 1
                    lines, is_lost = lifecycle(source, number)
                    lost += is_lost
                    open_tasks.append(lines[::-1])
                at = source.randrange(len(open_tasks))
                ((path, name, pid), subsystem, category), message = open_tasks[at].pop()
                if not open_tasks[at]:
                    open_tasks[at] = open_tasks[-1]
                    open_tasks.pop()
                library, kind = CFNETWORK, "Default"
            else:
                path, library, subsystem, category, parts = source.choice(filled)
                message = str(source.randrange(100_000)).join(parts)
                name, pid, kind = path.rsplit("/", 1)[-1], 55 + len(path), source.choice(TYPES)
                if path == APP[0]:
                    pid = APP[2]
            # A process logs from a few threads.
            thread = pid * 4096 + source.randrange(12)
            escaped = message.replace("\\", "\\\\").replace('"', '\\"').replace("/", "\\/")
            json.write(
                '{"traceID":' + str(9223372036854775807 - place) + ',"eventMessage":"' + escaped + '","eventType":"logEvent","source":null,'
                '"formatString":"%{public}@","activityIdentifier":0,"subsystem":"' + subsystem + '","category":"' + category
                + '","threadID":' + str(thread) + ',"senderImageUUID":"5E1D6AF6-1A36-3E4C-9D0C-1A8F3C2D9B10","backtrace":{"frames":[{"imageOffset":'
                + str(thread) + ',"imageUUID":"5E1D6AF6-1A36-3E4C-9D0C-1A8F3C2D9B10"}]},"bootUUID":"","processImagePath":"'
                + path.replace("/", "\\/") + '","timestamp":"' + stamp + '","senderImagePath":"' + library.replace("/", "\\/")
                + '","machTimestamp":' + str(10854631418804 + microseconds) + ',"messageType":"' + kind
                + '","processImageUUID":"0B6A1D3B-7A11-3E4C-9D0C-4E2C7C0B7C33","processID":' + str(pid) + ',"senderProgramCounter":'
                + str(thread) + ',"parentActivityIdentifier":0,"timezoneName":""}\n')
            origin = f"({library.rsplit('/', 1)[-1]}) " + (f"[{subsystem}:{category}] " if subsystem else "")
            text.write(f"{stamp} 0x{thread:<8x} {kind:<11} 0x0                  {pid:<6} 0    {name}: {origin}{message}\n")
        json.write('{"count":%d,"finished":1}\n' % count)
    # Of the tasks whose lines were cut off at the end, those look lost that were transferred and not yet completed by the daemon.
    for rest in open_tasks:
        is_transferred = not any("response ended" in message for _, message in rest)
        completes = any("completed with error" in message for _, message in rest)
        lost += is_transferred and completes
        lost -= not is_transferred and not completes
    return lost


def timed(command, processor=None):
    if processor is not None:
        command = ["taskset", "-c", str(processor)] + command
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return time.monotonic() - start, done.stdout


DUCKDB = """
import sys, duckdb
duckdb.sql('SET enable_progress_bar = false')
print(duckdb.sql(f'''
  SELECT count(*) FROM (
    SELECT
      bool_or(contains(eventMessage, ' response ended')) AS transferred,
      bool_or(contains(eventMessage, 'completed with error')) AS completed
    FROM read_json('{sys.argv[1]}', format = 'newline_delimited', columns = {{eventMessage: 'VARCHAR'}}, ignore_errors = true)
    WHERE contains(eventMessage, 'Task <')
    GROUP BY regexp_extract(eventMessage, 'Task <([0-9A-F-]+)>', 1)
  ) WHERE transferred AND NOT completed''').fetchall()[0][0])
"""


def measure(xferlog, folder, count):
    lost = write(folder, count)
    replay = [xferlog, "replay", "--fail-on", "never"]
    for name in ["capture.ndjson", "capture.log"]:
        path = f"{folder}/{name}"
        size = os.path.getsize(path)
        print(f"{name}: {count} records, {size / 1e6:.0f} MB", flush=True)
        runs = {"xferlog replay": [], "wc -l": [], "grep -c": []}
        for _ in range(ROUNDS):
            runs["xferlog replay"].append(timed(replay + [path], 0)[0])
            runs["wc -l"].append(timed(["wc", "-l", path], 0)[0])
            runs["grep -c"].append(timed(["grep", "-c", "finished successfully", path], 0)[0])
        if name.endswith("ndjson"):
            # jq is so slow that a part and one round suffice.
            part = f"{folder}/part.ndjson"
            subprocess.run(f"sed 1d {path} | head -n {count // 20} > {part}", shell=True, check=True)
            scale = size / os.path.getsize(part)
            runs["jq"] = [timed(["jq", "-c", "select(.eventMessage | contains(\"finished successfully\")) | .timestamp", part], 0)[0] * scale]
        else:
            part = f"{folder}/part.log"
            subprocess.run(f"head -n {count // 20} {path} > {part}", shell=True, check=True)
            scale = size / os.path.getsize(part)
            runs["jq -R"] = [timed(["jq", "-R", "select(contains(\"finished successfully\"))", part], 0)[0] * scale]
        base = statistics.median(runs["xferlog replay"])
        for program, seconds in runs.items():
            middle = statistics.median(seconds)
            print(f"  {program}: {middle:.2f} s, {size / middle / 1e6:.0f} MB/s, {count / middle / 1e6:.2f} M records/s; "
                  f"xferlog has {middle / base:.3f} of its speed", flush=True)
        form = "NDJSON" if name.endswith("ndjson") else "style default"
        record(f"Apple's log, {form}", base, "s", peer=("wc -l", statistics.median(runs["wc -l"])), goal="<= 10x")
        if form == "NDJSON":
            record(f"Apple's log, {form}, against jq", base, "s", peer=("jq", statistics.median(runs["jq"])), goal="<= 0.05x")
        shown = timed(["/usr/bin/time", "-f", "%M", "-o", f"{folder}/rss"] + replay + [path], 0)[1].decode()
        print("  " + shown.split("\n", 1)[0])
        print(f"  at most {int(open(f'{folder}/rss').read().split()[-1]) / 1024:.0f} MiB", flush=True)
    path = f"{folder}/capture.ndjson"
    answers, runs = set(), {"xferlog replay": [], "xferlog replay, one processor": [], "DuckDB": [], "DuckDB, one processor": []}
    for _ in range(ROUNDS):
        for processor in [None, 0]:
            suffix = "" if processor is None else ", one processor"
            seconds, output = timed(replay + ["-o", "ndjson", path], processor)
            runs["xferlog replay" + suffix].append(seconds)
            answers.add(sum(b'"kind":"task"' in line and b'"state":"transferred"' in line for line in output.split(b"\n")))
            seconds, output = timed([sys.executable, "-c", DUCKDB, path], processor)
            if not output:
                sys.exit("DuckDB failed; ask it again without this script")
            runs["DuckDB" + suffix].append(seconds)
            answers.add(int(output))
    if answers != {lost}:
        sys.exit(f"{lost} completions were lost, but the programs found {sorted(answers)}")
    print(f"lost completions in {count} records: {lost}")
    base = statistics.median(runs["xferlog replay"])
    record("Apple's log, lost completions", base, "s", peer=("DuckDB", statistics.median(runs["DuckDB"])), goal="<= 1x")
    for program, seconds in runs.items():
        print(f"  {program}: {statistics.median(seconds):.2f} s (start-up included), × {statistics.median(seconds) / base:.2f}")


if sys.argv[1] == "--write":
    print(write(sys.argv[2], int(sys.argv[3])))
else:
    measure(sys.argv[1], sys.argv[2], int(sys.argv[3]))
