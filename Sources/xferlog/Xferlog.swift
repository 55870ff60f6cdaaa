import ArgumentParser
import CXferPlatform
import XferLogStore
import XferReading

@main
enum Xferlog {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    Interruption.prepare()
    // Reading a log opens many files, because it has at least one file for each process life that wrote to it.
    xp_raise_descriptor_limit()
    Execution.end(Execution.run(arguments))
  }
}

struct XferlogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xferlog",
    abstract: "Read logs of background transfers and report what went wrong.",
    usage: "xferlog <subcommand> [<log> ...]\nxferlog [<log> ...]",
    discussion: """
      Commands to start with:

        xferlog replay LOG       Report lost completions and other faults.
        xferlog why TASK LOG     Explain why one task waits or how it ended.
        xferlog show LOG         Print the events (short form: xferlog LOG).
        xferlog query QUERY LOG  Select events and compute figures.
        xferlog tail -f LOG      Follow a log while programs write it.

      `xferlog tutorial` shows them on sample logs. To try them, record a log with `xfer get URL`, then check it with \
      `xferlog replay`.

      LOG is a .xlog directory, a segment file, a directory of logs, a glob, or - for a segment on standard input. The default \
      is $XFERLOG_DIR, or log.xlog in $XDG_STATE_HOME/xferlog or ~/.local/state/xferlog.

      Exit codes: 0 no findings, 1 findings, 2 wrong usage or unusable input, 3 nothing analysed, 4 incomplete input (with \
      --strict or --recovery strict), 5 timed out.
      """,
    version: LogConfiguration.libraryVersion,
    subcommands: [
      Show.self, Tail.self, ReplayCommand.self, Why.self, QueryCommand.self, Stats.self, Metrics.self, Diff.self, Index.self,
      SQL.self, Report.self, Serve.self, Collect.self, Verify.self, Salvage.self, Import.self, Export.self, Fleet.self,
      Rules.self,
      Baseline.self,
      Emit.self, Config.self, Schema.self, CollectHelp.self, Tutorial.self,
    ],
    defaultSubcommand: Show.self)
}
