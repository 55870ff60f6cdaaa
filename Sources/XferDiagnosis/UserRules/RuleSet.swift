import XferEvents

/// The rules in use: those of the catalogue, with the limits that a user set, and the user's own.
package struct RuleSet: Sendable {
  package private(set) var builtIn: [any DiagnosisRule] = RuleCatalogue.rules
  package private(set) var users: [UserRule] = []
  /// The limits that differ from the rules' defaults, in the order in which they were set.
  package private(set) var changes: [Change] = []

  package init() {}

  package static let catalogue = RuleSet()

  /// A limit that a user set.
  package struct Change: Sendable, Hashable {
    package let rule: String
    package let limit: String
    package let value: LimitValue
    /// The rule's default for the limit.
    package let usual: LimitValue
  }

  /// The reason why a limit cannot be set.
  package enum Problem: Error, Equatable {
    case noRule(near: [String])
    case noLimit(near: [String], known: [String])
    /// A count was given for a duration, or a duration for a count.
    case wrongKind(LimitValue)
    /// The value is not positive.
    case tooSmall
  }

  /// The descriptions of all rules. Without user rules, this is the catalogue's own list and costs nothing.
  package var descriptions: [RuleDescription] { RuleCatalogue.descriptions + users.map(\.description) }

  package func description(_ id: String) -> RuleDescription? {
    RuleCatalogue.descriptions.first { $0.id == id } ?? users.first { $0.description.id == id }?.description
  }

  /// Returns a rule's limits with their current values.
  package func limitSettings(of id: String) -> [LimitSetting] {
    if let user = users.first(where: { $0.description.id == id }) { return user.limitSettings }
    return builtIn.first { type(of: $0).description.id == id }?.limitSettings ?? []
  }

  /// Returns the default of a limit that a user changed; `nil` if the limit is unchanged.
  package func usual(_ limit: String, of rule: String) -> LimitValue? {
    changes.first { $0.rule == rule && $0.limit == limit }?.usual
  }

  package mutating func add(_ rule: UserRule) { users.append(rule) }

  package mutating func set(_ limit: String, of rule: String, to value: LimitValue) throws(Problem) {
    guard description(rule) != nil else { throw .noRule(near: NearNames.of(rule, among: descriptions.map(\.id))) }
    let settings = limitSettings(of: rule)
    guard let setting = settings.first(where: { $0.name == limit }) else {
      let known = settings.map(\.name)
      throw .noLimit(near: NearNames.of(limit, among: known), known: known)
    }
    switch (setting.value, value) {
    case (.duration, .duration(let duration)): if duration <= .zero { throw .tooSmall }
    case (.count, .count(let count)): if count < 1 { throw .tooSmall }
    case (.duration, .count), (.count, .duration): throw .wrongKind(setting.value)
    }
    put(value, limit, rule)
    note(Change(rule: rule, limit: limit, value: value, usual: usual(limit, of: rule) ?? setting.value))
  }

  private mutating func put(_ value: LimitValue, _ limit: String, _ rule: String) {
    if let place = users.firstIndex(where: { $0.description.id == rule }) {
      if case .duration(let duration) = value { users[place].within = duration }
    } else if let place = builtIn.firstIndex(where: { type(of: $0).description.id == rule }),
      let changed = builtIn[place].with(limit: limit, value)
    {
      builtIn[place] = changed
    }
  }

  /// Notes a change of a limit. A limit that was set back to its default is not listed.
  private mutating func note(_ change: Change) {
    changes.removeAll { $0.rule == change.rule && $0.limit == change.limit }
    if change.value != change.usual { changes.append(change) }
  }
}
