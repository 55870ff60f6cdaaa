import ArgumentParser
import XferLogStore

/// The option that names the log to write to.
struct LogPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The log's directory, NAME.xlog; else $XFERLOG_DIR, else log.xlog in the state directory.", valueName: "dir"))
  var log: String?

  func directory(_ environment: [String: String]) -> String { log ?? LogDirectory.standard(environment: environment) }
}
