import Foundation
import Logging
import Synchronization
import XferEvents
import XferLogStore

/// Emission of the benchmark mix, beside `write(2)` for each event and swift-log into a file, in one run.
///
/// `EmissionBenchmark [COUNT] [PART]`: how many events, and which lines only.
@main
enum EmissionBenchmark {
  static func main() throws { try compare() }

  // Apart from `main`, whose body belongs to the main actor.
  private static func compare() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.first.flatMap { Int($0) } ?? 12_000_000
    let part = arguments.dropFirst().first ?? ""
    let rounds = 5
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-emission-\(getpid())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }

    var results: [(name: String, nanoseconds: [Double])] = []
    func measure(_ name: String, _ count: Int, _ body: (_ round: Int) throws -> Double) rethrows {
      guard name.hasPrefix(part) else { return }
      results.append((name, try (0..<rounds).map { try body($0) / Double(count) }))
    }
    try measure("xferlog, 1 thread", count) { round in
      try emission(count, threads: 1, log: directory.appendingPathComponent("one\(round).xlog").path)
    }
    // As many events in all, so that both runs touch as much memory: what was not touched for long costs several times
    // as much where the machine is a guest.
    try measure("xferlog, 2 threads, for each thread", count / 2) { round in
      try emission(count / 2, threads: 2, log: directory.appendingPathComponent("two\(round).xlog").path)
    }
    measure("write(2) for each event", count / 10) { round in
      writing(count / 10, path: directory.appendingPathComponent("write\(round)").path)
    }
    try measure("swift-log to a file, 5 metadata", count / 100) { round in
      try swiftLog(count / 100, path: directory.appendingPathComponent("swift-log\(round)").path)
    }

    let reference = median(results[0].nanoseconds)
    print("\(count) events of the mix, \(rounds) rounds; nanoseconds an event, page faults and rotations included")
    for (name, values) in results {
      let middle = median(values)
      let range = "\(rounded(values.min()!))–\(rounded(values.max()!))"
      print(
        "\(name.padding(toLength: 38, withPad: " ", startingAt: 0)) median \(rounded(middle))  range \(range)  "
          + "× \(String(format: "%.2f", middle / reference))")
    }
  }

  private static func emission(_ count: Int, threads: Int, log path: String) throws -> Double {
    let configuration = LogConfiguration(role: .engine, privacy: PrivacyPolicy(key: (1, 2)))
    let log = try EventLog(directory: path, configuration: configuration)
    let mix = BenchmarkMix()
    let elapsed = inParallel(threads) { mix.emit(count, to: log) }
    log.close()
    try FileManager.default.removeItem(atPath: path)
    return elapsed
  }

  /// One 48-byte record, the mix's mean, with one system call each.
  private static func writing(_ count: Int, path: String) -> Double {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    return inParallel(1) {
      var record = [UInt8](repeating: 7, count: 48)
      for step in 0..<count {
        record[0] = UInt8(truncatingIfNeeded: step)
        _ = write(descriptor, &record, record.count)
      }
    }
  }

  private static func swiftLog(_ count: Int, path: String) throws -> Double {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let stream = FileStream(try FileHandle(forWritingTo: URL(fileURLWithPath: path)))
    let logger = Logger(label: "benchmark") { StreamLogHandler(label: $0, stream: stream) }
    return inParallel(1) {
      for step in 0..<count {
        logger.notice(
          "bytes received",
          metadata: [
            "task": "\(step & 15)", "session": "default-1", "attempt": "1", "received": "\(step)", "expected": "1048576",
          ])
      }
    }
  }

  /// Nanoseconds until all threads have run the body.
  private static func inParallel(_ threads: Int, _ body: @Sendable () -> Void) -> Double {
    let start = ContinuousClock.now
    if threads == 1 {
      body()
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in body() }
    }
    let elapsed = ContinuousClock.now - start
    return Double(elapsed.components.seconds) * 1e9 + Double(elapsed.components.attoseconds) / 1e9
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
  private static func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// A file as the stream that swift-log's own handler writes to.
private struct FileStream: TextOutputStream, Sendable {
  private let handle: FileHandle
  init(_ handle: FileHandle) { self.handle = handle }
  mutating func write(_ text: String) { handle.write(Data(text.utf8)) }
}
