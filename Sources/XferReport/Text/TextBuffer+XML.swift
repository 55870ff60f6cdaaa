extension TextBuffer {
  /// Appends a text as the value of an XML attribute or as the contents of an element. Characters that XML 1.0 does not allow are escaped
  /// as on a terminal.
  mutating func appendXML(_ text: String) {
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "&": append("&amp;" as StaticString)
      case "<": append("&lt;" as StaticString)
      case ">": append("&gt;" as StaticString)
      case "\"": append("&quot;" as StaticString)
      // The only characters that XML does not allow and that do not control a terminal.
      case "\u{FFFE}": append("\\ufffe" as StaticString)
      case "\u{FFFF}": append("\\uffff" as StaticString)
      default: append(scalar)
      }
    }
  }
}
