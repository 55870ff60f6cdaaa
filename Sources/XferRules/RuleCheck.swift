import XferDiagnosis
import XferEvents
import XferYAML

/// A check that rejects a rule that contradicts itself or could never report.
struct RuleCheck {
  private let rule: UserRule
  private let fields: YAMLFields

  init(_ rule: UserRule, _ fields: YAMLFields) { (self.rule, self.fields) = (rule, fields) }

  func check() throws(RuleError) {
    try checkExcuses()
    for (place, step) in rule.steps.enumerated() { try check(step, node("when", place)) }
    for (place, answer) in rule.answers.enumerated() {
      try check(answer, node(fields["never"] == nil ? "expect" : "never", place))
    }
    for (place, step) in rule.steps.enumerated().dropFirst() { try checkOrder(step, node("when", place)) }
    if case .expect(let answers) = rule.demand {
      for (place, answer) in answers.enumerated() { try checkOrder(answer, node("expect", place)) }
    } else if case .never(let pattern) = rule.demand {
      try checkOrder(pattern, node("never", 0))
    }
  }

  private func node(_ key: String, _ place: Int) -> YAMLNode {
    guard let members = fields[key]?.members, place < members.count else { return fields.owner }
    return members[place]
  }

  /// Rejects a rule with an exception in `unless` that also matches the events of `when`, `expect` or `never`.
  private func checkExcuses() throws(RuleError) {
    for (place, excuse) in rule.unless.enumerated() {
      let excuseNode = node("unless", place)
      if let step = rule.steps.first(where: { excuse.covers($0) }) {
        throw excuseNode.failure(
          .contradiction, "`unless` excludes every \(step.kinds[0].name) that `when` matches",
          "Add conditions, so that the exception does not match all of these events.")
      }
      if let answer = rule.answers.first(where: { excuse.covers($0) }) {
        let key = fields["never"] == nil ? "expect" : "never"
        throw excuseNode.failure(
          .contradiction, "`unless` excludes the \(answer.kinds[0].name) that `\(key)` names",
          "Remove it: an event cannot be both \(fields["never"] == nil ? "expected" : "forbidden") and an exception.")
      }
    }
  }

  private func check(_ pattern: EventPattern, _ node: YAMLNode) throws(RuleError) {
    for join in pattern.joins {
      let step = rule.steps[join.step]
      guard let own = pattern.conditions.first(where: { $0.field == join.field }),
        let other = step.conditions.first(where: { $0.field == join.other })
      else { continue }
      let moved = FieldCondition(own.field, other.test)
      if !own.isCompatible(with: moved) {
        throw node.failure(
          .contradiction,
          "`\(join.field.definition.name)` can never be the same: \(step.kinds[0].name) and \(pattern.kinds[0].name) require different values",
          "Change one of the two conditions, or remove `same`.")
      }
    }
    guard pattern.scope == .process, !pattern.isAboutProcess, let first = rule.steps.first, !first.isAboutProcess else { return }
    if Set(pattern.roles).isDisjoint(with: first.roles) {
      throw node.failure(
        .unreachable, "no process writes both \(first.kinds[0].name) and \(pattern.kinds[0].name)",
        "Write `per: task`, `per: session` or `per: log`, because the events come from different processes.")
    }
  }

  /// Rejects a rule in which an event that is always the first of its subject follows another event of the subject.
  private func checkOrder(_ pattern: EventPattern, _ node: YAMLNode) throws(RuleError) {
    for kind in pattern.kinds {
      guard let definition = Vocabulary.events.first(where: { $0.number == kind.rawValue }), definition.follows == ["start"],
        let subject = Vocabulary.families.first(where: { $0.name == definition.family })?.subject
      else { continue }
      let isSame = subject == "task" && pattern.scope == .task || pattern.joins.contains { $0.field.definition.name == subject }
      let followsFamily = rule.steps.contains { step in step.kinds.allSatisfy { $0.family == definition.family } }
      guard isSame, followsFamily else { continue }
      throw node.failure(
        .unreachable, "`\(kind.name)` is always the first event of its \(subject) and cannot follow another one",
        "Reverse the order, or match another \(subject).")
    }
  }
}

extension EventPattern {
  fileprivate var roles: [WriterRole] {
    writer.map { [$0] } ?? Set(kinds.flatMap(\.writers)).sorted { $0.rawValue < $1.rawValue }
  }

  /// Whether the event is about a process and may be written by another process.
  fileprivate var isAboutProcess: Bool { kinds.contains { ["process", "link"].contains($0.family) } }
}
