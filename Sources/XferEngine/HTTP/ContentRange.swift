/// What a `Content-Range` says (RFC 9110 §14.4).
struct ContentRange: Sendable, Equatable {
  /// Bytes of the resource that the body has; `nil` in an answer that has none of them.
  let range: Range<Int64>?
  /// Bytes of the resource; `nil` when the server does not know.
  let total: Int64?

  /// - Returns: `nil` for what is no range of bytes, or contradicts itself.
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
