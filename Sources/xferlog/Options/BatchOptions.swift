import ArgumentParser
import XferEvents
import XferReading

/// Options for the replay of many logs, which engines that distribute work use.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Replay many logs, each alone: read one path per line from this file (- for standard input), and print the verdicts as NDJSON.",
      valueName: "file"), completion: .file())
  var pathsFrom: String?

  @Flag(
    help: """
      Replay the events of many logs: read lines of `xferlog export --format ndjson` from standard input, in any order, and print the verdicts \
      as NDJSON. The members app, device and session of a line name its log.
      """)
  var stdin = false

  @Option(
    help: ArgumentHelp("Memory for the events of --stdin (64MiB, 1GiB); more events go to files in $TMPDIR.", valueName: "size"))
  var memory: StatementMemory?

  @Flag(help: "Assume that --stdin has the lines of each log together, and print each verdict when the next log begins.")
  var grouped = false

  @Option(
    help: ArgumentHelp("Continue the logs that an earlier batch of --stdin left open.", valueName: "file"), completion: .file())
  var stateIn: String?

  @Option(
    help: ArgumentHelp(
      "Leave the logs of --stdin open for the next batch, and write their events to this file instead of judging them.",
      valueName: "file"), completion: .file())
  var stateOut: String?

  @Option(
    help: ArgumentHelp(
      "With --state-out, judge the logs whose last event is older than this time (formats as for --since).", valueName: "time"))
  var closeBefore: String?

  @Flag(help: "With --state-out, also print verdicts about open logs with new events, marked \"final\":false.")
  var interim = false

  /// Whether many logs are replayed.
  var isGiven: Bool { pathsFrom != nil || stdin }

  private static let standardMemory: Int64 = 512 << 20

  /// The maximum size in bytes of the events in memory: half of the memory, because the other half is for judging them.
  var groupLimit: Int {
    guard let memory else { return Int(clamping: Self.standardMemory / 2) }
    return memory.bytes.map { Int(clamping: $0 / 2) } ?? .max
  }

  func validateTogether() throws {
    if stdin, pathsFrom != nil { throw CommandExit(.wrongUsage, "give either --stdin or --paths-from, not both") }
    let ofStdin: [(name: String, isGiven: Bool)] = [
      ("--memory", memory != nil), ("--grouped", grouped), ("--state-in", stateIn != nil), ("--state-out", stateOut != nil),
      ("--close-before", closeBefore != nil), ("--interim", interim),
    ]
    if !stdin, let option = ofStdin.first(where: \.isGiven) {
      throw CommandExit(.wrongUsage, "\(option.name) works only with --stdin")
    }
    if stateOut == nil, closeBefore != nil || interim {
      throw CommandExit(.wrongUsage, "\(interim ? "--interim" : "--close-before") works only with --state-out")
    }
    if grouped, stateIn != nil || stateOut != nil {
      throw CommandExit(
        .wrongUsage, "--grouped does not work with --state-in and --state-out, which need the events in any order")
    }
    if let bytes = memory?.bytes, bytes < 1 << 20 {
      throw CommandExit(.wrongUsage, "--memory \(memory?.text ?? "") is too little; give at least 1MiB")
    }
  }

  /// The time before which logs are closed; `nil` without `--close-before`.
  func closingTime(_ surroundings: Surroundings) throws -> WallTime? {
    guard let closeBefore else { return nil }
    do {
      return try TimeExpression(now: surroundings.now(), zone: surroundings.localZone).time(closeBefore)
    } catch {
      throw CommandExit(.wrongUsage, "--close-before: \(error)")
    }
  }
}
