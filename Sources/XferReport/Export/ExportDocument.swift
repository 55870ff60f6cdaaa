package import XferEvents

/// An export format. An `EventDocument` receives only the selected events. An export receives all events, because several events
/// describe one request, and the filter may select only some of these.
package protocol ExportDocument {
  /// Writes the text before the first record.
  mutating func begin(in text: inout TextBuffer)

  /// - Parameter isSelected: whether the event matches the user's filter.
  mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) throws

  mutating func append(_ gap: LogGap, to text: inout TextBuffer) throws

  /// Writes the next piece of the text after the last event.
  ///
  /// - Parameter reasons: why the source of the events is incomplete, other than gaps.
  /// - Returns: whether more pieces follow.
  mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) throws -> Bool

  /// The number of records that were written.
  var count: Int { get }
  /// The word for a record of the format, in the singular and the plural.
  var noun: (one: String, many: String) { get }
  /// The kinds of selected events that were not written, each as a clause.
  var losses: [String] { get }
}

extension ExportDocument {
  package var losses: [String] { [] }
}

/// The export of single events in the format of an `EventDocument`.
package struct EventExport<Document: EventDocument>: ExportDocument {
  private var document: Document
  package private(set) var count = 0
  package let noun = (one: "event", many: "events")

  package init(_ document: Document) { self.document = document }

  package mutating func begin(in text: inout TextBuffer) { document.begin(in: &text) }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    guard isSelected else { return }
    count += 1
    document.append(event, to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { document.append(gap, to: &text) }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    document.append(incompleteness: reasons, to: &text)
    document.end(in: &text)
    return false
  }
}
