/// The statements that keep events in ClickHouse, and replay them there.
struct ClickHouseStatements {
  let database: String

  /// The tables and views.
  var tables: String {
    """
    CREATE DATABASE IF NOT EXISTS \(database);
    -- The line is the event; the columns are for queries. INSERT INTO \(database).events (line) FORMAT LineAsString
    CREATE TABLE IF NOT EXISTS \(database).events (
      line String CODEC(ZSTD(3)),
      app LowCardinality(String) MATERIALIZED JSONExtractString(line, 'app'),
      device String MATERIALIZED JSONExtractString(line, 'device'),
      session String MATERIALIZED JSONExtractString(line, 'session'),
      time DateTime64(9, 'UTC') MATERIALIZED parseDateTime64BestEffortOrZero(JSONExtractString(line, 'time'), 9, 'UTC'),
      level LowCardinality(String) MATERIALIZED JSONExtractString(line, 'level'),
      event LowCardinality(String) MATERIALIZED JSONExtractString(line, 'event'),
      task String MATERIALIZED JSONExtractString(line, 'task', 'uid'),
      task_session LowCardinality(String) MATERIALIZED JSONExtractString(line, 'task', 'session'),
      task_number UInt32 MATERIALIZED JSONExtractUInt(line, 'task', 'number')
    ) ENGINE = MergeTree ORDER BY (app, device, session, time);
    CREATE TABLE IF NOT EXISTS \(database).verdict_rows (row String CODEC(ZSTD(3))) ENGINE = MergeTree ORDER BY tuple();
    -- The verdicts of the last replay.
    CREATE OR REPLACE VIEW \(database).verdicts AS
    SELECT
      JSONExtractString(row, 'kind') AS kind, JSONExtractString(row, 'log') AS log,
      JSONExtract(row, 'program', 'Nullable(String)') AS program, JSONExtract(row, 'version', 'Nullable(String)') AS version,
      JSONExtract(row, 'os', 'Nullable(String)') AS os, JSONExtract(row, 'session', 'Nullable(String)') AS session,
      JSONExtract(row, 'number', 'Nullable(UInt32)') AS number, JSONExtract(row, 'uid', 'Nullable(String)') AS uid,
      JSONExtract(row, 'state', 'Nullable(String)') AS state, JSONExtract(row, 'outcome', 'Nullable(String)') AS outcome,
      JSONExtract(row, 'rule', 'Nullable(String)') AS rule, JSONExtract(row, 'severity', 'Nullable(String)') AS severity,
      JSONExtract(row, 'certainty', 'Nullable(String)') AS certainty,
      JSONExtract(row, 'fingerprint', 'Nullable(String)') AS fingerprint,
      JSONExtract(row, 'summary', 'Nullable(String)') AS summary, JSONExtract(row, 'verdict', 'Nullable(String)') AS verdict, row
    FROM \(database).verdict_rows WHERE kind != 'end';
    CREATE OR REPLACE VIEW \(database).lost_completions AS
    SELECT log, session, number, uid, certainty, summary FROM \(database).verdicts WHERE rule = 'lost-completion';
    -- The outcomes of tasks in SQL alone: quick, but without the reasons that a replay finds.
    CREATE OR REPLACE VIEW \(database).task_outcomes AS
    SELECT app, device, task_session, task_number,
      multiIf(countIf(event = 'task.completed') > 0, 'ok', countIf(event = 'task.transferred') > 0, 'lost', 'stalled') AS outcome
    FROM \(database).events WHERE task != '' GROUP BY app, device, session, task, task_session, task_number;

    """
  }

  /// The statements that replay all events of the table.
  ///
  /// - Parameter arguments: the words behind `xferlog replay --stdin --grouped`. ClickHouse splits the command line at spaces, and knows no
  ///   quotation marks.
  func replay(_ arguments: [String]) -> String {
    let words = ["xferlog", "replay", "--stdin", "--grouped"] + arguments
    return """
      -- ClickHouse starts programs only from its folder user_scripts: put xferlog, or a link to it, there.
      -- Without check_exit_code, ClickHouse would take the rows of a program that failed for a whole answer.
      DROP TABLE IF EXISTS \(database).replayed_rows SYNC;
      CREATE TABLE \(database).replayed_rows (row String CODEC(ZSTD(3))) ENGINE = MergeTree ORDER BY tuple();
      INSERT INTO \(database).replayed_rows
      SELECT row FROM executable(
        \(SQLText.literal(words.joined(separator: " "))), 'TSVRaw', 'row String',
        (SELECT line FROM \(database).events ORDER BY app, device, session),
        SETTINGS check_exit_code = 1, command_read_timeout = 600000, command_write_timeout = 600000);
      -- The last row counts the others and the lines. Only whole answers replace the verdicts.
      SELECT throwIf(
        countIf(JSONExtractString(row, 'kind') = 'end') != 1 OR sum(JSONExtractUInt(row, 'rows')) != count() - 1
          OR sum(JSONExtractUInt(row, 'lines')) != (SELECT count() FROM \(database).events),
        'xferlog: rows are missing, so the verdicts were not replaced')
      FROM \(database).replayed_rows FORMAT Null;
      EXCHANGE TABLES \(database).replayed_rows AND \(database).verdict_rows;
      DROP TABLE \(database).replayed_rows SYNC;

      """
  }
}
