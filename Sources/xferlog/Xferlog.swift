import ArgumentParser
import CXferPlatform
import XferLogStore

@main
enum Xferlog {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    Interruption.prepare()
    // A log has at least one file for each process life that wrote to it.
    xp_raise_descriptor_limit()
    Execution.end(Execution.run(arguments))
  }
}

struct XferlogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferlog",
    abstract: "Reads flight recordings of background transfers.",
    usage: "xferlog [<log> ...]\nxferlog <subcommand>",
    discussion: """
      LOG is a .xlog directory, a segment, a directory of logs, a glob, or - for a segment on standard input. Without one it \
      is $XFERLOG_DIR, else log.xlog in the state directory. `xferlog LOG` is `xferlog show LOG`.
      """,
    version: LogConfiguration.libraryVersion,
    subcommands: [
      Show.self, Tail.self, ReplayCommand.self, Why.self, Stats.self, Index.self, SQL.self, Verify.self, Salvage.self, Rules.self,
      Emit.self, Config.self, Schema.self,
    ],
    defaultSubcommand: Show.self)
}
