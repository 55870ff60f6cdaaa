package import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The error after the reader of standard output has closed the pipe. The command then ends without an error message.
package struct OutputClosed: Error {
  package init() {}
}

/// A buffered standard output. The buffer is written when it is large, and by `flush`.
package final class StandardOutput {
  package var buffer = TextBuffer(capacity: 1 << 17)
  /// Whether output continues after Ctrl-C, so that a document can be completed.
  package var ignoresInterruption = false
  package let descriptor: Int32
  /// The output in error messages.
  private let name: String
  private static let enough = 1 << 16

  package init(descriptor: Int32 = STDOUT_FILENO, name: String = "standard output") {
    (self.descriptor, self.name) = (descriptor, name)
  }

  /// Whether the output itself is a terminal. A pager makes it a pipe; see `Surroundings.terminal`.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes the buffer if it is large. Called after each event.
  @inline(__always)
  package func flushIfLarge() throws {
    if buffer.count >= Self.enough { try flush() }
  }

  /// Appends a JSON value and a line feed.
  package func appendLine(_ write: (inout JSONText) -> Void) throws {
    buffer.appendJSON(write)
    buffer.append(UInt8(ascii: "\n"))
    try flushIfLarge()
  }

  /// Appends a piece of a document that is written in pieces.
  package func append(_ piece: (inout TextBuffer) -> Void) throws {
    piece(&buffer)
    try flushIfLarge()
  }

  package func flush() throws {
    var rest = buffer.bytes
    // After an error, the buffer keeps only what was not written.
    defer { buffer.removeFirst(buffer.count - rest.count) }
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
      case let problem: throw CommandExit(.failed, "\(name) cannot be written: \(String(cString: strerror(problem)))")
      }
    }
    try checkInterruption()
  }

  /// Waits until a non-blocking output accepts data.
  private func waitUntilWritable() throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    if poll(&entry, 1, -1) < 0 { try checkInterruption() }
  }

  private func checkInterruption() throws {
    if !ignoresInterruption { try Interruption.check() }
  }
}
