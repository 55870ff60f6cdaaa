package import XferEvents

/// A task as the user names it: its number, its session and number, or its uid.
package enum TaskSelector: Hashable, Sendable {
  /// The number in whatever session; numbers restart in each.
  case number(UInt32)
  /// A glob over `session/number`.
  case sessionAndNumber(GlobPattern)
  /// The beginning of a uid, without dashes, in small letters.
  case uid(String)
  /// A glob over session, number and uid alike.
  case any(GlobPattern)

  /// A text of digits is a number; with a slash a session and number; eight or more hexadecimal digits and dashes a uid.
  package init(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" }
    let isUID = digits.count >= 4 && digits.count <= 32 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if let number = UInt32(text) {
      self = .number(number)
    } else if text.contains("/") {
      self = .sessionAndNumber(GlobPattern(text))
    } else if isUID {
      self = .uid(digits)
    } else {
      self = .any(GlobPattern(text))
    }
  }

  package func matches(_ task: TaskIdentity) -> Bool {
    switch self {
    case .number(let number): return task.number == number
    case .sessionAndNumber(let pattern): return pattern.matches("\(task.session)/\(task.number)")
    case .uid(let prefix): return task.uid.description.filter { $0 != "-" }.hasPrefix(prefix)
    case .any(let pattern):
      return pattern.matches(String(task.number)) || pattern.matches(task.session) || pattern.matches(task.uid.description)
    }
  }
}
