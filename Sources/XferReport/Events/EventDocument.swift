package import XferEvents

/// An output format for events, gaps and findings.
package protocol EventDocument {
  /// Writes the text before the first event.
  mutating func begin(in text: inout TextBuffer)
  mutating func append(_ event: RecordedEvent, to text: inout TextBuffer)
  mutating func append(_ gap: LogGap, to text: inout TextBuffer)
  mutating func append(_ inset: EventInset, to text: inout TextBuffer)
  /// Writes why the source of the events is incomplete, other than gaps.
  mutating func append(incompleteness reasons: [String], to text: inout TextBuffer)
  /// Writes what the document holds back, because the reader now waits for more events.
  mutating func pause(in text: inout TextBuffer)
  /// Ends an unfinished line, because other text is about to be printed.
  mutating func settle(in text: inout TextBuffer)
  /// Adapts to a new width of the terminal in columns.
  mutating func resize(to columns: Int)
  /// Writes the text after the last event.
  mutating func end(in text: inout TextBuffer)
}

extension EventDocument {
  package mutating func append(incompleteness reasons: [String], to text: inout TextBuffer) {}
  package mutating func pause(in text: inout TextBuffer) {}
  package mutating func settle(in text: inout TextBuffer) {}
  package mutating func resize(to columns: Int) {}

  package mutating func append(_ member: LogMember, to text: inout TextBuffer) {
    switch member {
    case .event(let event): append(event, to: &text)
    case .gap(let gap): append(gap, to: &text)
    }
  }
}
