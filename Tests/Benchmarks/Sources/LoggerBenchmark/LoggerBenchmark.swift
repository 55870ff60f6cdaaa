import CBenchmark
import Foundation
import XferEvents
import XferLogStore

/// A benchmark of disabled log messages, enabled messages, messages kept by the flight recorder, and events that are synced to disk.
///
/// Usage: `LoggerBenchmark DIRECTORY`. Prints the minimum and the median of eleven rounds, in nanoseconds per call, including
/// the loop.
@main
enum LoggerBenchmark {
  static func main() throws { try measure(in: CommandLine.arguments[1]) }

  // A separate function, because the body of `main` is isolated to the main actor.
  private static func measure(in directory: String) throws {
    func open(_ name: String, _ change: (inout LogConfiguration) -> Void = { _ in }) throws -> EventLog {
      var configuration = LogConfiguration(role: .tool, privacy: PrivacyPolicy(key: (1, 2)), maintains: false)
      change(&configuration)
      return try EventLog(directory: "\(directory)/\(name).xlog", configuration: configuration)
    }
    let quiet = try open("quiet")
    let verbose = try open("verbose") { $0.lowestLevel = .debug }
    let recording = try open("recording") { $0.flightRecorder = FlightRecorder() }
    let synchronised = try open("synchronised") { $0.durability = .always }
    let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "default-1", number: 1)
    let off = EventLogger(subsystem: "org.example.app", category: "sync", log: quiet)
    let on = EventLogger(subsystem: "org.example.app", category: "sync", log: verbose)
    let signposter = EventSignposter(subsystem: "org.example.app", category: "sync", log: quiet)

    print("nanoseconds per call                           minimum       median")
    report("logger.debug(\"… \\(x)\"), off", 20_000_000) { off.debug("received \($0) bytes") }
    report("signposter.emitEvent(…), off", 20_000_000) { _ in signposter.emitEvent("read") }
    report("log.keeps(kind), off", 20_000_000) { _ in if quiet.keeps(.messageDebug) { abort() } }
    report("logger.debug(\"… \\(x)\"), on", 1_000_000) { on.debug("received \($0) bytes") }
    let recorded = EventLogger(subsystem: "org.example.app", category: "sync", log: recording).with(task: task)
    report("logger.debug(\"… \\(x)\"), to the recorder", 1_000_000) { recorded.debug("received \($0) bytes") }
    report("log.emit(event), not synced", 1_000_000) {
      quiet.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64($0), expected: 1 << 20))
    }
    report("log.emit(event), always synced", 200) {
      synchronised.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64($0), expected: 1 << 20))
    }
    for log in [quiet, verbose, recording, synchronised] { log.close() }
  }

  @inline(__always)
  private static func report(_ name: String, _ count: Int, _ call: (Int) -> Void) {
    let rounds = (0..<11).map { _ in
      let start = bm_nanoseconds()
      for step in 0..<count { call(step) }
      return Double(bm_nanoseconds() - start) / Double(count)
    }.sorted()
    let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print(padded, String(format: "%10.2f   %10.2f", rounds[0], rounds[rounds.count / 2]))
  }
}
