import CBenchmark
import Foundation
import XferEvents
import XferLogStore

/// The contenders of the emission benchmark that are written in Swift; `Tests/Benchmarks/emission` runs them.
///
/// `EmissionBenchmark CONTENDER MODE COUNT PATH [ACKNOWLEDGED]`. Contenders: `xferlog`, `xferlog-2` (two threads), `swift-log`.
/// Modes, the same as in `Peers/Contender.h`: `time` prints nanoseconds for each event of a thread, by the clock and by the
/// processors; `calls` prints what single calls took; `victim` emits until it is killed. `batches` is for comparing two builds.
@main
enum EmissionBenchmark {
  static func main() throws { try run(Array(CommandLine.arguments.dropFirst())) }

  // Apart from `main`, whose body belongs to the main actor.
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

  // Inlined, as the sinks' functions are, so that the compiler knows the sink and nothing but its cost is measured.
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
