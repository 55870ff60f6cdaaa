import Foundation
import XferReport

/// Remarks: all that is not the result itself, on standard error.
enum Remarks {
  /// Writes `xfer: ` and the text; nothing that a server or a file name says reaches the terminal as a command.
  static func say(_ text: String) {
    let lines = "xfer: \(text)".split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { TerminalText.escaped(String($0)) + "\n" }.joined())
  }

  static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
