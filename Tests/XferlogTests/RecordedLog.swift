import Foundation
import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// A log written by the test itself, with fixed clocks, process and random numbers, so that its contents are the same in every
/// run.
final class RecordedLog {
  let path: String
  private let clock = Ticks()
  private(set) var writer: EventLog?

  /// The nanoseconds since the beginning of the log, set by the test.
  private final class Ticks: Sendable {
    let now = Atomic<Int64>(0)
  }

  /// 2026-11-20T14:02:07Z.
  static let begin: Int64 = 1_795_183_327_000_000_000
  static let firstMonotonic: Int64 = 5_000_000_000_000

  /// - Parameters:
  ///   - directory: the directory in which the log is created.
  ///   - milliseconds: the time at which the log is opened, after `begin`.
  init(
    in directory: TemporaryDirectory, name: String = "run.xlog", seed: UInt64 = 1, pid: Int32 = 4001,
    role: WriterRole = .engine, mode: CaptureMode = .full, level: Level = .debug, forcesAppending: Bool = false,
    startReason: StartReason = .user, executable: String = "sample", at milliseconds: Int64 = 0
  ) throws {
    path = "\(directory.path)/\(name)"
    let clock = clock
    let numbers = Mutex(SeededRandom(seed: seed))
    let configuration = LogConfiguration(
      role: role, privacy: PrivacyPolicy(mode: mode, key: (1, 2)), lowestLevel: level,
      process: ProcessIdentity(pid: pid, start: 7, namespace: 1, boot: BootID(high: 1, low: 2), executable: executable),
      startReason: startReason, version: "1.0",
      clock: LogClock(
        monotonic: { Self.firstMonotonic + clock.now.load(ordering: .relaxed) },
        boottime: { Self.firstMonotonic + 1_000_000_000 + clock.now.load(ordering: .relaxed) },
        wall: { Self.begin + clock.now.load(ordering: .relaxed) }),
      random: { numbers.withLock { $0.next() } }, maintains: false, forcesAppending: forcesAppending)
    clock.now.store(milliseconds * 1_000_000, ordering: .relaxed)
    writer = try EventLog(directory: path, configuration: configuration)
  }

  /// Emits an event at a time after `begin`.
  func emit(at milliseconds: Int64, _ event: some TransferEvent) {
    clock.now.store(milliseconds * 1_000_000, ordering: .relaxed)
    writer?.emit(event)
  }

  func close() {
    writer?.close()
    writer = nil
  }

  static let task = TaskIdentity(uid: TaskUID(high: 0xabcd_ef01_2345_6789, low: 0x0123_4567_89ab_cdef), session: "img", number: 7)
  static let other = TaskIdentity(
    uid: TaskUID(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888), session: "docs", number: 1)

  /// A download that succeeds in session `img`, and one in `docs` that fails.
  static func sample(
    in directory: TemporaryDirectory, name: String = "run.xlog", mode: CaptureMode = .full, seed: UInt64 = 1,
    appends: Bool = false
  ) throws -> String {
    let log = try RecordedLog(in: directory, name: name, seed: seed, mode: mode, forcesAppending: appends)
    log.emit(
      at: 100,
      SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .background, requestTimeout: .seconds(60)))
    log.emit(
      at: 118,
      TaskCreated(
        task: task, type: .download, origin: .foreground, completion: .delegate, method: "GET", scheme: "https",
        host: "cdn.example.com", path: "/files/o/31337/file.bin", discretionary: true))
    log.emit(at: 121, TaskHeld(task: task, hold: .hostSlots, host: "cdn.example.com", slotsUsed: 6, slots: 6))
    log.emit(at: 130, TaskCreated(task: other, type: .data, method: "GET", scheme: "https", host: "docs.example.com", path: "/a"))
    log.emit(at: 2004, TaskResumed(task: task, by: .app))
    log.emit(at: 2066, AttemptStarted(task: task, attempt: 1, host: "cdn.example.com"))
    log.emit(
      at: 2070,
      AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 34_812_723, contentType: "image/png", etag: "\"a1\"")
    )
    log.emit(at: 3000, AttemptBytesReceived(task: task, attempt: 1, received: 17_000_000, expected: 34_812_723))
    log.emit(
      at: 3500,
      DeliveryDropped(task: other, delivery: DeliveryID(77), callback: .didComplete, why: .noConsumer))
    log.emit(at: 5470, TaskTransferred(task: task, received: 34_812_723, sent: 0, status: 200))
    log.emit(at: 5471, WakeDelivered(session: "img", handler: HandlerID(3)))
    log.emit(
      at: 135_471, TaskCompleted(task: other, domain: .curl, error: 28, errorName: "operationTimedOut", message: "timed out"))
    log.close()
    return log.path
  }
}
