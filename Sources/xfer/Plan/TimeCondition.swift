import HTTPTypes
import XferEngine

/// `-z`: only what changed after a time, or before it.
struct TimeCondition: Equatable {
  let isUnmodified: Bool
  /// Seconds since 1970.
  let time: Int

  /// - Parameter modified: when the file of that name changed; `nil` when there is none.
  init(_ text: String, modified: (String) -> Int?) throws(OptionProblem) {
    isUnmodified = text.hasPrefix("-")
    let name = String(isUnmodified || text.hasPrefix("+") ? text.dropFirst() : text[...])
    guard let time = modified(name) ?? HTTPDate.seconds(name) else {
      throw OptionProblem("--time-cond takes a date or a file that is there, not '\(name)'")
    }
    self.time = time
  }

  var field: HTTPField {
    HTTPField(name: isUnmodified ? .ifUnmodifiedSince : .ifModifiedSince, value: HTTPDate.text(time))
  }

  /// Whether a response that came all the same is outside the condition.
  func excludes(lastModified: Int?) -> Bool {
    guard let lastModified else { return false }
    return isUnmodified ? lastModified > time : lastModified <= time
  }
}
