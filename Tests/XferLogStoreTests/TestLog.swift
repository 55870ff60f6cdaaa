import Foundation
import LogTestSupport
import Synchronization
import XferEvents

@testable import XferLogStore

/// A log of one test's own.
final class TestLog {
  private let temporary = TemporaryDirectory()
  var directory: String { temporary.path("test.xlog") }
  func path(_ name: String) -> String { temporary.path(name) }
  func segment(_ number: UInt32) -> String { LogDirectory.path(of: number, in: directory) }
  var segments: [String] { LogDirectory.segments(in: directory).map(\.path) }

  func open(_ change: (inout LogConfiguration) -> Void = { _ in }) throws(LogError) -> EventLog {
    // What a test looks at must not be sealed meanwhile.
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
    change(&configuration)
    return try EventLog(directory: directory, configuration: configuration)
  }

  /// A segment of these bytes, outside of the log.
  func write(_ bytes: [UInt8]) throws -> String { try temporary.write(bytes, to: "000001.seg") }

  func read() -> LogContents { LogContents([.directory(directory)]) }
}

/// All that a reader gives, with the workload's events by thread.
struct LogContents {
  var events: [RecordedEvent] = []
  var gaps: [LogGap] = []
  var problems: [LogReader.Problem] = []
  /// Numbers of the workload's events, in the order read.
  var numbers: [Int: [Int]] = [:]
  /// Events of the workload that do not say what was written.
  var wrong: [String] = []

  init(_ inputs: [LogReader.Input]) {
    let reader = LogReader(inputs)
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

  func events(_ kind: EventKind) -> [RecordedEvent] { events.filter { $0.kind == kind } }

  /// Whether each lane's positions rise, and within one boot the whole by the clock.
  var isOrdered: Bool {
    var last: [String: UInt64] = [:]
    var clock = Int64.min
    for event in events {
      guard case .record(_, let lane, let sequence) = event.reference, let monotonic = event.monotonic else { return false }
      let key = "\(String(describing: event.source.writer.launch))/\(lane)"
      if let before = last[key], sequence <= before { return false }
      last[key] = sequence
      if monotonic < clock { return false }
      clock = monotonic
    }
    return true
  }
}

/// A clock that tells the time that a test says, a little later each time.
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
