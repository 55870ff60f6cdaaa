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

  /// A number that two events of one source share only if they have the same value of the field; `nil` if the field has no such number.
  package func code(of event: EventView) -> UInt64? {
    let none: UInt64 = 1 << 32
    switch source {
    case .property(.level): return UInt64(event.level.rawValue)
    case .property(.event), .property(.family): return UInt64(event.layout.number)
    case .property(.task), .property(.taskUID), .property(.taskNumber): return event.taskSymbol.map(UInt64.init) ?? none
    case .property(.session): return session(of: event)
    case .property(.processName), .property(.processID), .property(.role), .property(.launch), .property(.boot),
      .property(.file):
      return 0
    case .subject(let field):
      guard isKnownAtOnce else { return nil }
      return field.subject == .process ? 0 : event.taskSymbol.map(UInt64.init) ?? none
    case .vocabulary(let id):
      switch id.type {
      case .symbol, .task, .number: return event.half(id).map(UInt64.init) ?? none
      case .flag, .choice: return event.byte(id).map(UInt64.init) ?? none
      default: return nil
      }
    case .property, .column: return nil
    }
  }

  private func session(of event: EventView) -> UInt64 {
    // Tasks and strings are numbered separately.
    if let task = event.taskSymbol { return UInt64(task) }
    return event.half(.session).map { UInt64($0) | 1 << 33 } ?? 1 << 32
  }

  /// Whether `code` gives a number for every event.
  package var hasCode: Bool {
    switch source {
    case .property(.time), .property(.monotonic), .property(.boottime), .property(.message), .property(.thread),
      .property(.place), .column:
      false
    case .property: true
    case .subject: isKnownAtOnce
    case .vocabulary(let id):
      switch id.type {
      case .symbol, .task, .number, .flag, .choice: true
      default: false
      }
    }
  }
}
