package import XferEvents

/// How to read a number that stands for the value of a field in the events of one source.
///
/// Reading it is faster than reading a `QueryField`, whose copies change reference counts.
package enum FieldCode: Sendable {
  case level, event, task, session
  /// All events of a source have the same value.
  case source
  /// The four bytes of a field.
  case half(FieldID)
  /// The byte of a field.
  case byte(FieldID)

  /// The number of an event that lacks the field. Numbers of fields are smaller.
  private static let none: UInt64 = 1 << 32

  package func number(of event: EventView) -> UInt64 {
    switch self {
    case .level: UInt64(event.level.rawValue)
    case .event: UInt64(event.layoutNumber)
    case .task: event.taskSymbol.map(UInt64.init) ?? Self.none
    // Tasks and strings are numbered separately.
    case .session: event.taskSymbol.map(UInt64.init) ?? event.half(.session).map { UInt64($0) | 1 << 33 } ?? Self.none
    case .source: 0
    case .half(let id): event.half(id).map(UInt64.init) ?? Self.none
    case .byte(let id): event.byte(id).map(UInt64.init) ?? Self.none
    }
  }
}
