import ArgumentParser
import Foundation
import XferLogStore

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run samples one after another into one log, like a program under test.",
    discussion:
      "The default log is $XFERLOG_DIR. Before each sample, prints the rule that reports its fault. Example: sample-recorder run")

  @Argument(help: "Samples to run (default: those of the demo).")
  var names: [String] = []

  @Option(help: "The log directory.")
  var log: String?

  @Flag(help: "Run slowly enough to follow the log.")
  var slowly = false

  func run() throws {
    let samples = names.isEmpty ? SampleCatalogue.shown : try SampleCatalogue.named(names)
    let log = log ?? LogDirectory.standard(environment: ProcessInfo.processInfo.environment)
    let pace: SampleRun.Pace = slowly ? .watchable : .full
    for sample in samples {
      print("\(sample.rule ?? "-") \(sample.fault)")
      // Flush, because a reader of the pipe follows the log while it is written.
      fflush(nil)
      try Waiting.forResult { try await SampleRun(sample: sample, log: log, pace: pace).record() }
    }
  }
}
