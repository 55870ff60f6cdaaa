/// The arguments with which a program runs a case, and their effect on its output.
struct CaseCommand {
  let arguments: [String]
  /// The file for received bytes when the case itself names none. `nil` for standard output.
  let outputPath: String?
  /// Whether the case's expected text contains response heads.
  let expectsHeads: Bool
  /// Files and streams that contain only response heads and are compared byte for byte.
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
    // With both `--include` and `-D -`, heads are printed twice.
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
