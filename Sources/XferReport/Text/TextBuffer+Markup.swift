/// A kind of markup, in which some characters of a text are written as references.
enum Markup {
  case xml, html
}

extension TextBuffer {
  /// Appends a text as the value of an XML attribute or as the contents of an element.
  mutating func appendXML(_ text: String) { append(text, in: .xml) }

  /// Appends a text in which no character is markup. Characters that change the direction or the layout of text, and those that XML 1.0
  /// does not allow, are written as on a terminal.
  mutating func append(_ text: String, in markup: Markup) {
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch (scalar, markup) {
      case ("&", _): append("&amp;" as StaticString)
      case ("<", _): append("&lt;" as StaticString)
      case (">", .xml): append("&gt;" as StaticString)
      case ("\"", .xml): append("&quot;" as StaticString)
      // The only characters that XML does not allow and that do not control a terminal.
      case ("\u{FFFE}", .xml): append("\\ufffe" as StaticString)
      case ("\u{FFFF}", .xml): append("\\uffff" as StaticString)
      default: append(scalar)
      }
    }
  }
}
