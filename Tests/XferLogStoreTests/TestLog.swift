import Foundation
import LogTestSupport
import Synchronization
import XferEvents

@testable import XferLogStore

/// A log in a temporary directory for one test.
final class TestLog {
  private let temporary = TemporaryDirectory()
  var directory: String { temporary.path("test.xlog") }
  func path(_ name: String) -> String { temporary.path(name) }
  func segment(_ number: UInt32) -> String { LogDirectory.path(of: number, in: directory) }
  var segments: [String] { LogDirectory.segments(in: directory).map(\.path) }

  func open(_ change: (inout LogConfiguration) -> Void = { _ in }) throws(LogError) -> EventLog {
    // Maintenance is disabled so that segments are not sealed during a test.
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
    change(&configuration)
    return try EventLog(directory: directory, configuration: configuration)
  }

  /// Writes a segment file outside the log directory and returns its path.
  func write(_ bytes: [UInt8]) throws -> String { try temporary.write(bytes, to: "000001.seg") }

  func read() -> LogContents { LogContents([.directory(directory)]) }
}

/// Everything that a reader returned, with the workload's events grouped by thread.
struct LogContents {
  var events: [RecordedEvent] = []
  var gaps: [LogGap] = []
  var problems: [LogReader.Problem] = []
  /// The numbers of the workload's events by thread, in the order read.
  var numbers: [Int: [Int]] = [:]
  /// Descriptions of workload events whose contents are wrong.
  var wrong: [String] = []

  init(_ inputs: [LogReader.Input], recovery: RecoveryMode = .tail) {
    let reader = LogReader(inputs, recovery: recovery)
    while let member = reader.next() { add(member) }
    problems = reader.problems
  }

  init() {}

  mutating func add(_ member: LogMember) {
    switch member {
    case .gap(let gap): gaps.append(gap)
    case .event(let event):
      events.append(event)
      guard let (thread, number) = Workload.place(of: event) else { return }
      numbers[thread, default: []].append(number)
      if !Workload.isWhole(event) { wrong.append("\(event.reference): \(event.layout.name) \(event.values)") }
    }
  }

  /// The gaps that a kill does not explain. A kill may leave a torn record in each lane, and a segment that is still empty.
  var unexplainedGaps: [LogGap] {
    let empty = Set(problems.filter { $0.error.code == .unfinished }.map(\.name))
    return gaps.filter { $0.cause != .torn && !empty.contains($0.name) }
  }

  func events(_ kind: EventKind) -> [RecordedEvent] { events.filter { $0.kind == kind } }

  /// Whether positions increase in each lane and all events of a boot are ordered by the clock.
  var isOrdered: Bool {
    var last: [String: UInt64] = [:]
    var clock = Int64.min
    for event in events {
      guard case .record(_, let lane, let sequence, _) = event.reference, let monotonic = event.monotonic else { return false }
      let key = "\(String(describing: event.source.writer.launch))/\(lane)"
      if let before = last[key], sequence <= before { return false }
      last[key] = sequence
      if monotonic < clock { return false }
      clock = monotonic
    }
    return true
  }
}

/// A clock that a test advances. It also advances by a small step with each reading.
final class TestClock: Sendable {
  private let nanoseconds: Atomic<Int64>
  private let step: Int64

  init(_ nanoseconds: Int64 = 1_000_000, step: Int64 = 1000) {
    self.nanoseconds = Atomic(nanoseconds)
    self.step = step
  }

  func advance(by nanoseconds: Int64) { self.nanoseconds.add(nanoseconds, ordering: .relaxed) }

  var clock: LogClock {
    LogClock(
      monotonic: { self.nanoseconds.add(self.step, ordering: .relaxed).newValue },
      boottime: { self.nanoseconds.load(ordering: .relaxed) + 5_000_000_000 },
      wall: { self.nanoseconds.load(ordering: .relaxed) + 1_700_000_000_000_000_000 })
  }
}

func contents(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

func write(_ bytes: some Sequence<UInt8>, to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
