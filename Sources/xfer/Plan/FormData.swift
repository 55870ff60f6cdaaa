import Foundation

/// Builds the request body given by `-d` and related options.
enum FormData {
  /// - Parameter read: Reads a file given as `@FILE`. `-` means standard input.
  static func bytes(
    _ parts: [TransferSettings.DataPart], read: (String) throws(OptionProblem) -> [UInt8]
  ) throws(OptionProblem) -> [UInt8] {
    var all: [UInt8] = []
    for (place, part) in parts.enumerated() {
      if place > 0, !all.isEmpty { all.append(UInt8(ascii: "&")) }
      switch part {
      case .literal(let text): all += text.utf8
      case .text(let text) where text.hasPrefix("@"):
        // As in curl, form data from a file loses its line ends and NUL bytes.
        all += try read(String(text.dropFirst())).filter { $0 != 10 && $0 != 13 && $0 != 0 }
      case .binary(let text) where text.hasPrefix("@"): all += try read(String(text.dropFirst()))
      case .text(let text), .binary(let text): all += text.utf8
      case .encoded(let text): all += try encoded(text, read).utf8
      }
    }
    return all
  }

  /// Percent-encodes `VALUE`, `=VALUE`, `NAME=VALUE`, `@FILE` or `NAME@FILE`. The name is not encoded.
  private static func encoded(
    _ text: String, _ read: (String) throws(OptionProblem) -> [UInt8]
  ) throws(OptionProblem) -> String {
    guard let mark = text.firstIndex(where: { $0 == "=" || $0 == "@" }) else { return percentEncoded(Array(text.utf8)) }
    let (name, value) = (text[..<mark], String(text[text.index(after: mark)...]))
    let bytes = text[mark] == "@" ? try read(value) : Array(value.utf8)
    return (name.isEmpty ? "" : "\(name)=") + percentEncoded(bytes)
  }

  private static func percentEncoded(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 95, 126: text.append(byte)
      default: text += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
