import XferDiagnosis
import XferEvents
import XferYAML

/// A reader for one user-defined rule. Rules that could never report, or never stay silent, are rejected.
struct RuleReader {
  private let node: YAMLNode
  private let fields: YAMLFields

  private static let keys = [
    "id", "severity", "summary", "explanation", "remedy", "sources", "variant", "per", "when", "expect", "never", "within",
    "unless", "late", "silent-under-debugger", "follows-from", "reports", "stays-silent",
  ]

  private enum Lateness: String, CaseIterable { case reported, accepted }

  init(_ node: YAMLNode) throws(RuleError) {
    self.node = node
    fields = try node.fields("a rule", Self.keys)
  }

  func written() throws(RuleError) -> RuleFile.WrittenRule {
    let id = try id()
    let scope = try fields.required("per", "Write the scope whose events belong together: task, session, process or log.")
      .choice("scope", UserRule.Scope.self)
    let steps = try steps(scope)
    let demand = try demand(scope, steps)
    var unless: [EventPattern] = []
    for excuse in fields["unless"]?.members ?? [] { unless.append(try PatternReader(excuse, .excuse, scope, steps).pattern()) }
    let within = try within(demand)
    let met: [EventPattern] = if case .never(let pattern) = demand { [pattern] } else { [] }
    let summary = try SummaryReader(fields.required("summary", "Describe the fault in one sentence.")).template(
      scope, steps + met)
    let variant = try fields["variant"]?.text("a variant")
    let isLateAccepted = try fields["late"]?.choice("value of `late`", Lateness.self) == .accepted
    if isLateAccepted, fields["expect"] == nil || within == nil {
      throw fields["late"]!.failure(
        .contradiction, "`late` needs `expect` and `within`", "Name the expected event and the time in which it is due.")
    }
    let (reports, staysSilent) = (try examples("reports", variant), try examples("stays-silent", nil))
    let description = RuleDescription(
      id: id,
      severity: try fields.required("severity", "Write critical, error, warning or notice.").choice("severity", Severity.self),
      summary: summary.text, explanation: try sentence("explanation", "Explain why the fault is a problem."),
      remedy: try sentence("remedy", "Describe how to fix the fault."), sources: try texts("sources"),
      needsNoDebugger: try fields["silent-under-debugger"]?.flag() ?? false, isStatedByEvents: true,
      consequenceOf: try texts("follows-from"),
      origin: "\(node.place.file):\(node.place.line)", reports: reports, staysSilent: staysSilent)
    let rule = UserRule(
      description: description, scope: scope, steps: steps, demand: demand, unless: unless, within: within,
      acceptsLate: isLateAccepted, variant: variant, summary: summary)
    try RuleCheck(rule, fields).check()
    return RuleFile.WrittenRule(rule: rule, place: fields["id"]!.place)
  }

  // MARK: Texts

  private func id() throws(RuleError) -> String {
    let node = try fields.required("id", "Name the problem, for example upload-never-confirmed.")
    let id = try node.text("an id")
    let isPlain = id.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    guard isPlain, id.first != "-", id.last != "-" else {
      throw node.failure(
        "`\(id)` is not a valid id", "Write lowercase words and digits joined by hyphens, for example upload-never-confirmed.")
    }
    return id
  }

  private func sentence(_ key: String, _ advice: String) throws(RuleError) -> String {
    let text = try fields.required(key, advice).text("a text")
    // YAML's literal style keeps line breaks, but the text is one paragraph.
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func texts(_ key: String) throws(RuleError) -> [String] {
    var texts: [String] = []
    for member in fields[key]?.members ?? [] { texts.append(try member.text("a text")) }
    return texts
  }

  // MARK: Events

  private func steps(_ scope: UserRule.Scope) throws(RuleError) -> [EventPattern] {
    let node = try fields.required("when", "Name the event that triggers the rule, for example task.transferred.")
    var steps: [EventPattern] = []
    for member in node.members {
      steps.append(try PatternReader(member, steps.isEmpty ? .firstStep : .step, scope, steps).pattern())
    }
    if steps.isEmpty { throw node.failure("`when` names no event", "Name one, for example task.transferred.") }
    return steps
  }

  private func demand(_ scope: UserRule.Scope, _ steps: [EventPattern]) throws(RuleError) -> UserRule.Demand {
    if let expect = fields["expect"], let never = fields["never"] {
      let later = expect.place.line < never.place.line ? never : expect
      throw later.failure(
        .contradiction, "`expect` and `never` cannot be combined", "Keep one of them, or write two rules.")
    }
    if let never = fields["never"] { return .never(try PatternReader(never, .answer, scope, steps).pattern()) }
    let expect = try fields.required(
      "expect",
      "Name the expected event, or write `never` with a forbidden event, or `expect: none` to forbid the events of `when`.")
    if expect.scalar == "none" { return .nothing }
    var answers: [EventPattern] = []
    for member in expect.members { answers.append(try PatternReader(member, .answer, scope, steps).pattern()) }
    if answers.isEmpty {
      throw expect.failure("`expect` names no event", "Name one, or write `none` to forbid the events of `when`.")
    }
    return .expect(answers)
  }

  private func within(_ demand: UserRule.Demand) throws(RuleError) -> Duration? {
    guard let node = fields["within"] else { return nil }
    if case .nothing = demand {
      throw node.failure(
        .contradiction, "`within` needs an event in `expect` or `never`",
        "To limit the time since the previous step, write `within` at a step of `when`.")
    }
    return try node.span("within")
  }

  private func examples(_ key: String, _ variant: String?) throws(RuleError) -> [RuleExample] {
    var examples: [RuleExample] = []
    guard let node = fields[key], !node.isNull else { return [] }
    for member in node.members {
      examples.append(try ExampleReader(member, isReported: key == "reports").example(variant))
    }
    return examples
  }
}

extension YAMLNode {
  /// Returns a positive duration.
  func span(_ what: String) throws(RuleError) -> Duration {
    let text = try text("a duration")
    guard let nanoseconds = FieldValues.duration(text) else {
      throw failure("`\(text)` is not a duration", "Write a number with ms, s, m, h or d, for example 30s.")
    }
    guard nanoseconds > 0 else {
      throw failure(.contradiction, "`\(what)` cannot be \(text)", "Write a duration greater than zero.")
    }
    return .nanoseconds(nanoseconds)
  }
}
