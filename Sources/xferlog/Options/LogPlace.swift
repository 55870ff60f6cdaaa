import ArgumentParser
import XferLogStore

/// The option that names the log to write to.
struct LogPlace: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The log's directory, NAME.xlog (default: the standard log, see xferlog --help).", valueName: "dir"), completion: .directory
  )
  var log: String?

  func directory(_ environment: [String: String]) -> String { log ?? LogDirectory.standard(environment: environment) }
}
