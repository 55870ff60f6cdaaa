/// A rule that a user wrote: when some events have come, others have to come, or must not.
package struct UserRule: Sendable {
  package var description: RuleDescription
  /// Whose events belong together.
  package let scope: Scope
  /// The events that make it look, one after the other; the last is its trigger.
  package let steps: [EventPattern]
  package let demand: Demand
  /// Any of these makes it stay silent.
  package let unless: [EventPattern]
  /// Time from the trigger; `nil` for as long as the scope lasts. Only time in which the process could run counts.
  package var within: Duration?
  /// Whether what comes late is as good as what comes in time, while nothing has been found.
  package let acceptsLate: Bool
  package let variant: String?
  package let summary: SummaryTemplate

  package enum Scope: String, Sendable, CaseIterable { case task, session, process, log }

  package enum Demand: Sendable {
    /// All of these have to come, one after the other.
    case expect([EventPattern])
    /// This must not come after the steps.
    case never(EventPattern)
    /// The steps must not all come.
    case nothing
  }

  package init(
    description: RuleDescription, scope: Scope, steps: [EventPattern], demand: Demand, unless: [EventPattern] = [],
    within: Duration? = nil, acceptsLate: Bool = false, variant: String? = nil, summary: SummaryTemplate
  ) {
    self.description = description
    self.scope = scope
    self.steps = steps
    self.demand = demand
    self.unless = unless
    self.within = within
    self.acceptsLate = acceptsLate
    self.variant = variant
    self.summary = summary
  }

  /// What comes after the trigger.
  package var answers: [EventPattern] {
    switch demand {
    case .expect(let patterns): patterns
    case .never(let pattern): [pattern]
    case .nothing: []
    }
  }

  package var patterns: [EventPattern] { steps + answers + unless }

  // MARK: Limits

  package static let withinLimit = "within"

  /// Its limits as they are in force.
  package var limitSettings: [LimitSetting] {
    within.map { [LimitSetting(name: Self.withinLimit, meaning: "how long it waits from its trigger", value: .duration($0))] }
      ?? []
  }
}
