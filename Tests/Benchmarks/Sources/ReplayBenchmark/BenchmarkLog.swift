import Foundation
import Synchronization
import XferEvents
import XferLogStore

/// The log that the replay benchmark creates and reads.
struct BenchmarkLog {
  let path: String

  private func configuration() -> LogConfiguration {
    LogConfiguration(role: .app, privacy: PrivacyPolicy(key: (1, 2)), startReason: .user, maintains: false)
  }

  /// Writes the log with two threads, each with eight simultaneous tasks, so that a reader must merge the lanes event by event.
  ///
  /// - Parameters:
  ///   - inManySegments: whether to write about a thousand segments, using a clock that advances with every event.
  ///   - lost: the number of tasks among a thousand whose completion is lost.
  ///   - sessions: the number of sessions, of which each thread has half.
  func write(_ tasks: Int, inManySegments: Bool, lost: Int, sessions: Int) throws {
    var configuration = configuration()
    configuration.retention = .everything
    if inManySegments {
      let ticks = Ticks()
      let system = LogClock.system
      configuration.clock = LogClock(monotonic: ticks.next, boottime: system.boottime, wall: system.wall)
      configuration.maximumSegmentAge = .microseconds(tasks * TaskHistory.length / 1000)
    }
    let log = try EventLog(directory: path, configuration: configuration)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      var open: [TaskHistory] = []
      var next = 0
      while next < tasks / 2 || !open.isEmpty {
        while open.count < 8, next < tasks / 2 {
          next += 1
          let session = thread + next / 64 * 2 % max(2, sessions)
          open.append(TaskHistory(session: "session-\(session)", number: next, isLost: next % 1000 < lost))
        }
        for place in open.indices { open[place].advance(log) }
        open.removeAll(where: \.isOver)
      }
    }
    log.close()
  }

  /// Opens the log for writing and seals its segments, as the next writer would.
  func seal() throws {
    let log = try EventLog(directory: path, configuration: configuration())
    log.maintain()
    log.close()
  }

  func read() -> (events: Int, seconds: Double) {
    let start = ContinuousClock.now
    let reader = LogReader([.directory(path)])
    var events = 0
    while let member = reader.next() { if case .event = member { events += 1 } }
    return (events, (ContinuousClock.now - start) / .seconds(1))
  }

  /// Writes a CSV file with one line per event, containing the columns needed to query lost completions.
  func writeTable(to path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let reader = LogReader([.directory(self.path)])
    var lines = "task,event,callback\n"
    while let member = reader.next() {
      guard case .event(let event) = member else { continue }
      lines += "\(event.task?.uid.description ?? ""),\(event.layout.name),\(event.callback?.name ?? "")\n"
      guard lines.utf8.count > 1 << 20 else { continue }
      try file.write(contentsOf: Data(lines.utf8))
      lines.removeAll(keepingCapacity: true)
    }
    try file.write(contentsOf: Data(lines.utf8))
    try file.close()
  }
}

/// A clock that advances by one microsecond per reading.
private final class Ticks: Sendable {
  private let count = Atomic<Int64>(0)

  func next() -> Int64 { count.add(1000, ordering: .relaxed).newValue }
}
