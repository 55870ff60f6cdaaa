import Foundation
import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// A small log with random events, whose clocks and random numbers follow from a seed.
struct RandomLog {
  enum Content: CaseIterable {
    /// A few events with few values, so that conditions often meet several of them.
    case ordinary
    /// The same with hashes in place of private values.
    case hashed
    /// Any events with any values, also extreme ones.
    case wild
  }

  let path: String
  let content: Content

  /// 2026-11-20T14:02:07Z.
  private static let begin: Int64 = 1_795_183_327_000_000_000

  private final class Ticks: Sendable {
    let now = Atomic<Int64>(0)
    /// The time by which the wall clock was set, in nanoseconds.
    let step = Atomic<Int64>(0)
  }

  /// - Parameters:
  ///   - writers: the number of processes that write the log.
  ///   - chunk: the number of events after which the wall clock is set, so that a writer begins another chunk; `nil` for never.
  ///   - segment: the age after which a writer begins another segment; `nil` for none.
  init(
    _ content: Content, seed: UInt64, events: Int, writers: Int = 1, chunk: Int? = nil, segment: Duration? = nil,
    in directory: TemporaryDirectory
  ) throws {
    self.content = content
    path = directory.path("random-\(seed).xlog")
    let clock = Ticks()
    let numbers = Mutex(SeededRandom(seed: seed))
    var configuration = LogConfiguration(
      role: .engine, privacy: PrivacyPolicy(mode: content == .hashed ? .hashed : .full, key: (1, seed)), lowestLevel: .debug,
      process: ProcessIdentity(pid: 4001, start: 7, namespace: 1, boot: BootID(high: 1, low: 2), executable: "sample"),
      startReason: .user, version: "1.0",
      clock: LogClock(
        monotonic: { 5_000_000_000_000 + clock.now.load(ordering: .relaxed) },
        boottime: { 6_000_000_000_000 + clock.now.load(ordering: .relaxed) },
        wall: { Self.begin + clock.now.load(ordering: .relaxed) + clock.step.load(ordering: .relaxed) }),
      random: { numbers.withLock { $0.next() } }, maintains: false)
    if let segment { configuration.maximumSegmentAge = segment }
    let logs = try (0..<writers).map { writer in
      configuration.process = ProcessIdentity(
        pid: 4001 + Int32(writer), start: 7, namespace: 1, boot: BootID(high: 1, low: 2), executable: "sample")
      return try EventLog(directory: path, configuration: configuration)
    }
    var random = SeededRandom(seed: seed &+ 17)
    for number in 0..<events {
      let log = writers == 1 ? logs[0] : logs.randomElement(using: &random)!
      if let chunk, number % chunk == chunk - 1 { clock.step.wrappingAdd(1_000_000_000, ordering: .relaxed) }
      clock.now.wrappingAdd(Int64.random(in: 0...3_000_000_000, using: &random), ordering: .relaxed)
      if content == .wild {
        var chooser = FieldChooser(.random, seed: random.next())
        log.emit(EventSamples.event(EventKind.allCases.randomElement(using: &random)!, &chooser))
      } else {
        Self.emit(to: log, &random)
      }
    }
    for log in logs { log.close() }
  }

  private static let hosts = ["a.example.com", "cdn.example.com", "img.example.org", "CDN.example.com"]
  private static let paths = ["/files/1.bin", "/files/22.bin", "/img/a b", "/Index", "/"]

  private static func emit(to log: EventLog, _ random: inout SeededRandom) {
    let number = UInt32.random(in: 1...4, using: &random)
    let task = TaskIdentity(uid: TaskUID(high: 3, low: UInt64(number)), session: number < 3 ? "img" : "docs", number: number)
    let host = hosts.randomElement(using: &random)!
    let status = [200, 206, 301, 404, 500, 503].randomElement(using: &random)!
    let size = Int64([0, 1, 999, 1000, 1024, 5_000_000, 10_000_000].randomElement(using: &random)!)
    let isSet = Bool.random(using: &random)
    let path = paths.randomElement(using: &random)!
    let span = Duration.milliseconds([0, 1, 30, 999, 1000, 60_000].randomElement(using: &random)!)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      log.emit(
        SessionCreated(
          session: task.session, instance: CorrelationID(UInt64(number)), sessionKind: isSet ? .background : .default,
          requestTimeout: span))
    case 1:
      log.emit(
        TaskCreated(
          task: task, type: isSet ? .download : .data, method: isSet ? "GET" : "POST", scheme: "https", host: host, path: path,
          discretionary: isSet))
    case 2: log.emit(TaskHeld(task: task, hold: isSet ? .hostSlots : .network, host: isSet ? host : nil, slotsUsed: 6, slots: 6))
    case 3: log.emit(TaskResumed(task: task, by: .app))
    case 4: log.emit(AttemptStarted(task: task, attempt: Int(number), host: isSet ? host : nil))
    case 5:
      log.emit(
        AttemptResponseReceived(task: task, attempt: 1, status: status, expected: isSet ? size : nil, contentType: "image/png"))
    case 6: log.emit(AttemptBytesReceived(task: task, attempt: 1, received: size, expected: 10_000_000))
    case 7: log.emit(TaskTransferred(task: task, received: size, sent: 0, status: status))
    case 8:
      log.emit(
        TaskCompleted(
          task: task, domain: .curl, error: isSet ? 28 : 56, errorName: isSet ? "operationTimedOut" : "receiveError",
          message: path))
    default: log.emit(WakeDelivered(session: task.session, handler: HandlerID(UInt64(number))))
    }
  }
}
