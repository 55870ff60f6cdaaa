/// A parsed `Content-Range` field (RFC 9110 §14.4).
struct ContentRange: Sendable, Equatable {
  /// The byte range that the body contains. `nil` for an unsatisfied range (`bytes */1234`).
  let range: Range<Int64>?
  /// The size of the resource, in bytes. `nil` when the server does not know it.
  let total: Int64?

  /// Parses the field's value. `nil` when it is not a valid byte range.
  init?(_ text: String) {
    guard text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    total = Self.number(parts[1])
    guard total != nil || parts[1] == "*" else { return nil }
    if parts[0] == "*" {
      range = nil
      return
    }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last, last < .max,
      last < total ?? .max
    else { return nil }
    range = first..<last + 1
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { 48...57 ~= $0 } ? Int64(text) : nil
  }
}
