/// Text in HTML elements, also within Markdown. No attribute has text from a log.
enum HTMLText {
  /// Returns a text in which no character begins an element or a reference. Characters that change the direction or the layout of text
  /// are shown as their escapes.
  static func escaped(_ text: String) -> String {
    var result = TextBuffer(capacity: text.utf8.count + 64)
    result.append(text, in: .html)
    return result.string
  }
}
