import ArgumentParser
import XferEvents
import XferLogStore
import XferReading
import XferReport

struct Verify: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", _superCommandName: "xferlog",
    abstract: "Check a log's integrity, and list the times and tasks that cannot be judged because of damage.",
    discussion: """
      A log is damaged if a checksum does not match or a part is missing, and edited if all checksums match but the hash chain \
      of a sealed segment does not. A record is torn if its writer ended while writing it; no complete record is lost.

      The exit code is 0 for an intact log, and 1 for an edited log or a damaged one (even if a copy of the damaged part was \
      read). If torn records, or segments and inputs that cannot be read, are the only problem, the exit code is 4 with --strict \
      and 0 without it. The log is not changed.

      Example: xferlog verify run.xlog
      """)

  enum Form: String, ArgumentChoice { case text, json }

  @Argument(help: "Logs to verify (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(name: .shortAndLong, help: "Output format (json: one document).")
  var output: Form = .text

  @Flag(help: "Exit with 4 instead of 0 if torn records or unread segments and inputs are the only problem.")
  var strict = false

  @OptionGroup
  var paging: PagingOptions

  func run(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    let reader = LogReader(
      try inputs.logs(for: .verification), isFollowing: false, selection: nil, leavesOutCopies: false)
    if reader.segmentNames.isEmpty {
      if let problem = reader.problems.first { throw CommandExit(.failed, "nothing could be read: \(problem.error)") }
      throw CommandExit(.nothingAnalysed, "the log has no segment")
    }
    let document = try LogVerifier(reader, expectsOwnLogs: !inputs.areConverted).document
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: document.write(to: &output.buffer)
    case .json:
      output.buffer.appendJSON { document.writeJSON(to: &$0) }
      output.buffer.append(UInt8(ascii: "\n"))
    }
    try output.flush()
    let torn = document.problems.count { $0.kind == .torn }
    let others = document.problems.count(where: document.isDifference)
    switch document.verdict {
    case .whole:
      guard !inputs.unread.isEmpty else { return }
      let reason: UserMessage = "\(inputs.unread.count) \(inputs.unread.count == 1 ? "input was" : "inputs were") not read"
      if strict { throw CommandExit(.incomplete, reason) }
      StandardError.remark(reason)
    case .damaged, .edited:
      throw CommandExit(.findings, "\(others) \(others == 1 ? "place differs" : "places differ") from what was written")
    case .torn, .unreadable:
      let empty = document.problems.count { $0.kind == .torn && $0.bytes == nil }
      let unreadable = document.problems.count { $0.kind == .unreadable }
      let parts = [
        unreadable == 0 ? nil : "\(unreadable.counted("segment")) could not be opened", Self.reason(records: torn - empty),
        Self.reason(emptySegments: empty),
      ]
      let reason = UserMessage(parts.compactMap(\.self).joined(separator: ", "))
      if strict { throw CommandExit(.incomplete, reason) }
      StandardError.remark(reason)
    }
  }

  private static func reason(records count: Int) -> String? {
    if count == 0 { return nil }
    return
      "\(count) \(count == 1 ? "record was" : "records were") being written when \(count == 1 ? "its" : "their") writer ended"
  }

  private static func reason(emptySegments count: Int) -> String? {
    count == 0 ? nil : "\(count) \(count == 1 ? "segment is" : "segments are") empty"
  }
}
