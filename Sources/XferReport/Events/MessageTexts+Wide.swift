import XferEvents
import XferPredicate

extension MessageTexts {
  /// Returns a message, followed by the fields of the event that it does not mention.
  ///
  /// - Parameter message: the message of the event, escaped.
  mutating func wide(_ message: String, of event: RecordedEvent) -> String {
    let others = others(of: event)
    if others.isEmpty { return message }
    var text = TextBuffer(capacity: 256)
    var pairs = LogfmtText()
    for (name, value) in others { pairs.append(name, value.text, to: &text) }
    return message.isEmpty ? text.string : message + "  " + text.string
  }
}
