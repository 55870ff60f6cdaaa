import ArgumentParser
import Foundation

/// A command that writes the manual pages of the programs from their help.
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the manual pages of xferlog, xfer and xferd, which must be built.",
    discussion: "Example: xferlog-dev manual --to /usr/local/share/man/man1")

  @Option(help: "The directory of the pages, which is created if it is missing.")
  var to: String

  @Option(help: "The directory of the programs (default: that of xferlog-dev).")
  var programs: String?

  func run() throws {
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
    let directory = programs ?? own
    try FileManager.default.createDirectory(atPath: to, withIntermediateDirectories: true)
    for name in ["xferlog", "xfer", "xferd"] {
      let program = "\(directory)/\(name)"
      guard FileManager.default.isExecutableFile(atPath: program) else {
        throw ValidationError("\(program) is missing; build it first, or name the directory of the programs with --programs")
      }
      let version = try text(program, ["--version"]).trimmingCharacters(in: .whitespacesAndNewlines)
      try write(ToolDescription(program: program).command, [name], program, version)
    }
  }

  private func write(_ command: ToolDescription.Command, _ path: [String], _ program: String, _ version: String) throws {
    let help = try text(program, Array(path.dropFirst()) + ["--help"])
    let page = ManualPage(path: path, command: command, usage: Self.usage(help), help: help, version: version)
    try page.text.write(toFile: "\(to)/\(page.fileName)", atomically: true, encoding: .utf8)
    for child in command.children { try write(child, path + [child.commandName], program, version) }
  }

  private func text(_ program: String, _ arguments: [String]) throws -> String {
    String(decoding: try ToolDescription.output(of: program, arguments), as: UTF8.self)
  }

  /// Returns the lines of a help after `USAGE:`.
  private static func usage(_ help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return [] }
    return lines[start...].prefix { !$0.isEmpty }.map { String($0.dropFirst(7)) }
  }
}
