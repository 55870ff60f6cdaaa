import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery

extension StatisticsDocument {
  /// One figure a row: which table, which of its rows, which column, and the value; empty where nothing was measured.
  package func writeCSV(to text: inout TextBuffer) {
    let csv = CSVText()
    csv.append(["table", "row", "column", "value"], to: &text)
    func write(_ table: String, _ row: String, _ columns: KeyValuePairs<String, Int64?>) {
      for (column, value) in columns { csv.append([table, row, column, value.map { "\($0)" } ?? ""], to: &text) }
    }
    let events = statistics.events
    write(
      "totals", "events",
      [
        "count": Int64(events.count), "unmodelled": Int64(events.unmodelled), "gaps": Int64(events.gaps),
        "dropped": events.dropped,
      ])
    write("totals", "tasks", ["count": Int64(statistics.tasks)])
    write("totals", "bytes", ["received": statistics.received, "sent": statistics.sent])
    for entry in statistics.outcomes { write("outcomes", entry.outcome.rawValue, ["tasks": Int64(entry.tasks)]) }
    for entry in statistics.states { write("states", entry.state.rawValue, ["tasks": Int64(entry.tasks)]) }
    for stage in statistics.stages {
      write(
        "stages", stage.stage.rawValue,
        [
          "tasks": Int64(stage.tasks), "p50_ns": stage.median?.nanoseconds, "p90_ns": stage.ninetieth?.nanoseconds,
          "max_ns": stage.maximum?.nanoseconds,
        ])
    }
    for rule in statistics.rules {
      write(
        "rules", rule.rule,
        [
          "findings": Int64(rule.findings), "counted": Int64(rule.counted), "undecidable": Int64(rule.undecidable),
          "in_flight": Int64(rule.inFlight), "silent": Int64(rule.silent),
        ])
    }
    for host in statistics.hosts {
      write(
        "hosts", host.host ?? "",
        [
          "tasks": Int64(host.tasks), "failed": Int64(host.failed), "lost": Int64(host.lost), "received": host.received,
          "sent": host.sent, "connections": Int64(host.connections), "reused": Int64(host.reusedConnections),
          "p50_ns": host.median?.nanoseconds, "p90_ns": host.ninetieth?.nanoseconds,
        ])
    }
  }
}
