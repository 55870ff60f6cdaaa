import HTTPTypes
import XferEngine

/// The time condition of `-z`: transfer only if the resource was modified after, or not after, a given time.
struct TimeCondition: Equatable {
  let isUnmodified: Bool
  /// The time in seconds since 1970.
  let time: Int

  /// - Parameter modified: Returns the modification time of the file with a given name, or `nil` when no such file exists.
  init(_ text: String, modified: (String) -> Int?) throws(OptionProblem) {
    isUnmodified = text.hasPrefix("-")
    let name = String(isUnmodified || text.hasPrefix("+") ? text.dropFirst() : text[...])
    guard let time = modified(name) ?? HTTPDate.seconds(name) else {
      throw OptionProblem("--time-cond expects a date or an existing file, not '\(name)'")
    }
    self.time = time
  }

  var field: HTTPField {
    HTTPField(name: isUnmodified ? .ifUnmodifiedSince : .ifModifiedSince, value: HTTPDate.text(time))
  }

  /// Returns whether a response does not meet the condition, although the server sent it.
  func excludes(lastModified: Int?) -> Bool {
    guard let lastModified else { return false }
    return isUnmodified ? lastModified > time : lastModified <= time
  }
}
