import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferScript

/// SIGKILL of `xfer get` at moments of every kind, with what the server and a mapped file know as the oracle.
@Suite(.serialized) struct KillTests {
  /// The event after which the command dies, and which of its name that is: through the whole life of a task.
  static let moments: [(event: String, count: Int)] = [
    ("task.created", 1), ("task.created", 5), ("task.resumed", 2), ("task.held", 1), ("task.holdEnded", 1),
    ("attempt.started", 2), ("attempt.connectionAcquired", 1), ("attempt.requestSent", 3), ("attempt.responseReceived", 2),
    ("attempt.bytesReceived", 1), ("attempt.bytesReceived", 4), ("attempt.ended", 1), ("task.transferred", 2),
    ("file.offered", 1), ("file.claimed", 2), ("delivery.entered", 3), ("delivery.left", 4), ("app.outcomeRecorded", 2),
    ("task.completed", 1), ("task.acknowledged", 3),
  ]

  /// Twelve files of which two are slow at a time, so that at every moment some task is open.
  private static let routes = (1...12).map { index in
    ServerScript.Route(
      "/f\(index)", ScriptedResponse(body: .generated(size: 40_000), pieces: .init(size: 10_000, delay: .milliseconds(2))))
  }

  @Test
  func `No event whose call returned is lost, and the replay knows what it cannot know`() async throws {
    var histogram: [String: Int] = [:]
    for moment in Self.moments {
      try await Bench.run(Self.routes) { bench in
        for (state, count) in try await Self.kill(at: moment, bench) { histogram[state, default: 0] += count }
      }
    }
    let text = histogram.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("task states at \(Self.moments.count) kills: \(text)")
    // A download of the command is never suspended.
    let states = ["created", "queued", "held", "running", "transferred", "delivered", "completed", "acknowledged"]
    #expect(states.filter { histogram[$0] == nil } == [], "every state was met")
  }

  /// - Returns: how many tasks were in which state.
  private static func kill(at moment: (event: String, count: Int), _ bench: Bench) async throws -> [String: Int] {
    let place = "\(moment.event) \(moment.count)"
    let witness = try Witness(path: bench.path("witness"))
    let run = try bench.get(
      (1...12).map { bench.url("/f\($0)") } + ["--parallel-max", "2"],
      environment: ["XFERLOG_TEST_WITNESS": witness.path, "XFERLOG_TEST_KILL_AT": "\(moment.event):\(moment.count)"])
    #expect(run.status == 128 + SIGKILL, "\(place): \(run.standardError)")

    let log = KilledLog(bench.log)
    for (kind, count) in witness.counts {
      #expect(log.counts[kind, default: 0] >= count, "\(place): \(count) events \(kind.name) had returned")
    }
    #expect(log.tornRecords.values.allSatisfy { $0 <= 1 }, "\(place): at most one torn record in a lane")
    #expect(log.otherGaps == [], "\(place)")
    let served = bench.server.requests.count
    #expect(log.counts[.attemptStarted, default: 0] >= served, "\(place): the server knows \(served) requests")

    let alone = try bench.replay()
    #expect(alone.verdict == "incomplete", "\(place)")
    #expect(alone.findings.filter { $0.certainty != "possible" }.map(\.rule) == [], "\(place)")
    #expect(alone.outcomes["open", default: 0] > 0, "\(place): a task is open")
    #expect(alone.findings.contains { $0.rule == "log-gap" } == false, "\(place)")
    try namesOpenTasks(bench, alone, place)

    // Whoever opens the log next sees that the writer is dead.
    #expect(try bench.get("-s", "-o", "-", bench.url("/f1")).status == 0)
    let later = try bench.replay()
    let crash = later.findings.filter { $0.rule == "crash-mid-transfer" }
    let lost = later.tasks.filter { $0.outcome == "lost" }
    #expect(later.outcomes["open"] == nil && lost.count == alone.outcomes["open"], "\(place): \(later.outcomes)")
    // What was only created had not begun.
    let interrupted = alone.tasks.filter { ["queued", "held", "running"].contains($0.state) }
    #expect(crash.map(\.certainty) == (interrupted.isEmpty ? [] : ["certain"]), "\(place): \(later.findings)")
    return alone.tasks.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }

  private static func namesOpenTasks(_ bench: Bench, _ replay: ReplayResult, _ place: String) throws {
    let text = try ToolRun("xferlog", ["replay", bench.log]).text
    let named = text.split(separator: "\n").first { $0.hasPrefix("open: ") } ?? ""
    let open = replay.tasks.filter { $0.outcome == "open" }
    for task in open.prefix(8) { #expect(named.contains("get/\(task.number) \(task.state)"), "\(place): \(named)") }
  }
}

/// What the killed command had counted, by event.
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

/// What a log has, read member by member.
private struct KilledLog {
  var counts: [EventKind: Int] = [:]
  /// By lane.
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
