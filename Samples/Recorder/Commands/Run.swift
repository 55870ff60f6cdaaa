import ArgumentParser
import Foundation
import XferLogStore

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run samples one after the other into one log, as a program under test does.",
    discussion: "The log is $XFERLOG_DIR, as for every writer. Each sample is announced by the rule that is to find its fault.")

  @Argument(help: "Samples to run; those of the demo when none is named.")
  var names: [String] = []

  @Option(help: "The log directory.")
  var log: String?

  @Flag(help: "Slowly enough to be watched.")
  var slowly = false

  func run() throws {
    let samples = names.isEmpty ? SampleCatalogue.shown : try SampleCatalogue.named(names)
    let log = log ?? LogDirectory.standard(environment: ProcessInfo.processInfo.environment)
    let pace: SampleRun.Pace = slowly ? .watchable : .full
    for sample in samples {
      print("\(sample.rule ?? "-") \(sample.fault)")
      // Whoever reads this through a pipe reads it while the log is written.
      fflush(nil)
      try Waiting.forResult { try await SampleRun(sample: sample, log: log, pace: pace).record() }
    }
  }
}
