package import XferEvents

extension Fact {
  /// When something is due that is to come within a time after this, by each clock that this was read by.
  package func due(within time: Duration) -> Moment {
    Moment(
      monotonic: monotonic.map { $0.addingClamped(time.nanoseconds) },
      boottime: boottime.map { $0.addingClamped(time.nanoseconds) },
      wall: wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(time.nanoseconds)) })
  }
}
