/// What a power cut may take; a killed process loses nothing in any case.
public enum Durability: Sendable, Equatable {
  /// What the system had not brought to the disk by itself. Costs nothing.
  case process
  /// At most what was emitted in the last so long, and while the disk was busy with it. A thread of the log's own brings it
  /// there; emitting costs nothing more. Less than a millisecond counts as one.
  case interval(Duration)
  /// Nothing: `emit` returns when the event is on the disk.
  case always
}

extension Durability {
  /// Nanoseconds between two times that the log's own thread brings everything to the disk; `nil` when there is none.
  var interval: Int64? {
    guard case .interval(let duration) = self else { return nil }
    let (seconds, attoseconds) = duration.components
    // A year is as good as never, and fits.
    guard seconds < 31_536_000 else { return 31_536_000_000_000_000 }
    return max(1_000_000, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
