/// The name of a group of event lines that are replayed together as one log: `app/device`, or `app/device/session`.
///
/// Slashes, percent signs and control characters within a part are percent-encoded, so that different parts never have the same name.
/// Lines without parts belong to the group `-`.
struct GroupName: Hashable, Comparable {
  let text: String

  init(app: String, device: String, session: String) {
    if app.isEmpty, device.isEmpty, session.isEmpty {
      text = "-"
    } else {
      text = ([app, device] + (session.isEmpty ? [] : [session])).map(Self.encoded).joined(separator: "/")
    }
  }

  init(text: String) { self.text = text }

  /// Groups are ordered by the bytes of their names, whatever the locale.
  static func < (left: GroupName, right: GroupName) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

  private static func encoded(_ part: String) -> String {
    guard part.utf8.contains(where: mustEncode) else { return part }
    var text: [UInt8] = []
    for byte in part.utf8 {
      if mustEncode(byte) {
        text += Array("%".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func mustEncode(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
  }
}
