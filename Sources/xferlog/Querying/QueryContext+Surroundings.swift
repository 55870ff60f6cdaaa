import XferPredicate
import XferReport

extension QueryContext {
  /// The context of a query that a user types.
  ///
  /// - Parameters:
  ///   - isUTC: whether times without an offset are in UTC instead of the local zone.
  ///   - subjectsMissing: see the property.
  init(_ surroundings: Surroundings, isUTC: Bool, subjectsMissing: String? = nil) {
    let times = TimeExpression(now: surroundings.now(), zone: isUTC ? .utc : surroundings.localZone)
    self.init(subjectsMissing: subjectsMissing) { try? times.time($0) }
  }
}
