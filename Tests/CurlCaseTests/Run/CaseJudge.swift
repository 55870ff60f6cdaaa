import LogTestSupport

/// Decides whether a program's run agrees with the case's expected outcome.
///
/// Only what the user of a transfer gets is compared: the exit code and the received bytes. Requests and standard error may
/// differ from curl's. A transfer that fails as expected need not keep the bytes that it received.
struct CaseJudge {
  private static let wrongUsage: Int32 = 2

  let bench: CaseBench
  let program: CaseProgram
  let command: CaseCommand
  let run: ToolRun

  private var expected: CurlCase.Expected { bench.curlCase.expected }

  func outcome() throws -> CaseOutcome {
    if run.status == CaseBench.hung { return .disagrees(expected: exitCodes, got: "no exit in \(CaseBench.timeLimit) s") }
    if let lacking { return .lacks(lacking) }
    guard expected.exitCodes.contains(run.status) else {
      return .disagrees(expected: exitCodes, got: "exit \(run.status): \(run.remarks.last ?? "")")
    }
    // Some cases check only requests. Requests may differ from curl's, but at least one must be sent.
    if expected.asksServer, bench.server.service.record.requests.isEmpty {
      return .disagrees(expected: "a request to the server", got: "no request")
    }
    return try differenceInContents() ?? differenceInFiles() ?? .agrees
  }

  private var exitCodes: String { "exit \(expected.exitCodes.map(String.init).joined(separator: " or "))" }

  /// The reason why the program rejects the command line, if it lacks an option. `nil` otherwise.
  private var lacking: String? {
    guard run.status == Self.wrongUsage else { return nil }
    if let option = run.standardError.firstMatch(of: /[Uu]nknown option '([^']*)'/) {
      return "\(program.name) does not support \(option.1)"
    }
    let isMisunderstood = run.standardError.lowercased().contains("unexpected argument")
    return isMisunderstood ? "\(program.name) does not support the command line" : nil
  }

  private func differenceInContents() -> CaseOutcome? {
    if let wanted = expected.received, let path = command.outputPath, !keptNoFile(at: path) {
      if let difference = difference("received", wanted, left(at: path) ?? [], manner(path)) { return difference }
    }
    return expected.standardOutput.flatMap { difference("standard output", $0, run.standardOutput, manner("-")) }
  }

  private func differenceInFiles() throws -> CaseOutcome? {
    for (path, wanted) in expected.files {
      guard let got = left(at: path) ?? (wanted.bytes.isEmpty ? [] : nil) else {
        return .disagrees(expected: "\(path) exists", got: "it does not exist")
      }
      if let difference = difference(path, wanted, got, manner(path)) { return difference }
    }
    if let path = expected.absentPaths.first(where: bench.exists) {
      return .disagrees(expected: "\(path) does not exist", got: "it exists")
    }
    guard let line = expected.postcheck else { return nil }
    let check = try bench.shell(line)
    return check.status == 0 ? nil : .disagrees(expected: "the case's own check passes", got: check.standardError)
  }

  /// Whether the program failed and kept no file, where curl keeps a partial one.
  private func keptNoFile(at path: String) -> Bool {
    guard case .bodies = program.dialect else { return false }
    return run.status != 0 && !bench.exists(path)
  }

  /// Returns the bytes of a file, or of one of the program's two streams, which cases address as files too.
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
