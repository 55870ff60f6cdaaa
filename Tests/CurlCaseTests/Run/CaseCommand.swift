/// What a program is run with for a case, and what that means for its output.
struct CaseCommand {
  let arguments: [String]
  /// Where the received bytes go that are not the case's to place; `nil` for standard output.
  let outputPath: String?
  /// Whether the case's text has the heads of responses between the bodies.
  let expectsHeads: Bool
  /// Files and streams that are heads and nothing else, so that every byte counts.
  let headPaths: Set<String>
  let cookieJars: Set<String>

  init(_ curlCase: CurlCase, for program: CaseProgram) {
    let client = curlCase.client
    outputPath =
      client.manner.contains("no-output")
        || curlCase.expected.standardOutput != nil && !client.manner.contains("force-output")
      ? nil : "\(CaseBench.logDirectory)/curl\(curlCase.number).out"
    let includes = !client.manner.contains("no-include")
    expectsHeads = includes || client.command.contains(where: Self.showsHeads)
    let headPaths = Set(Self.values(of: ["-D", "--dump-header"], in: client.command))
    // With both, heads come out twice.
    self.headPaths = includes ? headPaths.subtracting(["-"]) : headPaths
    cookieJars = Set(Self.values(of: ["-c", "--cookie-jar"], in: client.command))
    let output = outputPath.map { ["--output", $0] } ?? []
    switch program.dialect {
    case .curl:
      arguments = (client.manner.contains("no-q") ? [] : ["-q"]) + output + (includes ? ["--include"] : []) + client.command
    case .bodies(let subcommand): arguments = (subcommand.map { [$0] } ?? []) + output + client.command
    }
  }

  private static func showsHeads(_ word: String) -> Bool {
    ["--include", "--show-headers", "--head"].contains(word) || word.wholeMatch(of: /-[a-zA-Z]*[iI][a-zA-Z]*/) != nil
  }

  private static func values(of names: [String], in command: [String]) -> [String] {
    zip(command, command.dropFirst()).compactMap { names.contains($0) ? $1 : nil }
  }
}
