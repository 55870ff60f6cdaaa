import LogTestSupport

/// Says whether a program did what a case asks for.
///
/// Only what the user of a transfer gets is compared: the exit code, and what was received, wherever it was to go.
/// Requests may differ from curl's, and so may what is said on standard error.
struct CaseJudge {
  /// What `timeout` ends with when it had to end the program.
  private static let hung: Int32 = 124
  private static let wrongUsage: Int32 = 2

  let bench: CaseBench
  let command: CaseCommand
  let run: ToolRun

  private var expected: CurlCase.Expected { bench.curlCase.expected }

  func outcome() throws -> CaseOutcome {
    if run.status == Self.hung { return .disagrees(expected: exitCodes, got: "no end in \(CaseBench.timeLimit) s") }
    if let lacking { return .lacks(lacking) }
    guard expected.exitCodes.contains(run.status) else {
      return .disagrees(expected: exitCodes, got: "exit \(run.status): \(run.remarks.last ?? "")")
    }
    return try differenceInContents() ?? differenceInFiles() ?? .agrees
  }

  private var exitCodes: String { "exit \(expected.exitCodes.map(String.init).joined(separator: " or "))" }

  /// The first remark about a command line that is not understood: another one than the case's own misuse.
  private var lacking: String? {
    guard run.status == Self.wrongUsage else { return nil }
    return run.remarks.first { $0.contains("Unknown option") || $0.contains("Unexpected argument") }
  }

  private func differenceInContents() -> CaseOutcome? {
    if let wanted = expected.received, let path = command.outputPath {
      if let difference = difference("received", wanted, bench.contents(path) ?? [], manner(path)) { return difference }
    }
    return expected.standardOutput.flatMap { difference("standard output", $0, run.standardOutput, manner("-")) }
  }

  private func differenceInFiles() throws -> CaseOutcome? {
    for (path, wanted) in expected.files {
      guard let got = bench.contents(path) else { return .disagrees(expected: "\(path) is there", got: "it is not") }
      if let difference = difference(path, wanted, got, manner(path)) { return difference }
    }
    if let path = expected.absentPaths.first(where: bench.exists) {
      return .disagrees(expected: "\(path) is not there", got: "it is")
    }
    guard let line = expected.postcheck else { return nil }
    let check = try bench.shell(line)
    return check.status == 0 ? nil : .disagrees(expected: "the case's own check passes", got: check.standardError)
  }

  private func manner(_ path: String) -> ReceivedText.Manner {
    if command.cookieJars.contains(path) { return .cookieJar }
    return command.expectsHeads && !command.headPaths.contains(path) ? .bodies : .everyByte
  }

  private func difference(
    _ place: String, _ wanted: CurlCase.Contents, _ got: [UInt8], _ manner: ReceivedText.Manner
  ) -> CaseOutcome? {
    if wanted.isUnknown { return nil }
    let stripped = wanted.substitutions.reduce(got) { $1.apply(to: $0) }
    let ends = { (bytes: [UInt8]) in wanted.isText ? bytes.withPlainNewlines : bytes }
    let (wanted, got) = (ReceivedText(ends(wanted.bytes)), ReceivedText(ends(stripped)))
    if wanted.agrees(with: got, manner) { return nil }
    return .disagrees(expected: "\(place): \(wanted.shown(manner))", got: got.shown(manner))
  }
}
