package import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The reader of our output has closed it: a normal end.
package struct OutputClosed: Error {}

/// The one way to standard output: what is in `buffer` goes out when there is much of it, and at `flush`.
package final class StandardOutput {
  package var buffer = TextBuffer(capacity: 1 << 17)
  /// Set to write the end of what was begun although the user has pressed Ctrl-C.
  package var ignoresInterruption = false
  private let descriptor: Int32
  private static let enough = 1 << 16

  package init(descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Called after each event.
  @inline(__always)
  package func flushIfLarge() throws {
    if buffer.count >= Self.enough { try flush() }
  }

  /// Appends a JSON value and ends its line.
  package func appendLine(_ write: (inout JSONText) -> Void) throws {
    buffer.appendJSON(write)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Appends one piece of something that is written in pieces.
  package func append(_ piece: (inout TextBuffer) -> Void) throws {
    piece(&buffer)
    try flushIfLarge()
  }

  package func flush() throws {
    var rest = buffer.bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      let written = write(descriptor, base, rest.count)
      if written >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        continue
      }
      switch errno {
      case EINTR: try checkInterruption()
      case EAGAIN: try waitUntilWritable()
      case EPIPE: throw OutputClosed()
      case let problem: throw CommandExit(.failed, "standard output cannot be written: \(String(cString: strerror(problem)))")
      }
    }
    buffer.removeAll()
    try checkInterruption()
  }

  /// Someone may have handed us a pipe that does not block.
  private func waitUntilWritable() throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if poll(&entry, 1, -1) < 0 { try checkInterruption() }
  }

  private func checkInterruption() throws {
    if !ignoresInterruption { try Interruption.check() }
  }
}
