"""The panels of all dashboards. `generate` writes the files of Datasette and of Grafana from this table, and `check` runs every query.

A panel has a query in SQL over the index, in PromQL over the metrics, or both. `rows` returns what the SQL must return according to
`xferlog stats -o json`, and `samples` what PromQL must return: a value for each set of labels.
"""

from dataclasses import dataclass
from typing import Callable, Optional


@dataclass(frozen=True)
class Panel:
    id: str
    title: str
    kind: str  # number, bar or table
    sql: Optional[str] = None
    rows: Optional[Callable] = None
    promql: Optional[str] = None
    samples: Optional[Callable] = None
    # The label of PromQL's results that names them in a legend.
    label: Optional[str] = None
    # Grafana's name of the unit: short, bytes, s or bool.
    unit: str = "short"
    # For bars: the columns of the axes.
    x: str = ""
    y: str = ""


@dataclass(frozen=True)
class Dashboard:
    id: str
    title: str
    description: str
    # Rows of panels.
    layout: list


def one(value):
    return {frozenset(): value}


def by(label, items, name, value):
    return {frozenset({(label, item[name])}): item[value] for item in items}


def outcome(stats, name):
    return next(row["tasks"] for row in stats["outcomes"] if row["outcome"] == name)


def seconds(nanoseconds):
    return None if nanoseconds is None else nanoseconds / 1e9


EVENTS = Panel(
    "events", "Events", "number", "SELECT events FROM totals", lambda s: [[s["events"]["count"]]],
    "sum without (level) (xferlog_events_total)", lambda s: one(s["events"]["count"]))
TASKS = Panel(
    "tasks", "Tasks", "number", "SELECT tasks FROM totals", lambda s: [[s["tasks"]]],
    "sum without (outcome) (xferlog_tasks_total)", lambda s: one(s["tasks"]))
LOST = Panel(
    "lost", "Lost tasks", "number", "SELECT tasks FROM tasks_by_outcome WHERE outcome = 'lost'",
    lambda s: [[outcome(s, "lost")]], 'sum without (outcome) (xferlog_tasks_total{outcome="lost"})', lambda s: one(outcome(s, "lost")))
FINDINGS = Panel(
    "findings", "Findings", "number", "SELECT findings FROM totals", lambda s: [[sum(row["findings"] for row in s["rules"])]],
    "sum without (rule, severity) (xferlog_findings)", lambda s: one(sum(row["findings"] for row in s["rules"])))
COUNTED = Panel(
    "counted", "Findings that fail a replay", "number", "SELECT coalesce(sum(counted), 0) AS counted FROM findings_by_rule",
    lambda s: [[sum(row["counted"] for row in s["findings"])]],
    "sum without (rule, severity) (xferlog_findings_counted)", lambda s: one(sum(row["counted"] for row in s["findings"])))
OUTCOMES = Panel(
    "outcomes", "Tasks by outcome", "bar", "SELECT outcome, tasks FROM tasks_by_outcome",
    lambda s: [[row["outcome"], row["tasks"]] for row in s["outcomes"]],
    "xferlog_tasks_total", lambda s: by("outcome", s["outcomes"], "outcome", "tasks"), label="outcome", x="outcome", y="tasks")
STATES = Panel(
    "states", "Tasks by state", "bar", "SELECT state, tasks FROM tasks_by_state",
    lambda s: [[row["state"], row["tasks"]] for row in s["states"]],
    "xferlog_tasks", lambda s: by("state", s["states"], "state", "tasks"), label="state", x="state", y="tasks")
RECEIVED = Panel(
    "received", "Bytes received", "number", "SELECT received FROM bytes", lambda s: [[s["bytes"]["received"]]],
    'sum without (direction) (xferlog_body_bytes_total{direction="received"})', lambda s: one(s["bytes"]["received"]), unit="bytes")
SENT = Panel(
    "sent", "Bytes sent", "number", "SELECT sent FROM bytes", lambda s: [[s["bytes"]["sent"]]],
    'sum without (direction) (xferlog_body_bytes_total{direction="sent"})', lambda s: one(s["bytes"]["sent"]), unit="bytes")
RULES = Panel(
    "rules", "Findings by rule", "table", "SELECT rule, severity, findings, counted FROM findings_by_rule",
    lambda s: [[row["rule"], row["severity"], row["findings"], row["counted"]] for row in s["findings"]],
    "sum without (severity) (xferlog_findings) > 0", lambda s: by("rule", s["findings"], "rule", "findings"), label="rule")

# Every task, and every finding about a task. Their number is checked, because `stats` has no list of tasks.
LIFECYCLES = Panel(
    "lifecycles", "Tasks", "table",
    "SELECT session, number, type, state, outcome, host, http, error_name AS error, attempts, received, total_ns / 1e9 AS seconds "
    "FROM tasks ORDER BY id", lambda s: s["tasks"])
UNFINISHED = Panel(
    "unfinished", "Tasks without an end", "table",
    "SELECT session, number, state, outcome, host, hold, created FROM tasks WHERE outcome IN ('open', 'unknown') ORDER BY id",
    lambda s: outcome(s, "open") + outcome(s, "unknown"))

LOST_TASKS = Panel(
    "lost-tasks", "Lost tasks and their last event", "table",
    "SELECT tasks.session, tasks.number, tasks.host, tasks.state, last.event AS last_event, last.time FROM tasks "
    "LEFT JOIN (SELECT task, max(id) AS id FROM events GROUP BY task) AS ends ON ends.task = tasks.uid "
    "LEFT JOIN events AS last ON last.id = ends.id WHERE outcome = 'lost' ORDER BY tasks.id", lambda s: outcome(s, "lost"))
PROOFS = Panel(
    "proofs", "Findings that fail a replay", "table",
    "SELECT rule, severity, certainty, session, time, summary, remedy FROM findings WHERE counted ORDER BY id",
    lambda s: sum(row["counted"] for row in s["findings"]))

STAGES = Panel(
    "stages", "Median by stage", "bar", "SELECT stage, p50_ns / 1e9 AS seconds FROM stage_percentiles",
    lambda s: [[row["stage"], seconds(row["p50"])] for row in s["stages"]], x="stage", y="seconds", unit="s")
STAGE_TABLE = Panel(
    "stage-table", "Times by stage", "table",
    "SELECT stage, tasks, p50_ns / 1e9 AS p50, p90_ns / 1e9 AS p90, max_ns / 1e9 AS max FROM stage_percentiles",
    lambda s: [[row["stage"], row["tasks"]] + [seconds(row[name]) for name in ("p50", "p90", "max")] for row in s["stages"]])
STAGE_TASKS = Panel(
    "stage-tasks", "Tasks that went through each stage", "bar", "SELECT stage, tasks FROM stage_percentiles",
    lambda s: [[row["stage"], row["tasks"]] for row in s["stages"]],
    "xferlog_task_stage_seconds_count", lambda s: by("stage", s["stages"], "stage", "tasks"), label="stage", x="stage", y="tasks")

HOSTS = Panel(
    "hosts", "Hosts", "table",
    "SELECT host, tasks, failed, lost, received, sent, connections, reused, p50_ns / 1e9 AS p50, p90_ns / 1e9 AS p90 FROM hosts",
    lambda s: [[row[name] for name in ("host", "tasks", "failed", "lost", "received", "sent", "connections", "reused")]
               + [seconds(row["p50"]), seconds(row["p90"])] for row in s["hosts"]])
HOST_TASKS = Panel(
    "host-tasks", "Tasks by host", "bar", "SELECT coalesce(host, 'unknown') AS host, tasks FROM hosts",
    lambda s: [[row["host"] or "unknown", row["tasks"]] for row in s["hosts"]],
    "xferlog_host_tasks_total", lambda s: {frozenset({("host", row["host"] or "unknown")}): row["tasks"] for row in s["hosts"]},
    label="host", x="host", y="tasks")
CONNECTIONS = Panel(
    "connections", "Connections by host, and how many were reused", "table",
    "SELECT host, connections, reused FROM hosts", lambda s: [[row["host"], row["connections"], row["reused"]] for row in s["hosts"]])

COMPLETE = Panel(
    "complete", "The log is complete", "number", "SELECT count(*) = 0 AS complete FROM incompleteness",
    lambda s: [[int(s["complete"])]], "xferlog_log_complete", lambda s: one(int(s["complete"])), unit="bool")
GAPS = Panel(
    "gaps", "Places where records are missing", "number", "SELECT gaps FROM totals", lambda s: [[s["events"]["gaps"]]],
    "xferlog_log_gaps", lambda s: one(s["events"]["gaps"]))
DROPPED = Panel(
    "dropped", "Events that could not be written", "number", "SELECT dropped FROM totals",
    lambda s: [[s["events"]["dropped"]]], "sum without (family) (xferlog_events_dropped_total) or xferlog_log_complete * 0",
    lambda s: one(s["events"]["dropped"]))
REASONS = Panel(
    "reasons", "Why the log is incomplete", "table", "SELECT reason FROM incompleteness",
    lambda s: [[reason] for reason in s["incompleteBecause"]])
UNDECIDED = Panel(
    "undecided", "What rules could not decide", "table", "SELECT rule, needs, count FROM undecided ORDER BY rule, needs",
    lambda s: [[row["rule"], row["needs"], row["count"]] for row in s["undecided"]])
ANSWERS = Panel(
    "answers", "The answers of all rules", "table", "SELECT rule, findings, undecidable, in_flight, silent FROM rules",
    lambda s: [[row[name] for name in ("rule", "findings", "undecidable", "inFlight", "silent")] for row in s["rules"]])

DASHBOARDS = [
    Dashboard("overview", "Overview", "What a log contains and what is wrong in it.",
              [[TASKS, LOST, FINDINGS, EVENTS, RECEIVED, SENT], [OUTCOMES, RULES]]),
    Dashboard("lifecycles", "Lifecycles", "The tasks of a log and how far they came.", [[STATES, UNFINISHED], [LIFECYCLES]]),
    Dashboard("lost-completions", "Lost completions", "Tasks that were lost, and the findings that fail a replay.",
              [[LOST, COUNTED], [LOST_TASKS], [PROOFS]]),
    Dashboard("latency", "Latency by stage", "Where tasks spent their time.", [[STAGES, STAGE_TASKS], [STAGE_TABLE]]),
    Dashboard("hosts", "Hosts and connections", "Tasks, failures and connections by host.", [[HOST_TASKS, CONNECTIONS], [HOSTS]]),
    Dashboard("log-health", "Log health", "Whether the log is complete, and what it leaves open.",
              [[COMPLETE, GAPS, DROPPED], [REASONS, UNDECIDED], [ANSWERS]]),
]


# MARK: Many logs

def of_problems(fleet, value):
    """A value for each problem, by the labels of its metrics."""
    return {frozenset({("rule", problem["rule"]), ("fingerprint", problem["fingerprint"]), ("severity", problem["severity"])}): value(problem)
            for problem in fleet["problems"]}


FLEET_LOGS = Panel("fleet-logs", "Logs", "number", promql="xferlog_fleet_logs", samples=lambda f: one(f["logs"]))
FLEET_CLEAN = Panel("fleet-clean", "Clean logs", "number", promql="xferlog_fleet_clean_logs", samples=lambda f: one(f["cleanLogs"]))
FLEET_TASKS = Panel("fleet-tasks", "Tasks", "number", promql="xferlog_fleet_tasks", samples=lambda f: one(f["tasks"]))
FLEET_NEW = Panel(
    "fleet-new", "Problems that are new in the newest version", "table", promql="xferlog_fleet_problem_new == 1",
    samples=lambda f: {frozenset({("rule", p["rule"]), ("fingerprint", p["fingerprint"]), ("severity", p["severity"]),
                                  ("version", f["release"])}): 1 for p in f["problems"] if p["new"]})
FLEET_RATES = Panel(
    "fleet-rates", "Share of the logs with a problem", "bar", unit="percentunit",
    promql='sort_desc(sum without (bound) (xferlog_fleet_problem_ratio{bound="rate"}))', label="rule",
    samples=lambda f: of_problems(f, lambda p: p["ratePerMillion"]))
FLEET_BOUNDS = Panel(
    "fleet-bounds", "Upper bound of the share (95 %)", "table", unit="percentunit",
    promql='sum without (bound) (xferlog_fleet_problem_ratio{bound="high"})',
    samples=lambda f: of_problems(f, lambda p: p["highPerMillion"]))
FLEET_VERSIONS = Panel(
    "fleet-versions", "Share of each version's logs with a problem", "table", unit="percentunit",
    promql="xferlog_fleet_problem_logs / on (version) group_left xferlog_fleet_version_logs",
    samples=lambda f: {frozenset({("rule", p["rule"]), ("fingerprint", p["fingerprint"]), ("severity", p["severity"]),
                                  ("version", v["name"] or "unknown")}): v["logs"] / v["of"] * 1e6
                       for p in f["problems"] for v in p["versions"] if v["of"]})

FLEET = Dashboard("fleet", "Fleet", "The problems of many logs, from xferlog fleet report -o metrics.",
                  [[FLEET_LOGS, FLEET_CLEAN, FLEET_TASKS], [FLEET_NEW], [FLEET_RATES, FLEET_BOUNDS], [FLEET_VERSIONS]])


def panels(dashboards=DASHBOARDS):
    """All panels, each once."""
    found = {}
    for dashboard in dashboards:
        for row in dashboard.layout:
            for panel in row:
                assert found.setdefault(panel.id, panel) is panel, f"two panels are named {panel.id}"
    return list(found.values())
