"""Asks several programs the same questions about the same events; see `queries`."""

import os
import shutil
import statistics
import subprocess
import sys
import time

from figures import record

XFERLOG, WORK = sys.argv[1:]
LOG, TABLE, LINES = f"{WORK}/log.xlog", f"{WORK}/events.csv", f"{WORK}/events.ndjson"
ROUNDS = 7
FIELDS = "time, mono, level, event, session, number, uid, fields.host, received, status, callback"
COLUMNS = "time TIMESTAMP, mono BIGINT, level VARCHAR, event VARCHAR, session VARCHAR, number INTEGER, uid VARCHAR, host VARCHAR, " \
    "received BIGINT, status INTEGER, callback VARCHAR"

# Each question: its name, the query, the SQL for DuckDB, and that for other databases if it differs. `{p99}` stands for the percentile
# of a column by nearest rank, which SQLite lacks.
QUESTIONS = [
    ("count by level", "* | stats count by level", "SELECT level, count(*) FROM events GROUP BY level"),
    ("count by event", "* | stats count by event", "SELECT event, count(*) FROM events GROUP BY event"),
    ("one task", "task=session-0/4711 | fields event", "SELECT event FROM events WHERE session = 'session-0' AND number = 4711"),
    ("p99 by session", "exists(received) | stats p99(received) by session",
     "SELECT session, {p99} FROM events WHERE received IS NOT NULL GROUP BY session"),
    ("p99 of tasks by host", "* | tasks | stats p99(took) by host",
     "SELECT host, {p99took} FROM (SELECT max(host) AS host, max(mono) FILTER (WHERE event = 'task.completed') "
     "- min(mono) FILTER (WHERE event = 'task.resumed') AS took FROM events WHERE uid IS NOT NULL GROUP BY uid) GROUP BY host"),
    ("lost completions",
     "event IN {delivery.sent, delivery.entered} callback=didComplete | stats min(event) as first by uid "
     "| where first=delivery.sent | stats count",
     "SELECT count(*) FROM (SELECT max(CASE WHEN event = 'delivery.sent' AND callback = 'didComplete' THEN 1 ELSE 0 END) AS sent, "
     "max(CASE WHEN event = 'delivery.entered' AND callback = 'didComplete' THEN 1 ELSE 0 END) AS entered "
     "FROM events WHERE uid IS NOT NULL GROUP BY uid) AS t WHERE sent = 1 AND entered = 0"),
]

GOALS = {"count by level": "<= 300", "one task": "<= 10", "lost completions": "<= 1x"}


def run(command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout


def timed(command, **more):
    start = time.monotonic()
    text = run(command, **more)
    return time.monotonic() - start, text


def rows(text):
    """The rows of an answer as CSV, without its order, headings and the forms of numbers."""
    found = []
    for line in text.strip().splitlines():
        cells = [cell.strip().strip('"') for cell in line.replace("\t", ",").replace("|", ",").split(",")]
        found.append(tuple("" if cell in ("NULL", "\\N", "-") else cell for cell in cells))
    return sorted(found)


class Xferlog:
    name = "xferlog"

    def load(self):
        pass

    def ask(self, question):
        return timed([XFERLOG, "query", question[1], LOG, "-o", "csv", "--allow-empty"])

    def answer(self, text):
        return rows("\n".join(text.splitlines()[1:]))


class DuckDB:
    name = "DuckDB"
    program = f"{WORK}/venv/bin/duckdb"
    file = f"{WORK}/events.duckdb"

    def load(self):
        run([self.program, self.file, f"CREATE TABLE events ({COLUMNS}); "
             f"COPY events FROM '{TABLE}' (FORMAT csv, HEADER true, NULLSTR '')"])

    def ask(self, question):
        sql = question[2].format(p99="quantile_disc(received, 0.99)", p99took="quantile_disc(took, 0.99)")
        return timed([self.program, "-readonly", "-csv", "-noheader", self.file, sql])

    def answer(self, text):
        return rows(text)


class ChDB:
    name = "chdb"
    python = f"{WORK}/venv/bin/python"

    def code(self, sql):
        return [self.python, "-c", f"from chdb import session; s = session.Session({WORK + '/chdb'!r}); "
                f"print(s.query({sql!r}, 'CSV'))"]

    def load(self):
        columns = "time Nullable(String), mono Nullable(Int64), level LowCardinality(String), event LowCardinality(String), " \
            "session LowCardinality(Nullable(String)), number Nullable(Int32), uid Nullable(String), " \
            "host LowCardinality(Nullable(String)), received Nullable(Int64), status Nullable(Int32), " \
            "callback LowCardinality(Nullable(String))"
        for sql in ["CREATE DATABASE IF NOT EXISTS bench",
                    f"CREATE TABLE bench.events ({columns}) ENGINE = MergeTree ORDER BY tuple()",
                    f"INSERT INTO bench.events SELECT * FROM file('{TABLE}', CSVWithNames, '{columns}')"]:
            run(self.code(sql))

    def ask(self, question):
        # Nearest rank: ClickHouse counts from 0.
        sql = question[2].format(p99="quantileExactLow(0.99)(received)", p99took="quantileExactLow(0.99)(took)")
        return timed(self.code(sql.replace("FROM events", "FROM bench.events")))

    def answer(self, text):
        return rows(text)


class SQLite:
    name = "SQLite"
    file = f"{WORK}/events.sqlite"

    def load(self):
        run(["sqlite3", self.file], input=f"CREATE TABLE events ({COLUMNS});\n.mode csv\n.import --skip 1 {TABLE} events\n"
            "UPDATE events SET uid = NULL WHERE uid = '';\nUPDATE events SET received = NULL WHERE received = '';\n"
            "UPDATE events SET host = NULL WHERE host = '';\n")

    def ask(self, question):
        return None if "{" in question[2] else timed(["sqlite3", "-csv", "-readonly", self.file, question[2]])

    def answer(self, text):
        return rows(text)


class Lines:
    """A program that reads NDJSON, and the questions that it can be asked."""

    def __init__(self, name, commands):
        self.name, self.commands = name, commands

    def load(self):
        pass

    def ask(self, question):
        command = self.commands.get(question[0])
        return command and timed(["bash", "-c", command])

    def answer(self, text):
        return rows(text)


def report(name, seconds, base):
    middle = statistics.median(seconds)
    ratio = f", × {middle / base:.2f}" if base else ""
    print(f"  {name}: {middle * 1000:.0f} ms ({min(seconds) * 1000:.0f} to {max(seconds) * 1000:.0f}){ratio}", flush=True)


def numbered(text, number):
    """A question about another task than 4711."""
    return text.replace("4711", str(number))


def main():
    for form, path in [("csv", TABLE), ("ndjson", LINES)]:
        with open(path, "w") as file:
            subprocess.run([XFERLOG, "query", f"* | fields {FIELDS}", LOG, "-o", form], check=True, stdout=file)
    count = int(run(["wc", "-l", TABLE]).split()[0]) - 1
    print(f"{count} events; {os.cpu_count()} processors; CSV {os.path.getsize(TABLE) >> 20} MB, NDJSON {os.path.getsize(LINES) >> 20} MB")
    programs = [Xferlog()]
    venv = f"{WORK}/venv/bin"
    if os.path.exists(f"{venv}/duckdb"):
        programs.append(DuckDB())
    if subprocess.run([f"{venv}/python", "-c", "import chdb"], capture_output=True).returncode == 0:
        programs.append(ChDB())
    if shutil.which("sqlite3"):
        programs.append(SQLite())
    for program in programs[1:]:
        start = time.monotonic()
        program.load()
        print(f"{program.name}: loaded in {time.monotonic() - start:.1f} s")
    once = []
    if shutil.which("jq"):
        once.append(Lines("jq", {
            "count by level": f"jq -rn 'reduce (inputs | .level) as $l ({{}}; .[$l] += 1) | to_entries[] | [.key, .value] | @csv' {LINES}",
        }))
    if shutil.which("rg"):
        # ripgrep counts lines, and a task's lines are found by their text.
        once.append(Lines("ripgrep", {
            "one task": f"rg -N '\"session\":\"session-0\",\"number\":4711,' {LINES} | grep -o '\"event\":\"[^\"]*\"' | cut -d'\"' -f4",
        }))
    if shutil.which("lnav"):
        once.append(Lines("lnav", {
            "one task": f"lnav -n -c ':filter-in \"session\":\"session-0\",\"number\":4711,' {LINES} | grep -o '\"event\":\"[^\"]*\"' "
            "| cut -d'\"' -f4",
        }))
    # Each of the log's two sessions has half of the tasks, numbered from 1.
    number = max(1, count // 48 // 4)
    for program in once:
        program.commands = {name: numbered(command, number) for name, command in program.commands.items()}
    differing = []
    for question in [tuple(numbered(text, number) for text in question) for question in QUESTIONS]:
        seconds = {program.name: [] for program in programs}
        answers = {}
        for _ in range(ROUNDS):
            for program in programs:
                measured = program.ask(question)
                if measured:
                    seconds[program.name].append(measured[0])
                    answers[program.name] = program.answer(measured[1])
        print(f"{question[0]}: {len(answers['xferlog'])} rows")
        base = statistics.median(seconds["xferlog"])
        duckdb = statistics.median(seconds["DuckDB"]) if seconds.get("DuckDB") else None
        record(f"query, {question[0]}", base * 1000, "ms", peer=duckdb and ("DuckDB", duckdb * 1000), goal=GOALS.get(question[0]))
        for program in programs:
            if seconds[program.name]:
                report(program.name, seconds[program.name], base)
        for program in once:
            measured = program.ask(question)
            if measured:
                report(program.name, [measured[0]], base)
                answers[program.name] = program.answer(measured[1])
        differing += [f"{question[0]}: {name}" for name, answer in answers.items() if answer != answers["xferlog"]]
    print(f"the start of xferlog alone: {statistics.median(timed([XFERLOG, '--version'])[0] for _ in range(ROUNDS)) * 1000:.0f} ms")
    if differing:
        sys.exit(f"the answers differ: {', '.join(differing)}")


main()
