import XferEvents

/// An event that was read from another source, to be written as it is: without a policy for private values, which the other source
/// has applied already.
struct CopiedEvent: TransferEvent {
  /// Stands in for the kind where only the type is known, such as in counts of lost events.
  static var kind: EventKind { .importEventRead }

  let kind: EventKind
  private let event: RecordedEvent

  /// - Returns: `nil` for an event that this version does not know, because its layout cannot be defined.
  init?(_ event: RecordedEvent) {
    guard let kind = event.kind, EventLayout.known[Int(clamping: kind.rawValue)] === event.layout else { return nil }
    (self.kind, self.event) = (kind, event)
  }

  var subject: TaskIdentity? { event.taskIdentity(.task) }

  func encode(into encoder: inout FieldEncoder) { event.view.copy(into: &encoder) }
}

// @unchecked Sendable: the protocol requires it, but a copy stays on the thread that reads the other source, like every recorded event.
extension CopiedEvent: @unchecked Sendable {}

extension EventLog {
  /// Writes a copy of an event of another source, whatever the levels of this log.
  ///
  /// - Returns: `false` if this version does not know the event.
  /// - Throws: `LogError` if the event cannot be written.
  func append(copyOf event: RecordedEvent) throws(LogError) -> Bool {
    guard let copy = CopiedEvent(event) else { return false }
    _ = try withWriter { writer in Result { () throws(LogError) in try writer.append(copy: copy) } }.get()
    return true
  }
}
