/// A threshold of a rule that a user may change: a duration or a count.
package struct RuleLimit<Rule: Sendable>: Sendable {
  package let name: String
  package let meaning: String
  fileprivate let value: Value

  fileprivate enum Value: Sendable {
    case duration(any WritableKeyPath<Rule, Duration> & Sendable)
    case count(any WritableKeyPath<Rule, Int> & Sendable)
  }

  package init(_ name: String, _ path: any WritableKeyPath<Rule, Duration> & Sendable, _ meaning: String) {
    (self.name, self.meaning, value) = (name, meaning, .duration(path))
  }

  package init(_ name: String, _ path: any WritableKeyPath<Rule, Int> & Sendable, _ meaning: String) {
    (self.name, self.meaning, value) = (name, meaning, .count(path))
  }
}

/// A rule's limit with its current value.
package struct LimitSetting: Hashable, Sendable {
  package let name: String
  package let meaning: String
  package let value: LimitValue
}

package enum LimitValue: Hashable, Sendable {
  case duration(Duration)
  case count(Int)
}

extension DiagnosisRule {
  /// The rule's limits with their current values.
  package var limitSettings: [LimitSetting] {
    Self.limits.map { limit in
      let value: LimitValue =
        switch limit.value {
        case .duration(let path): .duration(self[keyPath: path])
        case .count(let path): .count(self[keyPath: path])
        }
      return LimitSetting(name: limit.name, meaning: limit.meaning, value: value)
    }
  }

  /// Returns the rule with a changed limit; `nil` if the rule has no limit of that name and kind.
  package func with(limit name: String, _ value: LimitValue) -> Self? {
    guard let limit = Self.limits.first(where: { $0.name == name }) else { return nil }
    var changed = self
    switch (limit.value, value) {
    case (.duration(let path), .duration(let duration)): changed[keyPath: path] = duration
    case (.count(let path), .count(let count)): changed[keyPath: path] = count
    case (.duration, .count), (.count, .duration): return nil
    }
    return changed
  }
}
