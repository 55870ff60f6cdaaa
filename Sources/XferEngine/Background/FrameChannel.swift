internal import CXferPlatform
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// One end of a connection between an app and the daemon. Messages travel as frames: a length of four bytes (little-endian) and
/// JSON.
///
/// Sending never waits. Messages are queued unencoded, and are encoded as the peer takes bytes, so a long queue costs little
/// memory.
package final class FrameChannel: Sendable {
  package typealias Message = any Encodable & Sendable

  private let descriptor: Int32
  /// The pipe that wakes the reading thread.
  private let alarm: (reading: Int32, writing: Int32)
  private let limits: Limits
  private let onUnsendable: @Sendable (Message, String) -> Void
  private let output = Mutex(Output())

  /// Limits on the memory and time that a peer may use.
  package struct Limits: Sendable {
    /// The size of the largest frame that may be sent, in bytes, excluding the length prefix.
    package var sentFrame: Int
    /// The size of the largest frame that may be received, in bytes, excluding the length prefix.
    package var receivedFrame: Int
    /// The memory budget that several channels share. `nil` means that the channel may hold one whole frame.
    package var budget: FrameBudget?
    /// The timeout for the first frame to arrive completely. `nil` means unlimited.
    package var firstFrame: Duration?
    /// The number of unsent messages above which the channel stops receiving. `nil` means unlimited.
    package var unsent: Int?

    package init(
      sentFrame: Int, receivedFrame: Int, budget: FrameBudget? = nil, firstFrame: Duration? = nil, unsent: Int? = nil
    ) {
      (self.sentFrame, self.receivedFrame, self.budget) = (sentFrame, receivedFrame, budget)
      (self.firstFrame, self.unsent) = (firstFrame, unsent)
    }
  }

  private struct Output {
    var messages = MessageQueue()
    var bytes: [UInt8] = []
    var offset = 0
    /// Whether the socket's send buffer is full. Cleared by the reading thread.
    var isBlocked = false
    var isClosed = false

    var isEmpty: Bool { offset == bytes.count && messages.isEmpty }
  }

  package enum Ending: Sendable, Equatable {
    /// Either end has closed the connection.
    case closed
    /// A frame's length was zero or exceeded the limit.
    case badFrame
    /// The first frame did not arrive in time, or a slow frame held budget that other channels waited for.
    case stalled
  }

  /// Takes over a connected socket.
  ///
  /// - Parameters:
  ///   - onUnsendable: a handler for each message that cannot be sent, with the reason. The connection continues without the
  ///     message. Called on the sending or the reading thread.
  /// - Returns: `nil` if the process has no descriptors left. The socket is closed then.
  package init?(_ descriptor: Int32, _ limits: Limits, onUnsendable: @escaping @Sendable (Message, String) -> Void) {
    (self.descriptor, self.limits, self.onUnsendable) = (descriptor, limits, onUnsendable)
    var pair: [Int32] = [-1, -1]
    guard pipe(&pair) == 0 else {
      // The deinitializer closes the socket, but it runs only if every property has a value.
      alarm = (-1, -1)
      return nil
    }
    for end in pair {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    alarm = (pair[0], pair[1])
  }

  deinit {
    for descriptor in [descriptor, alarm.reading, alarm.writing] where descriptor >= 0 { Self.close(descriptor) }
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  // MARK: Sending

  /// - Parameter backlog: The number of unsent messages above which this message is dropped. `nil` means never.
  package func send(_ message: Message, unlessBehind backlog: Int? = nil) {
    let unsendable = output.withLock { output -> [Unsendable] in
      guard !output.isClosed else { return [] }
      if let backlog, output.messages.count > backlog { return [] }
      output.messages.append(message)
      if output.isBlocked { return [] }
      let unsendable = flush(&output)
      if !output.isEmpty { ring() }
      return unsendable
    }
    for message in unsendable { onUnsendable(message.message, message.problem) }
  }

  /// Waits until all messages have been written to the socket, so that they survive the end of this process.
  ///
  /// The calling thread writes the messages itself: the reading thread may be waiting for a lock that the caller holds.
  package func flush(within limit: Duration) {
    let deadline = ContinuousClock.now + limit
    while true {
      let (isDone, unsendable) = output.withLock { output -> (Bool, [Unsendable]) in
        if output.isClosed { return (true, []) }
        let unsendable = flush(&output)
        return (output.isEmpty, unsendable)
      }
      for message in unsendable { onUnsendable(message.message, message.problem) }
      if isDone || ContinuousClock.now > deadline { return }
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, 50)
    }
  }

  private struct Unsendable {
    let message: Message
    let problem: String
  }

  /// The number of encoded bytes above which further messages stay unencoded.
  private static let encodedAhead = 1 << 16

  /// Sends as many bytes as the socket accepts without blocking.
  ///
  /// - Returns: The messages that cannot be sent, with the reasons.
  private func flush(_ output: inout Output) -> [Unsendable] {
    var unsendable: [Unsendable] = []
    while true {
      while output.bytes.count - output.offset < Self.encodedAhead, let message = output.messages.popFirst() {
        if let problem = encode(message, &output.bytes) { unsendable.append(.init(message: message, problem: problem)) }
      }
      if output.offset == output.bytes.count { break }
      let count = output.bytes[output.offset...].withUnsafeBytes { xp_send_now(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // An error is not handled here: the reading thread notices when the peer has closed the connection.
        output.isBlocked = true
        return unsendable
      }
      output.offset += count
      if output.offset == output.bytes.count {
        output.bytes.removeAll(keepingCapacity: output.bytes.capacity <= 2 * Self.encodedAhead)
        output.offset = 0
      }
    }
    return unsendable
  }

  /// - Returns: The reason why the message cannot be sent, or `nil` when the message was appended to `bytes`.
  private func encode(_ message: Message, _ bytes: inout [UInt8]) -> String? {
    let json: Data
    do {
      json = try JSONEncoder().encode(message)
    } catch {
      return "it cannot be encoded: \(error)"
    }
    guard json.count <= limits.sentFrame, let length = UInt32(exactly: json.count) else {
      return "it has \(json.count) bytes, and the limit for a message is \(limits.sentFrame) bytes"
    }
    withUnsafeBytes(of: length.littleEndian) { bytes += $0 }
    bytes += json
    return nil
  }

  /// Wakes the reading thread.
  private func ring() { _ = write(alarm.writing, [1], 1) }

  /// Ends `run`. Messages that have not been written to the socket are lost.
  package func close() {
    output.withLock { $0.isClosed = true }
    ring()
  }

  // MARK: Receiving

  /// The time for which an unfinished frame may hold budget that other channels wait for. Then the peer is disconnected.
  private static let obstruction: Duration = .seconds(10)

  /// Reads frames on the calling thread until the connection ends.
  ///
  /// - Parameter take: The handler for each frame's JSON and its share of the budget, which the handler retains until the frame
  ///   has been processed; the share is `nil` without a shared budget. Returns `false` to end the connection.
  package func run(_ take: (Data, FrameReceipt?) -> Bool) -> Ending {
    defer {
      output.withLock { $0.isClosed = true }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    var input = FrameInput(limit: limits.receivedFrame, budget: limits.budget)
    let start = ContinuousClock.now
    var isFirst = true
    var isPeerGone = false
    while true {
      let (isClosed, unsent, unsendable) = output.withLock { output in
        output.isBlocked = false
        let unsendable = flush(&output)
        return (output.isClosed, output.isEmpty ? 0 : output.messages.count + 1, unsendable)
      }
      for message in unsendable { onUnsendable(message.message, message.problem) }
      if isClosed { return .closed }
      let takesMore = isPeerGone || limits.unsent.map { unsent <= $0 } ?? true
      var waitsForRoom = false
      do throws(FrameInput.BadLength) {
        frames: while takesMore {
          switch try input.next() {
          case .frame(let frame, let receipt):
            isFirst = false
            if !take(frame, receipt) { return .closed }
          case .withoutRoom:
            waitsForRoom = true
            break frames
          case .incomplete: break frames
          }
        }
      } catch {
        return .badFrame
      }
      if input.obstructs(longerThan: Self.obstruction) { return .stalled }
      if isFirst, let limit = limits.firstFrame, start.duration(to: .now) > limit { return .stalled }
      // `poll` ignores a descriptor of -1: while the budget has no room, nothing more is read from the peer.
      var polled = [
        pollfd(
          fd: waitsForRoom ? -1 : descriptor,
          events: (takesMore ? Int16(POLLIN) : 0) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0),
        pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0),
      ]
      let patience: Int32 = waitsForRoom ? 5 : isFirst && limits.firstFrame != nil ? 100 : input.holdsRoom ? 1000 : -1
      guard poll(&polled, 2, patience) > 0 else { continue }
      if polled[1].revents != 0 { drainAlarm() }
      let events = polled[0].revents
      // Bytes that the peer sent before it closed the connection are still read.
      if events & (Int16(POLLHUP) | Int16(POLLERR)) != 0 { isPeerGone = true }
      if events & ~Int16(POLLOUT) != 0, !input.read(descriptor) { return .closed }
    }
  }

  private func drainAlarm() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(alarm.reading, &bytes, bytes.count) > 0 {}
  }
}

/// The queue of messages that have not been encoded yet.
private struct MessageQueue {
  private var messages: [FrameChannel.Message?] = []
  private var first = 0

  var isEmpty: Bool { first == messages.count }
  var count: Int { messages.count - first }

  mutating func append(_ message: FrameChannel.Message) { messages.append(message) }

  mutating func popFirst() -> FrameChannel.Message? {
    guard first < messages.count else { return nil }
    let message = messages[first]
    messages[first] = nil
    first += 1
    if first == messages.count || first > 1024 && first > messages.count / 2 {
      messages.removeFirst(first)
      first = 0
    }
    return message
  }
}
