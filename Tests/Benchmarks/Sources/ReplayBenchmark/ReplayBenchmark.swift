import Foundation

/// Writes and reads the logs of the benchmarks.
///
///     ReplayBenchmark --write LOG TASKS few|many [LOST [SESSIONS]]   write a log of 48 events per task
///     ReplayBenchmark --seal LOG                                     seal the log's segments
///     ReplayBenchmark --read LOG                                     read the log, and print its events and the seconds
///     ReplayBenchmark --table LOG FILE                               write the log's events as CSV
///
/// LOST is the number of tasks among a thousand whose completion is lost, 1 by default. SESSIONS is the number of sessions, 2 by default.
@main
enum ReplayBenchmark {
  static func main() throws { try run(Array(CommandLine.arguments.dropFirst())) }

  // A separate function, because the body of `main` is isolated to the main actor.
  private static func run(_ arguments: [String]) throws {
    switch (arguments.first, arguments.count) {
    case ("--write", 4...6):
      let numbers = arguments.dropFirst(4).compactMap { Int($0) }
      guard let tasks = Int(arguments[2]), numbers.count == arguments.count - 4 else { usage() }
      let log = BenchmarkLog(path: arguments[1])
      try log.write(
        tasks, inManySegments: arguments[3] == "many", lost: numbers.first ?? 1, sessions: numbers.count > 1 ? numbers[1] : 2)
    case ("--seal", 2): try BenchmarkLog(path: arguments[1]).seal()
    case ("--read", 2):
      let reading = BenchmarkLog(path: arguments[1]).read()
      print(reading.events, reading.seconds)
    case ("--table", 3): try BenchmarkLog(path: arguments[1]).writeTable(to: arguments[2])
    default: usage()
    }
  }

  private static func usage() -> Never {
    print("usage: ReplayBenchmark --write LOG TASKS few|many [LOST [SESSIONS]] | --seal LOG | --read LOG | --table LOG FILE")
    exit(2)
  }
}
