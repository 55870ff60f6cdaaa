package import XferEvents
import XferPredicate

/// The messages of events alone, one per line, as `journalctl -o cat` prints them.
package struct EventMessages: EventDocument {
  private var messages = MessageTexts()

  package init() {}

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    append(messages.text(of: event), to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { append("── \(gap.text) ──", to: &text) }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    append("\(EventInset.mark)\(inset.title)  \(inset.text)", to: &text)
  }

  private func append(_ line: String, to text: inout TextBuffer) {
    text.append(TerminalText.escaped(line))
    text.append(UInt8(ascii: "\n"))
  }
}
