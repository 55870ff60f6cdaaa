/// The reading of the events of one kind.
package enum KindChoice: Sendable {
  case read
  /// The events are left out, and the reader counts them.
  case count
  /// The events are left out, and the reader counts them as matches.
  case countAsMatch
}

/// The part of an event that a scan must decode.
package enum ScannedPart: UInt8, Comparable, Sendable {
  /// Nothing: the receiver ignores events of this kind.
  case nothing
  /// The kind, which also gives the name and the level.
  case kind
  /// The kind and the time.
  case time
  /// The whole event.
  case fields

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Receives the events of a scan, which hands them out in any order. Each thread of a scan has its own receiver.
package protocol ScanReceiver: AnyObject {
  /// Called before the events of a source. A receiver gets all scanned events of a source before those of the next one.
  func begin(_ source: RecordSource)

  /// Returns the part of events with a layout that the receiver reads.
  func part(of layout: UnsafePointer<LayoutTable>) -> ScannedPart

  /// Receives events that are equal as far as `part` says.
  ///
  /// - Parameters:
  ///   - event: a view that is valid during the call. Below `ScannedPart.fields` it has no fields, and below `ScannedPart.time` no
  ///     meaningful times and position.
  ///   - count: the number of these events.
  func take(_ event: EventView, count: Int)

  /// Receives the number of events whose kind the receiver ignores.
  func ignore(_ count: Int)
}
