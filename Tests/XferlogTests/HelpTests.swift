import LogTestSupport
import Testing

/// The help of `xferlog` and its subcommands.
@Suite struct HelpTests {
  /// Returns the commands below a command, read from the lists of subcommands in the help.
  private static func commands(below parent: [String] = []) throws -> [[String]] {
    let help = try ToolRun.xferlog(parent + ["--help"]).text.split(separator: "\n", omittingEmptySubsequences: false)
    let section = help.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
    // Abstracts that do not fit their line continue further to the right.
    let names = section.filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    return try names.flatMap { name in [parent + [name]] + (try commands(below: parent + [name])) }
  }

  @Test func `The help of every command has an example of the command`() throws {
    let commands = try Self.commands()
    #expect(commands.count > 15)
    for command in commands {
      let help = try ToolRun.xferlog(command + ["--help"]).text
      let examples = help.split(separator: "\n").drop { !$0.hasPrefix("Example") }.prefix { !$0.hasPrefix("USAGE") }
      #expect(examples.contains { $0.contains("xferlog \(command.joined(separator: " "))") }, "\(help)")
    }
  }

  @Test func `The top-level help says where to begin`() throws {
    let help = try ToolRun.xferlog("--help").text
    for command in ["xferlog replay LOG", "xferlog why TASK LOG", "xferlog show LOG", "xferlog tail -f LOG", "xfer get URL"] {
      #expect(help.contains(command), "\(help)")
    }
  }
}
