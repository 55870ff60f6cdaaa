extension ImportCoverage {
  private static let (apple, open) = ("+apple", "+open")

  /// The kinds and properties as words, joined by commas.
  package var words: String {
    let marks = [isApple ? Self.apple : nil, mayLeaveOutEnds ? Self.open : nil].compactMap(\.self)
    return (marks + kinds.map(\.name).sorted()).joined(separator: ",")
  }

  /// Reads the words that `words` returns. Unknown events are left out, because this reader cannot miss them.
  package init(log: String, words: String) {
    let parts = words.split(separator: ",").map(String.init)
    let kinds = parts.compactMap { EventKind.named($0) }
    self.init(log: log, kinds: Set(kinds), isApple: parts.contains(Self.apple), mayLeaveOutEnds: parts.contains(Self.open))
  }
}

extension InstallationID {
  /// The identifier in the form of a UUID.
  package var text: String { "\(LaunchID(high: high, low: low))" }

  package init?(text: String) {
    guard let halves = LaunchID(text) else { return nil }
    self.init(high: halves.high, low: halves.low)
  }
}
