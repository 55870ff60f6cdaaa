import ArgumentParser
import XferLogStore
import XferReport

struct Verify: ReadingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say whether a log is what was written, and what cannot be judged where it is not.",
    discussion: """
      Damaged: a checksum does not fit. Edited: all checksums fit, but the hash chain of a sealed segment does not. Ends with 0 when \
      nothing is lost (a torn end is a remark), with 1 otherwise, with 4 for torn ends and --strict. Nothing is written.
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "Logs to verify.")
  var log: [String] = []

  @Option(name: .shortAndLong, help: "text; json: one document.")
  var output: Form = .text

  @Flag(help: "End with 4 when a writer ended while it was writing a record.")
  var strict = false

  func run(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    let reader = LogReader(try inputs.logs(for: .verification))
    if reader.segmentNames.isEmpty {
      if let problem = reader.problems.first { throw CommandExit(.failed, "nothing could be read: \(problem.error)") }
      throw CommandExit(.nothingAnalysed, "the log has no segment")
    }
    let document = try LogVerifier(reader).document
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: document.write(to: &output.buffer)
    case .json:
      output.buffer.appendJSON { document.writeJSON(to: &$0) }
      output.buffer.append(UInt8(ascii: "\n"))
    }
    try output.flush()
    let torn = document.problems.count { $0.kind == .torn }
    let others = document.problems.count - torn
    switch document.verdict {
    case .whole: return
    case .damaged, .edited:
      throw CommandExit(.findings, "\(others) \(others == 1 ? "place is" : "places are") not as written")
    case .torn:
      let reason =
        "\(torn) \(torn == 1 ? "record was" : "records were") being written when \(torn == 1 ? "its" : "their") writer ended"
      if strict { throw CommandExit(.incomplete, reason) }
      StandardError.remark(reason)
    }
  }
}
