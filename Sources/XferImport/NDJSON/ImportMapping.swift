package import XferEvents

/// Which keys of the objects in a log of JSON lines mean what.
package struct ImportMapping: Sendable {
  /// What a key can mean.
  package enum Role: String, CaseIterable, Sendable {
    case time, task, session, event, outcome, url, method, type, status, error, errorCode, message, received, sent, expected,
      duration
    case process, pid
  }

  /// The key of each role, as a path of member names.
  package var keys: [Role: [String]] = [:]
  /// The steps that values of the keys for `event` and `outcome` mean, beside the usual words.
  package var steps: [String: TransferFact.Step] = [:]
  /// The nanoseconds of one unit of `duration`.
  package var durationUnit: Int64 = 1_000_000
  /// The nanoseconds of one unit of a number in `time`; `nil` if the magnitude tells the unit.
  package var timeUnit: Int64?
  /// Whether the time of a record that tells of a whole request is the time of its beginning.
  package var isTimeOfStart = false

  package init() {}

  func value(_ role: Role, _ record: JSONValue) -> JSONValue? {
    guard let path = keys[role] else { return nil }
    // A key may contain dots itself.
    return record[path] ?? (path.count > 1 ? record[path.joined(separator: ".")] : nil)
  }
}

/// Reads logs with one JSON object per line, whose keys a mapping of the user explains.
package struct NDJSONImporter: EventImporter {
  package let format = "ndjson"
  private let mapping: ImportMapping

  package init(_ mapping: ImportMapping) { self.mapping = mapping }

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      _ = scanner.take("\u{FEFF}")
      scanner.takeWhiteSpace()
      return scanner.peek == 0x7B
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { NDJSONReader($0, mapping) }
  }
}
