import Foundation
import XferReport

/// Messages to the user on standard error. Results go to standard output instead.
enum Remarks {
  /// Writes `xfer: ` and the text. Control characters are escaped, so that text from servers and file names cannot control
  /// the terminal.
  static func say(_ text: String) {
    let lines = "xfer: \(text)".split(separator: "\n", omittingEmptySubsequences: false)
    write(lines.map { TerminalText.escaped(String($0)) + "\n" }.joined())
  }

  static func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
}
