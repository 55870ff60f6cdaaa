// swift-format-ignore-file
// Generated from Dashboards/sqlite by `xferlog-dev generate`; changes made here are lost.

/// The tables of an index, and the views on them.
enum IndexSQL {
  static let schema = ##"""
    -- The index of one or more logs: all results of `xferlog replay`, as tables.
    --
    -- An index is a cache that is made only from the logs. Deleting an index changes no answer: `xferlog sql` rebuilds it when it is
    -- missing, or when the logs or the program have changed. The program uses this file and views.sql; see README.md.
    --
    -- Times are wall-clock times: one column has RFC 3339 in UTC with nine fractional digits, the column `…_ns` has nanoseconds since
    -- 1970. Durations are in nanoseconds, sizes in bytes. Identifiers of 64 bits and more are text. NULL means that the log does not
    -- contain the value. Private values appear in masked form, as in the log: `<mask.hash: …>` or `<private>`.

    PRAGMA application_id = 0x78666c67; -- "xflg"
    PRAGMA user_version = 1;

    -- The program that made the index. The table `sources` lists the segments.
    CREATE TABLE meta(
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The segments that existed when the index was made, and their writers. The index is stale if a segment has changed since.
    CREATE TABLE sources(
      id INTEGER PRIMARY KEY,
      log TEXT NOT NULL, -- the .xlog directory, or the segment file if the user named the file
      path TEXT NOT NULL,
      size INTEGER,
      modified_ns INTEGER,
      inode TEXT,
      checksum TEXT, -- eight hexadecimal digits; NULL for closed segments and foreign files
      launch TEXT, -- the process life that wrote the segment; NULL if no event was read from it
      pid INTEGER,
      role TEXT,
      executable TEXT
    ) STRICT;

    -- The reasons why the logs are incomplete. The table is empty if they are complete.
    CREATE TABLE incompleteness(
      reason TEXT NOT NULL
    ) STRICT;

    -- All events, in replay order.
    CREATE TABLE events(
      id INTEGER PRIMARY KEY,
      -- The place of the event: the source, and segment/lane/seq within the log, as other commands print it.
      source INTEGER NOT NULL REFERENCES sources(id),
      segment INTEGER NOT NULL,
      lane INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      wall_ns INTEGER,
      -- Computed when queried, because a stored column would take a tenth of the file.
      time TEXT GENERATED ALWAYS AS (
        strftime('%Y-%m-%dT%H:%M:%S', (wall_ns - (wall_ns % 1000000000 + 1000000000) % 1000000000) / 1000000000, 'unixepoch')
        || printf('.%09dZ', (wall_ns % 1000000000 + 1000000000) % 1000000000)) VIRTUAL,
      mono_ns INTEGER, -- the clock that stops while the machine sleeps; comparable only within one boot
      boot_ns INTEGER, -- the clock that continues while the machine sleeps; comparable only within one boot
      level TEXT NOT NULL, -- debug, info, default, error, fault
      event TEXT NOT NULL, -- family.name
      session TEXT,
      task TEXT, -- tasks.uid
      number INTEGER, -- number of the task within its session
      host TEXT, -- the host in the event, or else the task's host
      thread INTEGER,
      fields TEXT NOT NULL -- all other fields as a JSON object, in the form of `xferlog show -o ndjson`
    ) STRICT;

    CREATE TABLE tasks(
      id INTEGER PRIMARY KEY, -- in the order in which they ended
      uid TEXT NOT NULL,
      session TEXT NOT NULL,
      number INTEGER NOT NULL,
      type TEXT,
      state TEXT NOT NULL, -- created, queued, running, held, suspended, transferred, delivered, completed, acknowledged
      outcome TEXT NOT NULL, -- succeeded, failed, cancelled, lost, open, unknown
      method TEXT,
      scheme TEXT,
      host TEXT,
      path TEXT,
      http INTEGER, -- status of the last response
      error_domain TEXT,
      error INTEGER,
      error_name TEXT,
      attempts INTEGER NOT NULL,
      received INTEGER, -- bytes of the body
      sent INTEGER,
      connections INTEGER NOT NULL,
      reused INTEGER NOT NULL, -- number of connections that were reused
      hold TEXT, -- why the task is held
      cancelled_by TEXT,
      intent TEXT,
      app_outcome TEXT, -- outcome that the app recorded
      launch TEXT, -- the process life that owns the task, or owned it last
      created TEXT,
      created_ns INTEGER,
      resumed TEXT,
      resumed_ns INTEGER,
      transferred TEXT,
      transferred_ns INTEGER,
      completed TEXT,
      completed_ns INTEGER,
      acknowledged TEXT,
      acknowledged_ns INTEGER,
      -- The time that the task spent in each stage. Each stage begins at the end of the previous one.
      queue_ns INTEGER,
      connect_ns INTEGER,
      first_byte_ns INTEGER,
      body_ns INTEGER,
      delivery_ns INTEGER,
      total_ns INTEGER,
      unexpected INTEGER NOT NULL -- number of events in an order that the vocabulary does not allow
    ) STRICT;

    -- The deliveries of callbacks to the app. Callbacks with a high rate are not included, because logs do not record each of them.
    CREATE TABLE deliveries(
      id INTEGER PRIMARY KEY, -- in the order in which they ended
      delivery TEXT NOT NULL,
      callback TEXT,
      session TEXT,
      task TEXT,
      sent TEXT,
      sent_ns INTEGER,
      received TEXT,
      received_ns INTEGER,
      entered TEXT,
      entered_ns INTEGER,
      left TEXT,
      left_ns INTEGER,
      dropped TEXT,
      dropped_ns INTEGER,
      drop_reason TEXT,
      wait_ns INTEGER, -- from sent to entered
      run_ns INTEGER -- from entered to left
    ) STRICT;

    CREATE TABLE findings(
      id INTEGER PRIMARY KEY,
      rule TEXT NOT NULL,
      variant TEXT,
      severity TEXT NOT NULL, -- critical, error, warning, notice
      certainty TEXT NOT NULL, -- certain, probable, possible
      counted INTEGER NOT NULL, -- 1 if the finding counts for the exit code of `xferlog replay`
      caused_by INTEGER REFERENCES findings(id),
      session TEXT,
      task TEXT,
      wake TEXT,
      launch TEXT,
      time TEXT,
      time_ns INTEGER,
      summary TEXT NOT NULL,
      remedy TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      lowered TEXT NOT NULL, -- JSON array: reasons why the certainty is not higher
      unless TEXT NOT NULL -- JSON array: circumstances under which the finding would be wrong
    ) STRICT;

    -- The events that prove a finding, and the events that were expected but are missing. If `missing` is 1, the row has no place, and
    -- `time` is the time by which the event was due.
    CREATE TABLE evidence(
      finding INTEGER NOT NULL REFERENCES findings(id),
      missing INTEGER NOT NULL,
      event TEXT NOT NULL,
      source INTEGER REFERENCES sources(id), -- NULL if `events` has no event of the source
      segment INTEGER,
      lane INTEGER,
      seq INTEGER,
      time TEXT,
      time_ns INTEGER
    ) STRICT;

    -- All rules, with the number of each kind of answer.
    CREATE TABLE rule_answers(
      id INTEGER PRIMARY KEY,
      rule TEXT NOT NULL,
      severity TEXT NOT NULL,
      summary TEXT NOT NULL,
      findings INTEGER NOT NULL,
      undecidable INTEGER NOT NULL,
      in_flight INTEGER NOT NULL,
      silent INTEGER NOT NULL
    ) STRICT;

    -- The questions that rules could not decide, with what the rules would need to know.
    CREATE TABLE undecided(
      rule TEXT NOT NULL,
      needs TEXT NOT NULL,
      count INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE processes(
      id INTEGER PRIMARY KEY,
      launch TEXT,
      boot TEXT,
      pid INTEGER,
      role TEXT,
      executable TEXT,
      start_reason TEXT,
      started TEXT,
      started_ns INTEGER,
      ended TEXT,
      ended_ns INTEGER,
      ending TEXT NOT NULL, -- closed, exit, signal, observedMissing, unknown
      exit_code INTEGER,
      exit_signal INTEGER,
      synthetic INTEGER NOT NULL -- 1 if a generator wrote the events of the process
    ) STRICT;

    CREATE TABLE sessions(
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL,
      instance TEXT,
      kind TEXT,
      launch TEXT,
      created TEXT,
      created_ns INTEGER,
      connected TEXT,
      connected_ns INTEGER,
      events_finished TEXT,
      events_finished_ns INTEGER,
      invalidated TEXT,
      invalidated_ns INTEGER,
      released TEXT,
      released_ns INTEGER
    ) STRICT;

    CREATE TABLE wakes(
      handler TEXT PRIMARY KEY,
      session TEXT,
      launch TEXT,
      cause TEXT,
      outcome TEXT NOT NULL, -- called, late, early, twice, never, open, unknown
      calls INTEGER NOT NULL,
      on_main_thread INTEGER,
      wanted TEXT,
      wanted_ns INTEGER,
      launched TEXT,
      launched_ns INTEGER,
      delivered TEXT,
      delivered_ns INTEGER,
      stored TEXT,
      stored_ns INTEGER,
      events_finished TEXT,
      events_finished_ns INTEGER,
      called TEXT,
      called_ns INTEGER,
      released TEXT,
      released_ns INTEGER
    ) STRICT;

    -- Places where records are missing from a log.
    CREATE TABLE gaps(
      id INTEGER PRIMARY KEY,
      cause TEXT NOT NULL,
      problem TEXT,
      segment INTEGER NOT NULL,
      name TEXT NOT NULL,
      launch TEXT,
      lane INTEGER,
      seq_from INTEGER, -- missing positions: the first one; `seq_to` is the position after the last one
      seq_to INTEGER,
      byte_from INTEGER, -- damaged bytes: the first one; `byte_to` is the offset after the last one
      byte_to INTEGER,
      last_seen TEXT, -- time of the last event before the gap
      last_seen_ns INTEGER,
      next_seen TEXT, -- time of the first event after the gap
      next_seen_ns INTEGER
    ) STRICT;

    -- The number of events that could not be written, as their writers counted them.
    CREATE TABLE drops(
      family TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The events that no lifecycle consumes.
    CREATE TABLE unmodelled(
      event TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """##

  static let views = ##"""
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

    """##
}
