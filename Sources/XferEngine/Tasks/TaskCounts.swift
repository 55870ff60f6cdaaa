internal import Synchronization

/// Byte counters of a task, which the engine's thread updates and any thread can read.
final class TaskCounts: Sendable {
  private let receivedBytes = Atomic<Int64>(0)
  private let expectedBytes = Atomic<Int64>(-1)
  private let sentBytes = Atomic<Int64>(0)
  private let expectedToSendBytes = Atomic<Int64>(0)

  var received: Int64 { receivedBytes.load(ordering: .relaxed) }
  /// The length of the response body, in bytes. -1 if the server did not declare it.
  var expected: Int64 { expectedBytes.load(ordering: .relaxed) }

  var sent: Int64 { sentBytes.load(ordering: .relaxed) }
  /// The length of the request body, in bytes. -1 means unknown.
  var expectedToSend: Int64 { expectedToSendBytes.load(ordering: .relaxed) }

  func setSent(_ count: Int64) { sentBytes.store(count, ordering: .relaxed) }
  func setExpectedToSend(_ count: Int64) { expectedToSendBytes.store(count, ordering: .relaxed) }
  func setReceived(_ count: Int64) { receivedBytes.store(count, ordering: .relaxed) }
  func setExpected(_ count: Int64) { expectedBytes.store(count, ordering: .relaxed) }
}
