package import XferEvents

/// A task as the user names it: by number, by session and number, or by uid.
package enum TaskSelector: Hashable, Sendable {
  /// A task number in any session. A text with at least eight digits may also be the beginning of a uid, which is `uid`;
  /// otherwise `uid` is `nil`.
  case number(UInt32, uid: String?)
  /// A glob that is matched against the text `session/number` of a task.
  case sessionAndNumber(GlobPattern)
  /// The beginning of a uid, in lowercase and without dashes.
  case uid(String)
  /// A glob that is matched against the session, the number and the uid.
  case any(GlobPattern)

  /// Reads digits as a number, a text with a slash as a session and number, and at least four hexadecimal digits as a uid.
  package init(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" }
    let isUID = digits.count >= 4 && digits.count <= 32 && digits.allSatisfy { $0.isASCII && $0.isHexDigit }
    if let number = UInt32(text) {
      self = .number(number, uid: text.count >= 8 ? digits : nil)
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
    case .number(let number, let uid): return task.number == number || uid.map(task.uid.hasPrefix) ?? false
    case .sessionAndNumber(let pattern): return pattern.matches("\(task.session)/\(task.number)")
    case .uid(let prefix): return task.uid.hasPrefix(prefix)
    case .any(let pattern):
      return pattern.matches(String(task.number)) || pattern.matches(task.session) || pattern.matches(task.uid.description)
    }
  }
}

extension TaskUID {
  fileprivate func hasPrefix(_ digits: String) -> Bool { description.filter { $0 != "-" }.hasPrefix(digits) }
}
