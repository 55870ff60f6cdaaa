import CAllocationCount
import XferEvents
import XferLogStore

/// A program that counts the heap allocations of emission, once a thread has a lane and a segment with enough room.
///
/// Usage: `allocation-probe LOG`. Prints whether the program is optimized, the number of allocations during a series of typed events
/// and of messages, and the number counted for one deliberate allocation.
@main
enum AllocationProbe {
  static func main() throws {
    let log = try EventLog(
      directory: CommandLine.arguments[1],
      configuration: LogConfiguration(role: .tool, privacy: PrivacyPolicy(key: (1, 2)), maintains: false))
    let mix = Mix()
    // Segments double in size up to 4 MiB. After these events, three quarters of the last segment are free.
    mix.emit(100_000, to: log)
    let logger = EventLogger(subsystem: "org.example.app", category: "sync", log: log)
    mix.say(1000, to: logger)
    let before = lts_allocations()
    mix.emit(12_000, to: log)
    let emitted = lts_allocations()
    mix.say(12_000, to: logger)
    let said = lts_allocations()
    let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    let deliberate = lts_allocations()
    block.deallocate()
    log.close()
    print("optimized: \(!_isDebugAssertConfiguration())")
    print("12000 events: \(emitted - before) allocations")
    print("12000 messages: \(said - emitted) allocations")
    print("one deliberate allocation: \(deliberate - said)")
  }
}

/// The mix of events used to measure emission.
private struct Mix {
  private let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "a session with a long name", number: 1)

  func emit(_ count: Int, to log: EventLog) {
    for step in 0..<count / 3 {
      log.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64(step), expected: 1 << 20))
      log.emit(
        DeliveryEntered(
          task: task, delivery: DeliveryID(UInt64(step)), callback: .didComplete, queue: "delegate", onMainThread: false))
      log.emit(
        AttemptRedirectReceived(
          task: task, attempt: 1, transaction: 1, status: 302, host: "cdn.example.", path: "/files/objects/abc/12345"))
    }
  }

  /// Logs messages with a number, a public text and a private text.
  func say(_ count: Int, to logger: EventLogger) {
    for step in 0..<count {
      logger.notice("received \(step) bytes of \("/files/objects/abc/12345") from \("cdn.example.", privacy: .public)")
    }
  }
}
