import LogTestSupport

/// Says whether a program did what a case asks for.
///
/// Only what the user of a transfer gets is compared: the exit code, and what was received, wherever it was to go.
/// Requests may differ from curl's, and so may what is said on standard error. A transfer that fails as it should need not
/// leave what had come by then.
struct CaseJudge {
  private static let wrongUsage: Int32 = 2

  let bench: CaseBench
  let program: CaseProgram
  let command: CaseCommand
  let run: ToolRun

  private var expected: CurlCase.Expected { bench.curlCase.expected }

  func outcome() throws -> CaseOutcome {
    if run.status == CaseBench.hung { return .disagrees(expected: exitCodes, got: "no end in \(CaseBench.timeLimit) s") }
    if let lacking { return .lacks(lacking) }
    guard expected.exitCodes.contains(run.status) else {
      return .disagrees(expected: exitCodes, got: "exit \(run.status): \(run.remarks.last ?? "")")
    }
    // Of some cases nothing is left but requests, and those may differ: but not be missing.
    if expected.asksServer, bench.server.service.record.requests.isEmpty {
      return .disagrees(expected: "the server is asked", got: "no request")
    }
    return try differenceInContents() ?? differenceInFiles() ?? .agrees
  }

  private var exitCodes: String { "exit \(expected.exitCodes.map(String.init).joined(separator: " or "))" }

  /// What the program has not got, when it says so: another misuse than the case's own.
  private var lacking: String? {
    guard run.status == Self.wrongUsage else { return nil }
    if let option = run.standardError.firstMatch(of: /[Uu]nknown option '([^']*)'/) {
      return "\(program.name) has no option \(option.1) yet"
    }
    let isMisunderstood = run.standardError.lowercased().contains("unexpected argument")
    return isMisunderstood ? "\(program.name) does not understand the command line yet" : nil
  }

  private func differenceInContents() -> CaseOutcome? {
    if let wanted = expected.received, let path = command.outputPath, !leavesNothing(at: path) {
      if let difference = difference("received", wanted, left(at: path) ?? [], manner(path)) { return difference }
    }
    return expected.standardOutput.flatMap { difference("standard output", $0, run.standardOutput, manner("-")) }
  }

  private func differenceInFiles() throws -> CaseOutcome? {
    for (path, wanted) in expected.files {
      guard let got = left(at: path) ?? (wanted.bytes.isEmpty ? [] : nil) else {
        return .disagrees(expected: "\(path) is there", got: "it is not")
      }
      if let difference = difference(path, wanted, got, manner(path)) { return difference }
    }
    if let path = expected.absentPaths.first(where: bench.exists) {
      return .disagrees(expected: "\(path) is not there", got: "it is")
    }
    guard let line = expected.postcheck else { return nil }
    let check = try bench.shell(line)
    return check.status == 0 ? nil : .disagrees(expected: "the case's own check passes", got: check.standardError)
  }

  /// Whether the program failed as it should, and keeps of a failed transfer no file instead of curl's half one.
  private func leavesNothing(at path: String) -> Bool {
    guard case .bodies = program.dialect else { return false }
    return run.status != 0 && !bench.exists(path)
  }

  /// What the program left there; cases call its two streams files too.
  private func left(at path: String) -> [UInt8]? {
    switch path {
    case "\(CaseBench.logDirectory)/stdout\(bench.curlCase.number)": run.standardOutput
    case "\(CaseBench.logDirectory)/stderr\(bench.curlCase.number)": Array(run.standardError.utf8)
    default: bench.contents(path)
    }
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
