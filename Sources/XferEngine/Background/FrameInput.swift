internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Assembles frames from the bytes of a connection.
struct FrameInput {
  private let limit: Int
  private let budget: FrameBudget?
  private var bytes: [UInt8] = []
  /// The number of leading bytes of the buffer `bytes` that belong to frames already returned.
  private var consumed = 0
  private var room = [UInt8](repeating: 0, count: 1 << 16)
  /// The next frame's share of the budget. `nil` until the frame gets one.
  private var receipt: FrameReceipt?
  /// The time at which the latest share of the budget was requested. `nil` before the first request.
  private var granted: ContinuousClock.Instant?

  /// - Parameters:
  ///   - limit: The size of the largest frame, in bytes, excluding the length prefix.
  ///   - budget: The memory budget that several channels share. `nil` means that the channel may hold one whole frame.
  init(limit: Int, budget: FrameBudget?) { (self.limit, self.budget) = (limit, budget) }

  /// The error for a frame whose length is zero or exceeds the limit.
  struct BadLength: Error {}

  enum Next {
    case frame(Data, FrameReceipt?)
    /// The next frame's bytes have not all been received.
    case incomplete
    /// The memory budget has no room for the next frame.
    case withoutRoom
  }

  /// Reads the available bytes without blocking.
  ///
  /// - Returns: `false` when the peer has closed the connection or the read failed.
  mutating func read(_ descriptor: Int32) -> Bool {
    while true {
      let count = recv(descriptor, &room, room.count, Int32(MSG_DONTWAIT))
      if count > 0 { bytes += room[..<count] }
      if count < 0, errno == EINTR { continue }
      return count > 0 || count < 0 && errno == EAGAIN
    }
  }

  mutating func next() throws(BadLength) -> Next {
    let available = bytes.count - consumed
    guard available >= 4 else {
      compact()
      return .incomplete
    }
    let length = bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: consumed, as: UInt32.self)) }
    guard length > 0, length <= limit else { throw BadLength() }
    let count = Int(length)
    if let budget, receipt == nil {
      // A short frame takes at least 1024 bytes of the budget, because its decoded message is larger than the frame.
      receipt = budget.take(max(count, 1024))
      granted = .now
      if receipt == nil { return .withoutRoom }
    }
    guard available - 4 >= count else {
      compact()
      return .incomplete
    }
    let start = consumed + 4
    let frame = Data(bytes[start..<start + count])
    consumed = start + count
    defer { receipt = nil }
    return .frame(frame, receipt)
  }

  /// Whether the next frame holds a share of the budget.
  var holdsRoom: Bool { receipt != nil }

  /// Whether a large unfinished frame has held its share for longer than `time` while other channels wait for room.
  func obstructs(longerThan time: Duration) -> Bool {
    guard let receipt, let granted, let budget, receipt.bytes > room.count else { return false }
    return budget.isContended && granted.duration(to: .now) > time
  }

  private mutating func compact() {
    if consumed > 0 { bytes.removeFirst(consumed) }
    consumed = 0
  }
}
