/// Finds the lines of foreign logs and the logs of records that references name, for the evidence of findings.
package struct SourceLines {
  /// Returns the name of the file of a reference; `nil` for a record of a log of this package.
  package let file: (EventReference) -> String?
  /// Returns the text of the line; `nil` for a record of a log of this package, and if the line cannot be read.
  package let text: (EventReference) -> String?

  /// The names of the logs that are read together, in the order of references; empty if only one is read.
  private let logs: [String]

  package static var none: SourceLines { SourceLines(file: { _ in nil }, text: { _ in nil }, logs: []) }

  private init(
    file: @escaping (EventReference) -> String?, text: @escaping (EventReference) -> String?, logs: [String]
  ) {
    (self.file, self.text, self.logs) = (file, text, logs)
  }

  /// - Parameter logs: the names of the logs of this package that are read together, in the order of references.
  package init(_ source: any EventSource, logs: [String]) {
    self.init(
      file: { source.fileName(of: $0) }, text: { source.original($0) }, logs: logs.count > 1 ? logs : [])
  }

  /// The same without the texts of lines.
  package var withoutText: SourceLines { SourceLines(file: file, text: { _ in nil }, logs: logs) }

  /// Returns a reference for people, such as `app.log:57`, `1/2/19`, or `1/2/19 of daemon.xlog` if several logs are read. Standard input
  /// has no name, so its number stands for it.
  package func place(_ reference: EventReference) -> String {
    switch reference {
    case .line(_, let line):
      guard let file = file(reference), file != "-" else { return "\(reference)" }
      return "\(file):\(line)"
    case .record(let segment, let lane, let sequence, let log):
      guard logs.indices.contains(Int(log)) else { return "\(reference)" }
      return "\(EventReference.record(segment: segment, lane: lane, sequence: sequence)) of \(logs[Int(log)])"
    }
  }
}
