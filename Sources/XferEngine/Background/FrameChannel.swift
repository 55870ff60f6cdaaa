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

/// One end of a connection between an app and the daemon: messages as frames, a length of four bytes (little-endian) and JSON.
///
/// Sending never waits: what the other end does not take at once is kept and sent by the thread that reads.
package final class FrameChannel: Sendable {
  private let descriptor: Int32
  /// Wakes the thread that reads.
  private let alarm: (reading: Int32, writing: Int32)
  private let output = Mutex(Output())

  private struct Output {
    var bytes: [UInt8] = []
    var offset = 0
    var isClosed = false

    var isEmpty: Bool { offset == bytes.count }
  }

  /// Bytes that an end may leave unread before it counts as gone.
  private static let backlog = 64 << 20

  package enum Ending: Sendable, Equatable {
    /// Either end has closed the connection.
    case closed
    /// What came is no frame.
    case noFrame
  }

  /// Takes over a connected socket.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var pair: [Int32] = [-1, -1]
    precondition(pipe(&pair) == 0, "a process that has a connection can have a pipe")
    for end in pair {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    alarm = (pair[0], pair[1])
  }

  deinit {
    for descriptor in [descriptor, alarm.reading, alarm.writing] { Self.close(descriptor) }
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  // MARK: Sending

  package func send(_ message: some Encodable) {
    guard let json = try? JSONEncoder().encode(message) else { preconditionFailure("messages can be encoded") }
    precondition(json.count <= BackgroundProtocol.frameLimit, "whoever makes a message keeps it within the limit")
    output.withLock { output in
      guard !output.isClosed else { return }
      withUnsafeBytes(of: UInt32(json.count).littleEndian) { output.bytes += $0 }
      output.bytes += json
      flush(&output)
      if output.isEmpty { return }
      if output.bytes.count - output.offset > Self.backlog { output.isClosed = true }
      ring()
    }
  }

  private func flush(_ output: inout Output) {
    while !output.isEmpty {
      let count = output.bytes[output.offset...].withUnsafeBytes { xp_send_now(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // Whoever reads finds out when the other end is gone.
      guard count > 0 else { return }
      output.offset += count
    }
    output.bytes.removeAll(keepingCapacity: output.bytes.capacity <= 1 << 16)
    output.offset = 0
  }

  private func ring() { _ = write(alarm.writing, [1], 1) }

  /// Ends `run`; what was sent before and not taken is lost.
  package func close() {
    output.withLock { $0.isClosed = true }
    ring()
  }

  // MARK: Receiving

  /// Reads until the connection ends, on the calling thread.
  ///
  /// - Parameter take: a frame's JSON; `false` ends the connection.
  package func run(_ take: (Data) -> Bool) -> Ending {
    defer {
      output.withLock { $0.isClosed = true }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
    var input = FrameInput()
    while true {
      let (isClosed, hasMore) = output.withLock { output in
        flush(&output)
        return (output.isClosed, !output.isEmpty)
      }
      if isClosed { return .closed }
      var polled = [
        pollfd(fd: descriptor, events: Int16(POLLIN) | (hasMore ? Int16(POLLOUT) : 0), revents: 0),
        pollfd(fd: alarm.reading, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else { continue }
      if polled[1].revents != 0 { drainAlarm() }
      guard polled[0].revents & ~Int16(POLLOUT) != 0 else { continue }
      guard input.read(descriptor) else { return .closed }
      do throws(FrameInput.Problem) {
        while let frame = try input.next() { if !take(frame) { return .closed } }
      } catch {
        return .noFrame
      }
    }
  }

  private func drainAlarm() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(alarm.reading, &bytes, bytes.count) > 0 {}
  }
}

/// Bytes of a connection on their way to becoming frames.
struct FrameInput {
  private var bytes: [UInt8] = []
  private var room = [UInt8](repeating: 0, count: 1 << 16)

  struct Problem: Error {}

  /// - Returns: whether the other end is still there.
  mutating func read(_ descriptor: Int32) -> Bool {
    while true {
      let count = recv(descriptor, &room, room.count, 0)
      if count > 0 { bytes += room[..<count] }
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// - Returns: `nil` when the next frame is not whole yet.
  mutating func next() throws(Problem) -> Data? {
    guard bytes.count >= 4 else { return nil }
    let count = Int(bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) })
    guard count > 0, count <= BackgroundProtocol.frameLimit else { throw Problem() }
    guard bytes.count >= 4 + count else { return nil }
    let frame = Data(bytes[4..<4 + count])
    bytes.removeFirst(4 + count)
    return frame
  }
}
