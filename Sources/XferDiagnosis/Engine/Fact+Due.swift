package import XferEvents

extension Fact {
  /// Returns the deadline that lies a time after the fact, on each clock on which the fact's own time is known.
  package func due(within time: Duration) -> Moment {
    Moment(
      monotonic: monotonic.map { $0.addingClamped(time.nanoseconds) },
      boottime: boottime.map { $0.addingClamped(time.nanoseconds) },
      wall: wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(time.nanoseconds)) })
  }
}
