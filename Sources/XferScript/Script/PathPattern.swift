/// A parsed route path that can be matched against request paths.
struct PathPattern: Sendable, Equatable {
  private enum Segment: Sendable, Equatable {
    case exact(Substring)
    case capture(String)
  }

  private var segments: [Segment] = []
  /// The text that must follow the segments, before the trailing star. `nil` when the pattern has no star.
  private var rest: Substring?

  /// Parses a pattern. Returns `nil` when the text is not a valid pattern.
  init?(_ text: String) {
    guard text.first == "/" else { return nil }
    var parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if let last = parts.last, last.last == "*" {
      rest = last.dropLast()
      parts.removeLast()
    }
    guard !(rest ?? "").contains(where: { "{}*".contains($0) }) else { return nil }
    for part in parts {
      if part.first == "{", part.last == "}", part.count > 2 {
        segments.append(.capture(String(part.dropFirst().dropLast())))
      } else {
        guard !part.contains(where: { "{}*".contains($0) }) else { return nil }
        segments.append(.exact(part))
      }
    }
  }

  /// Returns the captures by name, or `nil` when the path does not match. Paths are compared as sent, without unescaping.
  func captures(in path: some StringProtocol) -> [String: String]? {
    guard path.first == "/" else { return nil }
    var captures: [String: String] = [:]
    var remaining = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)[...]
    for segment in segments {
      guard let part = remaining.popFirst() else { return nil }
      switch segment {
      case .exact(let text):
        guard part == text else { return nil }
      case .capture(let name):
        guard !part.isEmpty else { return nil }
        captures[name] = String(part)
      }
    }
    if let rest { return remaining.first?.hasPrefix(rest) == true ? captures : nil }
    return remaining.isEmpty ? captures : nil
  }
}
