/// A set of level rules, with at most one rule per pattern, sorted by their texts.
public struct LevelRules: Hashable, Sendable {
  public private(set) var rules: [LevelRule] = []

  public init(_ rules: some Sequence<LevelRule> = []) {
    for rule in rules { set(rule) }
  }

  /// Adds a rule, replacing one with the same pattern.
  public mutating func set(_ rule: LevelRule) {
    remove(rule.pattern)
    let text = rule.description
    rules.insert(rule, at: rules.firstIndex { $0.description > text } ?? rules.endIndex)
  }

  /// - Returns: whether there was a rule with this pattern.
  @discardableResult
  public mutating func remove(_ pattern: LevelPattern) -> Bool {
    let count = rules.count
    rules.removeAll { $0.pattern == pattern }
    return rules.count < count
  }

  /// Returns the level of the most specific rule that matches; `nil` if no rule matches.
  public func level(subsystem: String, category: String) -> Level? {
    rules.filter { $0.pattern.matches(subsystem: subsystem, category: category) }
      .max { $0.pattern.weight < $1.pattern.weight }?.level
  }
}
