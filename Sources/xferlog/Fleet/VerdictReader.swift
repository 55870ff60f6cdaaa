import XferDiagnosis
import XferImport
import XferReading
import XferReport

/// Reads rows of verdicts from files.
struct VerdictReader {
  private let surroundings: Surroundings

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  func read(_ files: [String]) throws -> FleetSummary.Builder {
    var builder = FleetSummary.Builder()
    for file in files {
      let name = file == "-" ? "standard input" : file
      var tally = LineTally()
      var lines = try InputLines(file: file, standardInput: surroundings.input, absence: .nothingAnalysed)
      while let line = try lines.next() {
        if line.bytes.isEmpty { continue }
        guard !line.isCut, let row = Self.row(line.bytes), Self.add(row, to: &builder) else {
          throw CommandExit(
            .failed,
            "line \(line.number) of \(name) is not a verdict; name files that xferlog replay --stdin or --paths-from printed")
        }
        // An engine may write the rows of several processes into one file, which have no common checksum.
        let isEnd = row["kind"]?.text == "end"
        if isEnd, tally.count == row["rows"]?.int, let checksum = row["checksum"]?.text, !tally.equals(tally.count, checksum) {
          builder.add(changed: name)
        }
        tally.add(line: line.bytes)
      }
    }
    return builder
  }

  private static func row(_ bytes: [UInt8]) -> XferImport.JSONValue? {
    bytes.withUnsafeBytes { bytes in
      let json = JSONReader(bytes)
      guard let value = json.value(), json.isFinished, value["schema"]?.text == "xferlog.verdicts/1" else { return nil }
      return value
    }
  }

  /// - Returns: whether the row is complete.
  private static func add(_ row: XferImport.JSONValue, to builder: inout FleetSummary.Builder) -> Bool {
    let program = FleetSummary.Program(version: row["version"]?.text, os: row["os"]?.text)
    let isFinal = row["final"]?.flag ?? true
    switch (row["kind"]?.text, row["log"]?.text) {
    case ("end", _):
      guard let rows = row["rows"]?.int else { return false }
      builder.add(endOf: rows)
    case ("task", let log?): builder.add(taskOf: log, program, isFinal: isFinal)
    case ("log", let log?):
      guard let verdict = row["verdict"]?.text else { return false }
      builder.add(verdict: verdict, tasks: row["tasks"]?.int ?? 0, of: log, program, isFinal: isFinal)
    case ("finding", let log?):
      guard let rule = row["rule"]?.text, let severity = row["severity"]?.text.flatMap({ Severity(rawValue: $0) }),
        let certainty = row["certainty"]?.text.flatMap({ Certainty(rawValue: $0) })
      else { return false }
      let task = row["session"]?.text.flatMap { session in row["number"]?.integer.map { "\(session)/\($0)" } }
      builder.add(
        FleetSummary.Row(
          log: log, rule: rule, fingerprint: row["fingerprint"]?.text ?? rule, severity: severity, certainty: certainty,
          isCounted: row["counted"]?.flag ?? true, program: program, time: row["time"]?.text, summary: row["summary"]?.text ?? "",
          task: task, variant: row["variant"]?.text, host: row["host"]?.text), isFinal: isFinal)
    default: return false
    }
    return true
  }
}
