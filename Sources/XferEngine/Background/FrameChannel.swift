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

/// One end of a connection between an app and the daemon. Messages travel as frames: a length of four bytes (little-endian) and JSON.
///
/// Sending never waits. Messages are queued unencoded, and are encoded as the peer takes bytes, so a long queue costs little memory.
package final class FrameChannel: Sendable {
  package typealias Message = any Encodable & Sendable

  private let descriptor: Int32
  /// A pipe that wakes the thread that reads.
  private let alarm: (reading: Int32, writing: Int32)
  private let limits: Limits
  private let setAside: @Sendable (Message, String) -> Void
  private let output = Mutex(Output())

  /// What the peer may cost.
  package struct Limits: Sendable {
    /// The largest frame that is sent, in bytes without its length.
    package var sentFrame: Int
    /// The largest frame that is received, in bytes without its length.
    package var receivedFrame: Int
    /// Shared by several channels. `nil` means that the channel may hold one whole frame.
    package var budget: FrameBudget?
    /// The time until the first frame has arrived. `nil` means unlimited.
    package var firstFrame: Duration?
    /// The number of unsent messages above which nothing more is received. `nil` means unlimited.
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
    /// Whether the peer takes nothing at present. Cleared by the thread that reads.
    var isBlocked = false
    var isClosed = false

    var isEmpty: Bool { offset == bytes.count && messages.isEmpty }
  }

  package enum Ending: Sendable, Equatable {
    /// Either end has closed the connection.
    case closed
    /// A frame's length was zero or exceeded the limit.
    case badFrame
    /// The peer sent no frame in time, or held up the others' frames.
    case stalled
  }

  /// Takes over a connected socket.
  ///
  /// - Parameters:
  ///   - setAside: gets each message that cannot be sent, and why; the connection goes on without it. Called on the sending or the
  ///     reading thread.
  /// - Returns: `nil` if the process has no descriptors left. The socket is closed then.
  package init?(_ descriptor: Int32, _ limits: Limits, setAside: @escaping @Sendable (Message, String) -> Void) {
    (self.descriptor, self.limits, self.setAside) = (descriptor, limits, setAside)
    var pair: [Int32] = [-1, -1]
    guard pipe(&pair) == 0 else {
      // The deinitializer, which closes the socket, runs once every property has a value.
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

  /// - Parameter backlog: the number of unsent messages above which this message is dropped. `nil` means that it is never dropped.
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
    for message in unsendable { setAside(message.message, message.problem) }
  }

  /// Waits until the peer has taken all messages, so that they survive the end of this process.
  ///
  /// The calling thread sends them itself: the thread that reads may be waiting for a lock that the caller holds.
  package func flush(within limit: Duration) {
    let deadline = ContinuousClock.now + limit
    while true {
      let (isDone, unsendable) = output.withLock { output -> (Bool, [Unsendable]) in
        if output.isClosed { return (true, []) }
        let unsendable = flush(&output)
        return (output.isEmpty, unsendable)
      }
      for message in unsendable { setAside(message.message, message.problem) }
      if isDone || ContinuousClock.now > deadline { return }
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&polled, 1, 50)
    }
  }

  private struct Unsendable {
    let message: Message
    let problem: String
  }

  /// The number of bytes that are encoded ahead.
  private static let encodedAhead = 1 << 16

  /// Sends what the peer takes.
  ///
  /// - Returns: messages that cannot be sent.
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
        // The thread that reads notices when the peer is gone.
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

  /// - Returns: why the message cannot be sent; `nil` when it was appended.
  private func encode(_ message: Message, _ bytes: inout [UInt8]) -> String? {
    let json: Data
    do {
      json = try JSONEncoder().encode(message)
    } catch {
      return "it cannot be encoded: \(error)"
    }
    guard json.count <= limits.sentFrame, let length = UInt32(exactly: json.count) else {
      return "it has \(json.count) bytes, and a message may have \(limits.sentFrame)"
    }
    withUnsafeBytes(of: length.littleEndian) { bytes += $0 }
    bytes += json
    return nil
  }

  private func ring() { _ = write(alarm.writing, [1], 1) }

  /// Ends `run`. Messages that the peer has not taken are lost.
  package func close() {
    output.withLock { $0.isClosed = true }
    ring()
  }

  // MARK: Receiving

  /// The time after which a peer that holds up the others' frames is disconnected.
  private static let obstruction: Duration = .seconds(10)

  /// Reads until the connection ends, on the calling thread.
  ///
  /// - Parameter take: a frame's JSON, and its share of the budget until it is processed; `false` ends the connection.
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
      for message in unsendable { setAside(message.message, message.problem) }
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
      // A descriptor of -1 is not looked at: without room there is nothing to do for the peer.
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
      // What the peer sent before it went is still taken.
      if events & (Int16(POLLHUP) | Int16(POLLERR)) != 0 { isPeerGone = true }
      if events & ~Int16(POLLOUT) != 0, !input.read(descriptor) { return .closed }
    }
  }

  private func drainAlarm() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(alarm.reading, &bytes, bytes.count) > 0 {}
  }
}

/// Messages that wait to be encoded, in order.
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
