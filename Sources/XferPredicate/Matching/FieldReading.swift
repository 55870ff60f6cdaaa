package import XferEvents

/// The value of a field of an event, read for a comparison.
package enum FieldReading: Hashable, Sendable {
  case missing
  case number(Int64)
  case text(String)
  /// The beginning of a text that was too long to store.
  case cut(String)
  /// A private value that was not stored, or only as a keyed hash. The associated value is the text that stands for it.
  case masked(String)
  /// Several values, such as the rules of all findings about an event.
  case numbers([Int64])
  case texts([String])
  /// A definition that the value refers to is lost.
  case unreadable

  package init(_ text: RecordedText?) {
    switch text {
    case nil: self = .missing
    case .plain(let text): self = .text(text)
    case .cut(let text, _): self = .cut(text)
    case .hashed, .redacted: self = .masked(text?.description ?? "")
    }
  }

  /// Reads a task by the names under which a query can select it: `session/number`, the uid and the number.
  init(task: TaskIdentity) { self = .texts([task.label, "\(task.uid)", "\(task.number)"]) }

  package init(_ text: String?) { self = text.map(FieldReading.text) ?? .missing }
  package init(_ number: (some BinaryInteger)?) { self = number.map { .number(Int64(clamping: $0)) } ?? .missing }
  package init(_ time: WallTime?) { self.init(time?.nanoseconds) }
  package init(_ duration: Duration?) { self.init(duration.map { $0.nanoseconds }) }
}

/// The values of subjects' fields for events, as a replay of the whole log gives them.
package protocol SubjectValues: AnyObject {
  func reading(_ field: SubjectField, for event: EventView) -> FieldReading
}
