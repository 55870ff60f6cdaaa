package import XferEvents

/// A search for a text in an event as people read it: in its subject, its name, its message and the values of its fields.
package struct SearchTest: Sendable {
  private let text: String
  private let ignoresCase: Bool

  /// - Parameter text: the text. Case counts only if it has an uppercase letter.
  package init(_ text: String) {
    ignoresCase = !text.contains(where: \.isUppercase)
    self.text = ignoresCase ? text.lowercased() : text
  }

  package func finds(_ event: EventView) -> Bool {
    if finds("\(EventTexts.subject(of: event)) \(event.layout.name) \(EventTexts.message(of: event))") { return true }
    for (_, value) in event.values where finds(value.detail) { return true }
    return false
  }

  package func finds(_ text: String) -> Bool {
    TextTest.contains(ignoresCase ? text.lowercased() : text, self.text)
  }
}
