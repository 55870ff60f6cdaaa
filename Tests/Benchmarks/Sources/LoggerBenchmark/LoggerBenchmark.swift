import CBenchmark
import Foundation
import XferEvents
import XferLogStore

/// What diagnostics cost whose level is off, and what a message costs whose level is on.
///
/// `LoggerBenchmark DIRECTORY` prints nanoseconds for each call, the least and the median of eleven rounds, the loop included.
@main
enum LoggerBenchmark {
  static func main() throws { try measure(in: CommandLine.arguments[1]) }

  // Apart from `main`, whose body belongs to the main actor.
  private static func measure(in directory: String) throws {
    func open(_ name: String, _ level: Level) throws -> EventLog {
      let configuration = LogConfiguration(role: .tool, privacy: PrivacyPolicy(key: (1, 2)), lowestLevel: level, maintains: false)
      return try EventLog(directory: "\(directory)/\(name).xlog", configuration: configuration)
    }
    let quiet = try open("quiet", .default)
    let verbose = try open("verbose", .debug)
    let off = EventLogger(subsystem: "org.example.app", category: "sync", log: quiet)
    let on = EventLogger(subsystem: "org.example.app", category: "sync", log: verbose)
    let signposter = EventSignposter(subsystem: "org.example.app", category: "sync", log: quiet)

    print("nanoseconds a call                           least   median")
    report("logger.debug(\"… \\(x)\"), off", 20_000_000) { off.debug("received \($0) bytes") }
    report("signposter.emitEvent(…), off", 20_000_000) { _ in signposter.emitEvent("read") }
    report("log.keeps(kind), off", 20_000_000) { _ in if quiet.keeps(.messageDebug) { abort() } }
    report("logger.debug(\"… \\(x)\"), on", 1_000_000) { on.debug("received \($0) bytes") }
    quiet.close()
    verbose.close()
  }

  @inline(__always)
  private static func report(_ name: String, _ count: Int, _ call: (Int) -> Void) {
    let rounds = (0..<11).map { _ in
      let start = bm_nanoseconds()
      for step in 0..<count { call(step) }
      return Double(bm_nanoseconds() - start) / Double(count)
    }.sorted()
    let padded = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print(padded, String(format: "%6.2f   %6.2f", rounds[0], rounds[rounds.count / 2]))
  }
}
