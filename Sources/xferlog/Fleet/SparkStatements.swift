/// The statements that replay logs with Spark SQL.
struct SparkStatements {
  let unit: FleetUnit
  /// The file with paths, or the files with events, as Spark reads them.
  let input: String
  let output: String
  let partitions: Int
  /// The command line that Spark's executors start.
  let command: String

  private var noun: String { unit == .path ? "logs" : "lines" }

  var text: String {
    """
    -- Spark runs one process for each partition, and runs it again on another executor if it was killed.
    -- If a process exits with another code than 0, the job fails.
    SET spark.sql.shuffle.partitions=\(partitions);
    -- Otherwise Spark may read a shuffle where it was written, and the lines of a device reach several processes.
    SET spark.sql.adaptive.localShuffleReader.enabled=false;
    CREATE OR REPLACE TEMPORARY VIEW xferlog_input AS
      SELECT value FROM text.\(SQLText.quotedName(input)) WHERE value <> '';
    CACHE TABLE xferlog_rows OPTIONS ('storageLevel' 'DISK_ONLY') AS
    SELECT TRANSFORM(value) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'
      USING \(SQLText.literal(command))
      AS (value STRING) ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t'
    FROM (\(distribution));
    -- Each process ends with a row that counts the others. Only whole answers are written.
    SELECT assert_true(
      coalesce(sum(ended), 0) = count_if(kind <> 'end') AND coalesce(sum(read), 0) = (SELECT count(*) FROM xferlog_input),
      'xferlog: rows are missing, so nothing was written')
    FROM (
      SELECT get_json_object(value, '$.kind') AS kind, CAST(get_json_object(value, '$.rows') AS BIGINT) AS ended,
        CAST(get_json_object(value, '$.\(noun)') AS BIGINT) AS read
      FROM xferlog_rows);
    INSERT OVERWRITE DIRECTORY \(SQLText.literal(output)) USING text SELECT value FROM xferlog_rows;

    """
  }

  /// The statement that makes the rows of a finished replay a view.
  static func view(of output: String) -> String {
    """
    -- Views of this kind last as long as the session of Spark.
    CREATE OR REPLACE TEMPORARY VIEW xferlog_verdicts USING json OPTIONS (path \(SQLText.literal(output)));

    """
  }

  private var distribution: String {
    switch unit {
    case .path: "SELECT /*+ REPARTITION(\(partitions), value) */ value FROM xferlog_input"
    case .event:
      """
      SELECT value FROM xferlog_input
        LATERAL VIEW json_tuple(value, 'app', 'device', 'session') keys AS app, device, session
        DISTRIBUTE BY app, device, session
      """
    }
  }
}
