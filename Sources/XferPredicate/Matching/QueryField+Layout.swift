package import XferEvents

extension QueryField {
  /// Returns the value that the field has in all events with a layout; `nil` if the events may have different values.
  package func reading(of layout: UnsafePointer<LayoutTable>) -> FieldReading? {
    func missing(without fields: FieldID...) -> FieldReading? {
      fields.contains(where: layout.pointee.has) ? nil : .missing
    }
    switch source {
    case .vocabulary(let id): return missing(without: id)
    case .property(.level): return .number(Int64(layout.pointee.level.rawValue))
    case .property(.event): return .text(layout.pointee.layout.name)
    case .property(.family): return .text(String(layout.pointee.layout.name.prefix { $0 != "." }))
    case .property(.task), .property(.taskUID), .property(.taskNumber): return missing(without: .task)
    case .property(.session): return missing(without: .task, .session)
    case .property: return nil
    case .subject(let field): return field.subject == .task ? missing(without: .task) : nil
    case .column: return .missing
    }
  }

  /// Returns the parts of events with a layout that give the field's value.
  package func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    if reading(of: layout) != nil { return .kind }
    switch source {
    case .property(.time), .property(.monotonic), .property(.boottime), .property(.thread), .property(.place): return .time
    case .property(.processName), .property(.processID), .property(.role), .property(.launch), .property(.boot),
      .property(.file):
      return .kind
    case .subject(let field) where field.subject == .process && isKnownAtOnce: return .kind
    case .vocabulary, .property(.task), .property(.taskUID), .property(.taskNumber), .property(.session): return .fields
    default: return .whole
    }
  }

  /// How to read a number that two events of one source share only if they have the same value of the field; `nil` if no number does.
  package var code: FieldCode? {
    switch source {
    case .property(.level): .level
    case .property(.event), .property(.family): .event
    case .property(.task), .property(.taskUID), .property(.taskNumber): .task
    case .property(.session): .session
    case .property(.processName), .property(.processID), .property(.role), .property(.launch), .property(.boot),
      .property(.file):
      .source
    case .subject(let field): !isKnownAtOnce ? nil : field.subject == .process ? .source : .task
    case .vocabulary(let id):
      switch id.type {
      case .symbol, .task, .number: .half(id)
      case .flag, .choice: .byte(id)
      default: nil
      }
    case .property, .column: nil
    }
  }
}
