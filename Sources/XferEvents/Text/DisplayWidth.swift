/// The widths of characters on a terminal.
package enum DisplayWidth {
  /// Returns the number of terminal columns of a text.
  package static func columns(of text: some StringProtocol) -> Int {
    var width = 0
    for scalar in text.unicodeScalars { width += columns(of: scalar) }
    return width
  }

  /// Returns 2 for wide characters (East Asian Width) and emoji, 0 for combining marks, and 1 for others.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F900...0x1F9FF,
      0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }
}
