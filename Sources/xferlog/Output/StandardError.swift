import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Remarks: all that is not the result itself.
package enum StandardError {
  /// Writes `xferlog: ` and the text; nothing that a log or a file name holds reaches the terminal as a command.
  package static func remark(_ text: String) { write("xferlog: \(text)") }

  package static func write(_ text: String) {
    var buffer = TextBuffer()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      buffer.append(TerminalText.escaped(String(line)))
      buffer.append(UInt8(ascii: "\n"))
    }
    // Whoever closed standard error does not want to know.
    let bytes = buffer.bytes
    _ = systemWrite(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
