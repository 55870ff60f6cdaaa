import ArgumentParser
import Foundation

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Record samples, each into DIR/NAME/log.xlog.")

  @Argument(help: "Samples to record (default: all stored samples).")
  var names: [String] = []

  @Option(help: "Directory of the samples' folders.")
  var to = "Samples"

  func run() throws {
    let samples = names.isEmpty ? SampleCatalogue.samples : try SampleCatalogue.named(names)
    for sample in samples {
      let folder = "\(to)/\(sample.name)"
      let log = "\(folder)/log.xlog"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if FileManager.default.fileExists(atPath: log) { try FileManager.default.removeItem(atPath: log) }
      try Waiting.forResult { try await SampleRun(sample: sample, log: log, pace: .full).record() }
      print("recorded \(log)")
    }
  }
}

/// Runs asynchronous work from a synchronous command, which is synchronous to leave the main thread to the app.
enum Waiting {
  static func forResult(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let failure = Failure()
    Task.detached {
      do { try await work() } catch { failure.error = error }
      done.signal()
    }
    done.wait()
    if let error = failure.error { throw error }
  }

  // The value is written before the signal and read after the wait.
  private final class Failure: @unchecked Sendable { var error: (any Error)? }
}
