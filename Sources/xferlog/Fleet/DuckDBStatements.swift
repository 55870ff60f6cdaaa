/// The statements that compute the outcomes of tasks in DuckDB, from files with events.
struct DuckDBStatements {
  /// The files, as a path or glob.
  let input: String

  var text: String {
    """
    CREATE OR REPLACE VIEW events AS
    SELECT app, device, session, time, level, event, task.uid AS task, task.session AS task_session, task.number AS task_number
    FROM read_ndjson(\(SQLText.literal(input, escapesBackslash: false)), columns = {
      app: 'VARCHAR', device: 'VARCHAR', session: 'VARCHAR', time: 'TIMESTAMP_NS', level: 'VARCHAR', event: 'VARCHAR',
      task: 'STRUCT(uid VARCHAR, session VARCHAR, number UINTEGER)'});
    -- The outcomes of tasks in SQL alone: quick, but without the reasons that a replay finds.
    CREATE OR REPLACE VIEW task_outcomes AS
    SELECT app, device, task_session, task_number,
      CASE WHEN bool_or(event = 'task.completed') THEN 'ok' WHEN bool_or(event = 'task.transferred') THEN 'lost' ELSE 'stalled' END
        AS outcome
    FROM events WHERE task IS NOT NULL GROUP BY app, device, session, task, task_session, task_number;

    """
  }
}
