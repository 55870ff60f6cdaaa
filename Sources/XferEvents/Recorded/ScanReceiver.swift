/// The reading of the events of one kind.
package enum KindChoice: Sendable {
  case read
  /// The events are left out, and the reader counts them.
  case count
  /// The events are left out, and the reader counts them as matches.
  case countAsMatch
}

/// The parts of an event that a receiver reads, so that a scan decodes only these. The set is empty for events that the receiver ignores.
package struct ScannedParts: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The kind, which also gives the name and the level.
  package static let kind = ScannedParts(rawValue: 1)
  /// The kind, the time and the position.
  package static let time = ScannedParts(rawValue: 1 << 1 | 1)
  /// The kind and the fields.
  package static let fields = ScannedParts(rawValue: 1 << 2 | 1)
  package static let whole: ScannedParts = [.time, .fields]
}

/// Receives the events of a scan, which hands them out in any order. Each thread of a scan has its own receiver.
package protocol ScanReceiver: AnyObject {
  /// Called before the events of a source. A receiver gets all scanned events of a source before those of the next one.
  func begin(_ source: RecordSource)

  /// Returns the parts of events with a layout that the receiver reads.
  func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts

  /// Receives events that are equal as far as `parts` says.
  ///
  /// - Parameters:
  ///   - event: a view that is valid during the call. Without `ScannedParts.fields` it has no fields, and without `ScannedParts.time` no
  ///     meaningful times and position.
  ///   - count: the number of these events.
  func take(_ event: EventView, count: Int)

  /// Receives the number of events whose kind the receiver ignores.
  func ignore(_ count: Int)
}
