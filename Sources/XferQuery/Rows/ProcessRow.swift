import XferEvents
package import XferLifecycle

/// One life of one process.
package struct ProcessRow: TableRow {
  package static let table = "processes"
  private let place: Int
  private let process: ProcessLifecycle

  package init(_ process: ProcessLifecycle, at place: Int) {
    self.place = place
    self.process = process
  }

  package var columns: KeyValuePairs<String, ColumnValue> {
    let started = process.started ?? process.firstSeen
    return [
      "id": ColumnValue(place),
      "launch": ColumnValue(process.launch.map { "\($0)" }),
      "boot": ColumnValue(process.boot.map { "\($0)" }),
      "pid": ColumnValue(process.pid),
      "role": ColumnValue(process.role?.name),
      "executable": ColumnValue(process.executable),
      "start_reason": ColumnValue(process.startReason?.name),
      "started": .time(started), "started_ns": .epoch(started),
      "ended": .time(process.endFact), "ended_ns": .epoch(process.endFact),
      "ending": .text(process.end.rawValue),
      "exit_code": ColumnValue(process.exitCode),
      "exit_signal": ColumnValue(process.exitSignal),
      "synthetic": ColumnValue(process.isSynthetic),
    ]
  }
}
