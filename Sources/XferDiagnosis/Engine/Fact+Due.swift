package import XferEvents

extension Fact {
  /// When something is due that is to come within a time after this.
  package func due(within time: Duration) -> Moment { Moment(monotonic: monotonic.map { $0.addingClamped(time.nanoseconds) }) }
}
