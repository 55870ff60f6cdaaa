package import XferEvents
import XferPredicate

/// A search for a regular expression in events: in the subject, the name, the message and the values of all fields.
package struct EventSearch {
  private let expression: Regex<AnyRegexOutput>
  private var messages = MessageTexts()

  /// Reads an expression. Case counts only when the expression has an uppercase letter.
  ///
  /// - Throws: an error that describes why the text is not a regular expression.
  package init(_ text: String) throws {
    // The letter of an escape such as \S does not count as an uppercase letter.
    let letters = text.replacing(#/\\./#, with: "")
    let expression = try Regex(text)
    self.expression = letters.contains(where: \.isUppercase) ? expression : expression.ignoresCase()
  }

  package mutating func finds(_ event: RecordedEvent) -> Bool {
    if finds("\(EventSubject(event).name) \(event.layout.name) \(messages.text(of: event))") { return true }
    for (_, value) in event.values where finds(value.detail) { return true }
    return false
  }

  package func finds(_ inset: EventInset) -> Bool { finds("\(inset.subject) \(inset.title) \(inset.text)") }

  // An expression that fails while it is matched, for example because it is too deep, finds nothing.
  private func finds(_ text: String) -> Bool { ((try? expression.firstMatch(in: text)) ?? nil) != nil }
}
