/// The messages of an Apple log that come from known processes and have no known shape, without what identifies people and servers.
package struct UnmatchedReport {
  /// Messages that differ only in their values.
  package struct Kind: Sendable {
    /// The name of a process of the system; `nil` for an app.
    package let process: String?
    package let subsystem: String?
    package let category: String?
    /// The message with `…` in the place of values.
    package let text: String
    package let count: Int
    /// The line of the first message.
    package let line: UInt64
  }

  package let lines: UInt64
  package let records: Int
  package let recognised: Int
  /// The number of unrecognised messages of known processes.
  package let unmatched: Int
  /// The kinds of unrecognised messages, the most frequent first. Rare kinds of a log with very many are left out.
  package let kinds: [Kind]

  /// - Returns: `nil` if the file cannot be read.
  package init?(_ input: ImportedInput) {
    guard let source = LineSource(path: input.path) else { return nil }
    let log = AppleLog(source, input: input.place, options: input.options, collectsUnmatched: true)
    while log.next() != nil {}
    (lines, records, recognised) = (log.lineCount, log.records, log.recognised)
    unmatched = log.unmatched?.count ?? 0
    kinds = (log.unmatched?.kinds ?? [:]).map { kind, found in
      Kind(
        process: kind.process, subsystem: kind.subsystem, category: kind.category, text: kind.text, count: found.count,
        line: found.line)
    }.sorted { ($1.count, $0.line) < ($0.count, $1.line) }
  }
}
