public import Logging
public import XferEvents

/// The privacy of a metadata value, as `XferLogHandler` honours it and any other handler may.
extension LogPrivacy: Logger.MetadataValueAttributes.Attribute {}

extension Logger.MetadataValue.StringInterpolation {
  /// A value with its privacy: `"\(user, privacy: .private)"`.
  ///
  /// A metadata value is one string with one privacy: of several that are given the strictest holds for all of it, and what
  /// is given none goes with them. So mark each interpolation of a string, or none.
  public mutating func appendInterpolation(_ value: some CustomStringConvertible & Sendable, privacy: LogPrivacy) {
    appendInterpolation(
      value,
      attributes: { $0[LogPrivacy.self] = LogPrivacy.stricter($0[LogPrivacy.self] ?? privacy, privacy) })
  }
}
