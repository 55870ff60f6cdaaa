import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferScript

/// Tests that kill `xfer get` at various events, and compare its log with the server's record and a memory-mapped counter file.
@Suite(.serialized) struct KillTests {
  /// The moments at which the command is killed: an event name, and the number of its occurrence.
  static let moments: [(event: String, count: Int)] = [
    ("task.created", 1), ("task.created", 5), ("task.resumed", 2), ("task.held", 1), ("task.holdEnded", 1),
    ("attempt.started", 2), ("attempt.connectionAcquired", 1), ("attempt.requestSent", 3), ("attempt.responseReceived", 2),
    ("attempt.bytesReceived", 1), ("attempt.bytesReceived", 4), ("attempt.ended", 1), ("task.transferred", 2),
    ("file.offered", 1), ("file.claimed", 2), ("delivery.entered", 3), ("delivery.left", 4), ("app.outcomeRecorded", 2),
    ("task.completed", 1), ("task.acknowledged", 3),
  ]

  /// Twelve files, two of which are slow at any time, so that a task is always open.
  private static let routes = (1...12).map { index in
    ServerScript.Route(
      "/f\(index)", ScriptedResponse(body: .generated(size: 40_000), pieces: .init(size: 10_000, delay: .milliseconds(2))))
  }

  @Test
  func `No recorded event is lost, and the replay marks what a kill leaves unknown`() async throws {
    var histogram: [String: Int] = [:]
    for moment in Self.moments {
      try await Bench.run(Self.routes) { bench in
        for (state, count) in try await Self.kill(at: moment, bench) { histogram[state, default: 0] += count }
      }
    }
    let text = histogram.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("task states at \(Self.moments.count) kills: \(text)")
    // The command never suspends a download, so this state does not occur.
    let states = ["created", "queued", "held", "running", "transferred", "delivered", "completed", "acknowledged"]
    #expect(states.filter { histogram[$0] == nil } == [], "every state occurred")
  }

  /// - Returns: The number of tasks in each state.
  private static func kill(at moment: (event: String, count: Int), _ bench: Bench) async throws -> [String: Int] {
    let place = "\(moment.event) \(moment.count)"
    let witness = try Witness(path: bench.path("witness"))
    let run = try bench.get(
      (1...12).map { bench.url("/f\($0)") } + ["--parallel-max", "2"],
      environment: ["XFERLOG_TEST_WITNESS": witness.path, "XFERLOG_TEST_KILL_AT": "\(moment.event):\(moment.count)"])
    #expect(run.status == 128 + SIGKILL, "\(place): \(run.standardError)")

    let log = KilledLog(bench.log)
    for (kind, count) in witness.counts {
      #expect(log.counts[kind, default: 0] >= count, "\(place): \(count) calls for \(kind.name) had returned")
    }
    #expect(log.tornRecords.values.allSatisfy { $0 <= 1 }, "\(place): at most one torn record in a lane")
    #expect(log.otherGaps == [], "\(place)")
    let served = bench.server.requests.count
    #expect(log.counts[.attemptStarted, default: 0] >= served, "\(place): the server knows \(served) requests")

    let alone = try bench.replay()
    #expect(alone.verdict == "incomplete", "\(place)")
    #expect(alone.findings.filter { $0.certainty != "possible" }.map(\.rule) == [], "\(place)")
    #expect(alone.outcomes["open", default: 0] > 0, "\(place): at least one task is open")
    #expect(alone.findings.contains { $0.rule == "log-gap" } == false, "\(place)")
    try checkOpenTaskNames(bench, alone, place)

    // The next command that opens the log detects that the writer has died.
    #expect(try bench.get("-s", "-o", "-", bench.url("/f1")).status == 0)
    let later = try bench.replay()
    let crash = later.findings.filter { $0.rule == "crash-mid-transfer" }
    let lost = later.tasks.filter { $0.outcome == "lost" }
    #expect(later.outcomes["open"] == nil && lost.count == alone.outcomes["open"], "\(place): \(later.outcomes)")
    // A task that was only created had not started to transfer, so its end is not an interruption.
    let interrupted = alone.tasks.filter { ["queued", "held", "running"].contains($0.state) }
    #expect(crash.map(\.certainty) == (interrupted.isEmpty ? [] : ["certain"]), "\(place): \(later.findings)")
    return alone.tasks.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }

  private static func checkOpenTaskNames(_ bench: Bench, _ replay: ReplayResult, _ place: String) throws {
    let text = try ToolRun("xferlog", ["replay", bench.log]).text
    let named = text.split(separator: "\n").first { $0.hasPrefix("open: ") } ?? ""
    let open = replay.tasks.filter { $0.outcome == "open" }
    for task in open.prefix(8) { #expect(named.contains("get/\(task.number) \(task.state)"), "\(place): \(named)") }
  }
}

/// The event counts written by the killed command.
struct Witness {
  let path: String

  init(path: String) throws {
    self.path = path
    try Data().write(to: URL(fileURLWithPath: path))
  }

  var counts: [(EventKind, Int)] {
    guard let bytes = FileManager.default.contents(atPath: path) else { return [] }
    return EventKind.allCases.compactMap { kind in
      let place = Int(kind.rawValue) * 8
      guard place + 8 <= bytes.count else { return nil }
      let count = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
      return count == 0 ? nil : (kind, Int(count))
    }
  }
}

/// The contents of a log, read record by record.
private struct KilledLog {
  var counts: [EventKind: Int] = [:]
  /// The number of torn records in each lane.
  var tornRecords: [UInt32: Int] = [:]
  var otherGaps: [String] = []

  init(_ path: String) {
    let reader = LogReader([.directory(path)])
    while let member = reader.next() {
      switch member {
      case .event(let event):
        if let kind = event.kind { counts[kind, default: 0] += 1 }
      case .gap(let gap) where gap.cause == .torn: tornRecords[gap.lane ?? .max, default: 0] += 1
      case .gap(let gap): otherGaps.append("\(gap)")
      }
    }
  }
}
