import XferPredicate
import XferReport

extension QueryContext {
  /// The context of a query that a user types.
  ///
  /// - Parameter isFollowing: whether the log has no end, so that fields that only the end tells are not known.
  init(_ surroundings: Surroundings, isFollowing: Bool = false) {
    let missing = isFollowing ? "Leave out --follow, or name a field of the event itself, such as host or status." : nil
    let times = TimeExpression(now: surroundings.now(), zone: surroundings.localZone)
    self.init(subjectsMissing: missing) { try? times.time($0) }
  }
}
