import Foundation
import XferEvents
import XferLogStore

/// A benchmark of `xferlog replay` on a log with many downloads, with one and two processors and with few and many segments. The
/// baseline is reading the same log without replay.
///
///     ReplayBenchmark XFERLOG [TASKS]               run all measurements with the built `xferlog`
///     ReplayBenchmark --write LOG TASKS few|many    only write the log
///     ReplayBenchmark --seal LOG                    only seal the log's segments
///     ReplayBenchmark --table LOG FILE              write the log's events as CSV
@main
enum ReplayBenchmark {
  static func main() throws { try run(Array(CommandLine.arguments.dropFirst())) }

  // A separate function, because the body of `main` is isolated to the main actor.
  private static func run(_ arguments: [String]) throws {
    switch arguments.first {
    case "--write" where arguments.count == 4:
      try BenchmarkLog(path: arguments[1]).write(Int(arguments[2])!, inManySegments: arguments[3] == "many")
    case "--seal" where arguments.count == 2: try BenchmarkLog(path: arguments[1]).seal()
    case "--table" where arguments.count == 3: try BenchmarkLog(path: arguments[1]).writeTable(to: arguments[2])
    case .some(let program) where arguments.count <= 2 && !program.hasPrefix("-"):
      try compare(program, tasks: arguments.count == 2 ? Int(arguments[1])! : 105_000)
    default:
      print("usage: ReplayBenchmark XFERLOG [TASKS]")
      exit(2)
    }
  }

  private static func compare(_ program: String, tasks: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-replay-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var few: Double?
    for segments in ["few", "many"] {
      let log = BenchmarkLog(path: "\(folder)/\(segments).xlog")
      // Write in another process, so that the writers are dead and their segments can be sealed and read ahead.
      try ProgramRun.own(["--write", log.path, String(tasks), segments])
      if segments == "few" { try measure(program, log, form: "as written", few: nil) }
      try ProgramRun.own(["--seal", log.path])
      few = try measure(program, log, form: "sealed", few: few)
      try log.remove()
    }
  }

  /// - Parameter few: The time with one processor for the same events in few segments.
  /// - Returns: The time with one processor.
  @discardableResult
  private static func measure(_ program: String, _ log: BenchmarkLog, form: String, few: Double?) throws -> Double {
    let reading = (0..<3).map { _ in log.read() }.sorted { $0.seconds < $1.seconds }[1]
    let events = Double(reading.events)
    print("\(form), \(log.segments) segments: \(reading.events) events, \(rounded(Double(log.bytes) / events)) bytes per event")
    print("  read  \(rounded(reading.seconds * 1e9 / events)) ns per event")
    var one = 0.0
    for arguments in [["replay", "--fail-on", "never"], ["replay", "--fail-on", "never", "-o", "json"]] {
      let name = arguments.joined(separator: " ")
      // Alternate between the configurations, so that changes of the machine's speed affect both equally.
      var runs: [Int: [ProgramRun]] = [1: [], 2: []]
      for turn in 0..<10 {
        let cores = turn % 2 + 1
        runs[cores]!.append(try ProgramRun([program] + arguments + [log.path], cores: cores))
      }
      let middle = runs.mapValues { $0.sorted { $0.seconds < $1.seconds }[2] }
      for cores in [1, 2] {
        let run = middle[cores]!
        let comparison =
          cores == 1
          ? "\(rounded(run.seconds / reading.seconds)) × the time of reading"
          : "\(rounded(middle[1]!.seconds / run.seconds)) × as fast as with one"
        print(
          "  \(name), \(cores) processors: \(rounded(run.seconds * 1e9 / events)) ns per event, "
            + "\(rounded(events / run.seconds / 1e6)) M events/s, \(comparison), peak \(run.peakKilobytes / 1024) MiB")
      }
      if one == 0 { one = middle[1]!.seconds }
    }
    if let few { print("  one processor: \(rounded(one / few)) × the time with few segments") }
    return one
  }

  private static func rounded(_ value: Double) -> String { String(format: "%.2f", value) }
}
