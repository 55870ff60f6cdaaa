/// A rule written by a user: after a sequence of events, other events are expected or forbidden.
package struct UserRule: Sendable {
  package var description: RuleDescription
  /// The subject whose events belong together.
  package let scope: Scope
  /// The events that must come first, in this order. The last one is the rule's trigger.
  package let steps: [EventPattern]
  package let demand: Demand
  /// The excuses: any of these events keeps the rule silent.
  package let unless: [EventPattern]
  /// The time limit after the trigger; `nil` means until the scope ends. Only time in which the process was able to run counts.
  package var within: Duration?
  /// Whether an answer after the time limit is accepted as long as there is no finding.
  package let acceptsLate: Bool
  package let variant: String?
  package let summary: SummaryTemplate

  package enum Scope: String, Sendable, CaseIterable { case task, session, process, log }

  package enum Demand: Sendable {
    /// All of these events must come, in this order.
    case expect([EventPattern])
    /// This event must not come after the steps.
    case never(EventPattern)
    /// The steps themselves must not all come.
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

  /// The events that are expected or forbidden after the trigger.
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

  /// The rule's limits with their current values.
  package var limitSettings: [LimitSetting] {
    guard let within else { return [] }
    let meaning = "how long the rule waits after its trigger"
    return [LimitSetting(name: Self.withinLimit, meaning: meaning, value: .duration(within))]
  }
}
