public import Logging
public import XferEvents

/// Makes `LogPrivacy` a swift-log metadata attribute. `XferLogHandler` honors it, and other log handlers may.
extension LogPrivacy: Logger.MetadataValueAttributes.Attribute {}

extension Logger.MetadataValue.StringInterpolation {
  /// Interpolates a value with a privacy level: `"\(user, privacy: .private)"`.
  ///
  /// A metadata value is one string with one privacy level: the strictest level among its interpolations. Interpolations
  /// without a level do not change it, so mark either all interpolations of a string or none.
  public mutating func appendInterpolation(_ value: some CustomStringConvertible & Sendable, privacy: LogPrivacy) {
    appendInterpolation(
      value,
      attributes: { $0[LogPrivacy.self] = LogPrivacy.stricter($0[LogPrivacy.self] ?? privacy, privacy) })
  }
}
