import XferPredicate
import XferReport

extension QueryContext {
  /// The context of a query that a user types.
  ///
  /// - Parameters:
  ///   - isUTC: whether times without an offset are in UTC instead of the local zone.
  ///   - isFollowing: whether the log has no end, so that fields that only the end tells are not known.
  init(_ surroundings: Surroundings, isUTC: Bool, isFollowing: Bool = false) {
    let missing = isFollowing ? "Leave out --follow, or name a field of the event itself, such as host or status." : nil
    let times = TimeExpression(now: surroundings.now(), zone: isUTC ? .utc : surroundings.localZone)
    self.init(subjectsMissing: missing) { try? times.time($0) }
  }
}
