import CBenchmark
import Foundation
import XferEvents
import XferLogStore

/// The Swift contenders of the emission benchmark, which are run by `Tests/Benchmarks/emission`.
///
/// Usage: `EmissionBenchmark CONTENDER MODE COUNT PATH [ACKNOWLEDGED]`. Contenders: `xferlog`, `xferlog-2` (two threads) and
/// `swift-log`. Modes, as in `Peers/Contender.h`: `time` prints nanoseconds per event of a thread, in wall-clock and processor
/// time; `calls` prints percentiles of single calls; `victim` emits until the process is killed. `batches` compares two builds.
@main
enum EmissionBenchmark {
  static func main() throws { try run(Array(CommandLine.arguments.dropFirst())) }

  // A separate function, because the body of `main` is isolated to the main actor.
  private static func run(_ arguments: [String]) throws {
    guard arguments.count >= 4, let count = Int(arguments[2]) else { exit(2) }
    let path = arguments[3]
    let acknowledged = arguments.count > 4 ? arguments[4] : ""
    switch arguments[0] {
    case "xferlog", "xferlog-2":
      let configuration = LogConfiguration(role: .engine, privacy: PrivacyPolicy(key: (1, 2)), maintains: false)
      let log = try EventLog(directory: path, configuration: configuration)
      let threads = arguments[0] == "xferlog" ? 1 : 2
      measure(BenchmarkMix(log: log), mode: arguments[1], count, threads: threads, acknowledged)
      log.close()
    case "swift-log":
      measure(try SwiftLogMix(path: path), mode: arguments[1], count, threads: 1, acknowledged)
    default: exit(2)
    }
  }

  // Inlined like the functions of the sinks, so that the compiler specialises the code and only the sink is measured.
  @inline(__always)
  private static func measure(
    _ sink: some MixSink & Sendable, mode: String, _ count: Int, threads: Int, _ acknowledged: String
  ) {
    switch mode {
    case "time":
      let start = bm_begin()
      if threads == 1 {
        sink.emit(count)
      } else {
        DispatchQueue.concurrentPerform(iterations: threads) { _ in sink.emit(count / threads) }
      }
      bm_print(start, UInt64(count / threads))
    case "batches": sink.emitBatches(count)
    case "calls": sink.emitTimed(count)
    case "victim": sink.emitAcknowledged(count, in: acknowledged)
    default: exit(2)
    }
  }
}
