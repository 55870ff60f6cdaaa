import ArgumentParser

/// A program that replays the logs of many devices.
enum FleetEngine: String, ArgumentChoice {
  case local, spark, clickhouse, duckdb

  static var allValueDescriptions: [String: String] {
    [
      "local": "All processors of this machine.",
      "spark": "Apache Spark, through spark-sql.",
      "clickhouse": "ClickHouse, through clickhouse-client.",
      "duckdb": "DuckDB (only init: the outcomes of tasks in SQL).",
    ]
  }
}

/// The unit of work that an engine distributes.
enum FleetUnit: String, ArgumentChoice {
  case path, event

  static var allValueDescriptions: [String: String] {
    [
      "path": "Logs; each process opens its own by path.",
      "event": "Lines of `xferlog export --format ndjson` with the members app and device.",
    ]
  }
}
