package import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The output for messages that are not part of a result.
package enum StandardError {
  /// Writes `xferlog: ` and the message. Commands for CI services are escaped, so that text from logs and file names cannot control a job.
  package static func remark(_ message: UserMessage) { write("xferlog: \(message)") }

  package static func write(_ message: UserMessage) {
    var buffer = TextBuffer()
    for line in message.description.split(separator: "\n", omittingEmptySubsequences: false) {
      buffer.append(TerminalText.withoutCommands(String(line)))
      buffer.append(UInt8(ascii: "\n"))
    }
    // An error is ignored: standard error may be closed.
    let bytes = buffer.bytes
    _ = systemWrite(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
