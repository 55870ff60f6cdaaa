-- Views with the statistics of `xferlog stats`, and SQL indexes for these views and for common queries. They are created after the
-- tables are filled.
--
-- Percentiles are by nearest rank: the value at position ⌈p·n/100⌉ of n sorted values.
--
-- Numbers that a log states are added with `total`, because `sum` is an error if a damaged log makes the sum exceed 64 bits.

CREATE INDEX events_by_task ON events(task) WHERE task IS NOT NULL;
CREATE INDEX events_by_place ON events(segment, lane, seq);
CREATE INDEX events_by_time ON events(wall_ns);
CREATE INDEX tasks_by_uid ON tasks(uid);
CREATE INDEX tasks_by_host ON tasks(host, total_ns);
CREATE INDEX deliveries_by_task ON deliveries(task);
CREATE INDEX findings_by_task ON findings(task);
CREATE INDEX evidence_by_finding ON evidence(finding);

-- All events, each with the process that wrote it.
CREATE VIEW event_writers AS
SELECT events.id, log, launch, pid, role, executable, segment, lane, seq, time, wall_ns, mono_ns, level, event, session, task,
  number, host, thread, fields
FROM events JOIN sources ON sources.id = events.source;

CREATE VIEW totals AS
SELECT
  (SELECT count(*) FROM events) AS events,
  (SELECT CAST(total(count) AS INTEGER) FROM unmodelled) AS unmodelled,
  (SELECT count(*) FROM gaps) AS gaps,
  (SELECT CAST(total(count) AS INTEGER) FROM drops) AS dropped,
  (SELECT time FROM events WHERE wall_ns = (SELECT min(wall_ns) FROM events) LIMIT 1) AS first,
  (SELECT time FROM events WHERE wall_ns = (SELECT max(wall_ns) FROM events) LIMIT 1) AS last,
  (SELECT count(*) FROM tasks) AS tasks,
  (SELECT count(*) FROM findings) AS findings;

CREATE VIEW tasks_by_outcome AS
WITH words(place, word) AS (
  VALUES (1, 'succeeded'), (2, 'failed'), (3, 'cancelled'), (4, 'lost'), (5, 'open'), (6, 'unknown'), (7, 'resumed'))
SELECT word AS outcome, count(tasks.id) AS tasks
FROM words LEFT JOIN tasks ON tasks.outcome = word
GROUP BY place ORDER BY place;

CREATE VIEW tasks_by_state AS
WITH words(place, word) AS (
  VALUES (1, 'created'), (2, 'queued'), (3, 'running'), (4, 'held'), (5, 'suspended'), (6, 'transferred'),
    (7, 'delivered'), (8, 'completed'), (9, 'acknowledged'), (10, 'failed'), (11, 'cancelled'))
SELECT word AS state, count(tasks.id) AS tasks
FROM words LEFT JOIN tasks ON tasks.state = word
GROUP BY place ORDER BY place;

CREATE VIEW bytes AS
SELECT CAST(total(received) AS INTEGER) AS received, CAST(total(sent) AS INTEGER) AS sent FROM tasks;

-- One row for each stage that a task went through.
CREATE VIEW task_stages AS
SELECT uid AS task, session, number, host, 'queue' AS stage, queue_ns AS ns FROM tasks WHERE queue_ns IS NOT NULL
UNION ALL
SELECT uid, session, number, host, 'connect', connect_ns FROM tasks WHERE connect_ns IS NOT NULL
UNION ALL
SELECT uid, session, number, host, 'firstByte', first_byte_ns FROM tasks WHERE first_byte_ns IS NOT NULL
UNION ALL
SELECT uid, session, number, host, 'body', body_ns FROM tasks WHERE body_ns IS NOT NULL
UNION ALL
SELECT uid, session, number, host, 'delivery', delivery_ns FROM tasks WHERE delivery_ns IS NOT NULL
UNION ALL
SELECT uid, session, number, host, 'total', total_ns FROM tasks WHERE total_ns IS NOT NULL;

CREATE VIEW stage_percentiles AS
WITH
  words(place, word) AS (
    VALUES (1, 'queue'), (2, 'connect'), (3, 'firstByte'), (4, 'body'), (5, 'delivery'), (6, 'total')),
  ranked AS (
    SELECT stage, ns,
      row_number() OVER (PARTITION BY stage ORDER BY ns) AS rank,
      count(*) OVER (PARTITION BY stage) AS n
    FROM task_stages)
SELECT
  word AS stage,
  count(ns) AS tasks,
  max(ns) FILTER (WHERE rank = (50 * n + 99) / 100) AS p50_ns,
  max(ns) FILTER (WHERE rank = (90 * n + 99) / 100) AS p90_ns,
  max(ns) AS max_ns
FROM words LEFT JOIN ranked ON ranked.stage = word
GROUP BY place ORDER BY place;

CREATE VIEW findings_by_rule AS
WITH severities(word, rank) AS (VALUES ('notice', 1), ('warning', 2), ('error', 3), ('critical', 4))
SELECT
  findings.rule,
  -- The worst severity of the rule's findings, which may be worse than the rule's own severity.
  CASE max(rank) WHEN 4 THEN 'critical' WHEN 3 THEN 'error' WHEN 2 THEN 'warning' ELSE 'notice' END AS severity,
  count(*) AS findings,
  sum(counted) AS counted
FROM findings
JOIN severities ON word = findings.severity
JOIN rule_answers ON rule_answers.rule = findings.rule
GROUP BY findings.rule ORDER BY rule_answers.id;

CREATE VIEW rules AS
SELECT rule, severity, findings, undecidable, in_flight, silent FROM rule_answers ORDER BY id;

CREATE VIEW hosts AS
WITH
  ranked AS (
    SELECT host, total_ns AS ns,
      row_number() OVER (PARTITION BY host ORDER BY total_ns) AS rank,
      count(*) OVER (PARTITION BY host) AS n
    FROM tasks WHERE total_ns IS NOT NULL),
  times AS (
    SELECT host,
      max(ns) FILTER (WHERE rank = (50 * n + 99) / 100) AS p50_ns,
      max(ns) FILTER (WHERE rank = (90 * n + 99) / 100) AS p90_ns
    FROM ranked GROUP BY host),
  sums AS (
    SELECT host,
      count(*) AS tasks,
      count(*) FILTER (WHERE outcome = 'failed') AS failed,
      count(*) FILTER (WHERE outcome = 'lost') AS lost,
      CAST(total(received) AS INTEGER) AS received,
      CAST(total(sent) AS INTEGER) AS sent,
      sum(connections) AS connections,
      sum(reused) AS reused
    FROM tasks GROUP BY host)
SELECT sums.*, p50_ns, p90_ns
FROM sums LEFT JOIN times ON times.host IS sums.host
ORDER BY tasks DESC, coalesce(sums.host, '');
