import XferEvents

extension Moment {
  /// When something is due that is given some time after a fact.
  init(_ delay: Duration, after fact: Fact) {
    self.init(
      monotonic: fact.monotonic.map { $0.addingClamped(delay.nanoseconds) },
      boottime: fact.boottime.map { $0.addingClamped(delay.nanoseconds) },
      wall: fact.wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(delay.nanoseconds)) })
  }
}
