import Foundation
import XferEvents
import XferLogStore

/// `xferlog replay` of a log with many downloads, beside reading the same log without a look at it, in one run.
///
/// `ReplayBenchmark XFERLOG [TASKS]`: the built `xferlog`, and how many tasks.
@main
enum ReplayBenchmark {
  static func main() throws { try compare() }

  // Apart from `main`, whose body belongs to the main actor.
  private static func compare() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: ReplayBenchmark XFERLOG [TASKS]")
      exit(2)
    }
    let tasks = arguments.count > 2 ? Int(arguments[2])! : 105_000
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("xferlog-replay-\(getpid()).xlog").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(tasks, to: path)
    try measure(path, tasks, form: "as written")
    try seal(path)
    try measure(path, tasks, form: "sealed")
  }

  private static func measure(_ path: String, _ tasks: Int, form: String) throws {
    let reading = (0..<3).map { _ in read(path) }
    let events = reading[0].events
    let walking = reading.map(\.seconds).sorted()[1]
    print("\(form): \(events) events, \(tasks) tasks, \(LogBytes.of(path) / events) bytes an event")
    print("read        \(rounded(walking * 1e9 / Double(events))) ns an event")
    for arguments in [["replay", "--fail-on", "never"], ["replay", "--fail-on", "never", "-o", "json"]] {
      let runs = try (0..<3).map { _ in try run(CommandLine.arguments[1], arguments + [path]) }.sorted { $0.seconds < $1.seconds }
      let middle = runs[1]
      print(
        "\(arguments.joined(separator: " "))  \(rounded(middle.seconds * 1e9 / Double(events))) ns an event, "
          + "\(rounded(Double(events) / middle.seconds / 1e6)) M events/s, × \(rounded(middle.seconds / walking)) of reading, "
          + "\(middle.peakKilobytes / 1024) MiB at most")
    }
  }

  private static func configuration() -> LogConfiguration {
    LogConfiguration(role: .app, privacy: PrivacyPolicy(key: (1, 2)), startReason: .user, maintains: false)
  }

  /// As the next to open the log does.
  private static func seal(_ path: String) throws {
    let log = try EventLog(directory: path, configuration: configuration())
    log.maintain()
    log.close()
  }

  /// Two threads, each with eight tasks at a time: their lanes have to be merged event by event.
  private static func write(_ tasks: Int, to path: String) throws {
    let log = try EventLog(directory: path, configuration: configuration())
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      var open: [TaskHistory] = []
      var next = 0
      while next < tasks / 2 || !open.isEmpty {
        while open.count < 8, next < tasks / 2 {
          next += 1
          open.append(TaskHistory(session: "session-\(thread)", number: next))
        }
        for place in open.indices { open[place].advance(log) }
        open.removeAll(where: \.isOver)
      }
    }
    log.close()
  }

  private static func read(_ path: String) -> (events: Int, seconds: Double) {
    let start = ContinuousClock.now
    let reader = LogReader([.directory(path)])
    var events = 0
    while let member = reader.next() { if case .event = member { events += 1 } }
    return (events, (ContinuousClock.now - start) / .seconds(1))
  }

  /// - Returns: processor time and the largest resident size of the run.
  private static func run(_ program: String, _ arguments: [String]) throws -> (seconds: Double, peakKilobytes: Int) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    var before = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &before)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { fatalError("\(program) \(arguments) ended with \(process.terminationStatus)") }
    var after = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &after)
    func seconds(_ usage: rusage) -> Double {
      Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
    return (seconds(after) - seconds(before), Int(after.ru_maxrss))
  }

  private static func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
}

private enum LogBytes {
  static func of(_ path: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { $0 + ((try? FileManager.default.attributesOfItem(atPath: "\(path)/\($1)")[.size] as? Int) ?? 0) }
  }
}
