import XferDiagnosis
import XferEvents

/// A reader for one rule. It rejects rules that could never report, or never stay silent.
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
    let scope = try fields.required("per", "Write whose events belong together: task, session, process or log.")
      .choice("scope", UserRule.Scope.self)
    let steps = try steps(scope)
    let demand = try demand(scope, steps)
    var unless: [EventPattern] = []
    for excuse in fields["unless"]?.members ?? [] { unless.append(try PatternReader(excuse, .excuse, scope, steps).pattern()) }
    let within = try within(demand)
    let met: [EventPattern] = if case .never(let pattern) = demand { [pattern] } else { [] }
    let summary = try SummaryReader(fields.required("summary", "Say in a sentence what has gone wrong.")).template(
      scope, steps + met)
    let variant = try fields["variant"]?.text("a variant")
    let isLateAccepted = try fields["late"]?.choice("word for what is late", Lateness.self) == .accepted
    if isLateAccepted, fields["expect"] == nil || within == nil {
      throw fields["late"]!.failure(
        .contradiction, "nothing can be late", "Say with `expect` and `within` what has to come, and when.")
    }
    let description = RuleDescription(
      id: id,
      severity: try fields.required("severity", "Write critical, error, warning or notice.").choice("severity", Severity.self),
      summary: summary.text, explanation: try sentence("explanation", "Say why it is a problem."),
      remedy: try sentence("remedy", "Say what is to be done about it."), sources: try texts("sources"),
      needsNoDebugger: try fields["silent-under-debugger"]?.flag() ?? false, consequenceOf: try texts("follows-from"),
      origin: "\(node.place.file):\(node.place.line)", reports: try examples("reports", variant),
      staysSilent: try examples("stays-silent", nil))
    let rule = UserRule(
      description: description, scope: scope, steps: steps, demand: demand, unless: unless, within: within,
      acceptsLate: isLateAccepted, variant: variant, summary: summary)
    try RuleCheck(rule, fields).check()
    return RuleFile.WrittenRule(rule: rule, place: fields["id"]!.place)
  }

  // MARK: Texts

  private func id() throws(RuleError) -> String {
    let node = try fields.required("id", "Name the problem, as upload-never-confirmed.")
    let id = try node.text("an id")
    let isPlain = id.unicodeScalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    guard isPlain, id.first != "-", id.last != "-" else {
      throw node.failure("`\(id)` is no id", "Write small letters and digits, words joined by -: upload-never-confirmed.")
    }
    return id
  }

  private func sentence(_ key: String, _ advice: String) throws(RuleError) -> String {
    let text = try fields.required(key, advice).text("a text")
    // YAML folds a line break into a space.
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func texts(_ key: String) throws(RuleError) -> [String] {
    var texts: [String] = []
    for member in fields[key]?.members ?? [] { texts.append(try member.text("a text")) }
    return texts
  }

  // MARK: What has to come

  private func steps(_ scope: UserRule.Scope) throws(RuleError) -> [EventPattern] {
    let node = try fields.required("when", "Name the event that makes the rule look, as task.transferred.")
    var steps: [EventPattern] = []
    for member in node.members {
      steps.append(try PatternReader(member, steps.isEmpty ? .firstStep : .step, scope, steps).pattern())
    }
    if steps.isEmpty { throw node.failure("no event makes the rule look", "Name one, as task.transferred.") }
    return steps
  }

  private func demand(_ scope: UserRule.Scope, _ steps: [EventPattern]) throws(RuleError) -> UserRule.Demand {
    if let expect = fields["expect"], let never = fields["never"] {
      let later = expect.place.line < never.place.line ? never : expect
      throw later.failure(
        .contradiction, "a rule either expects something or forbids it", "Keep `expect` or `never`; write two rules for both.")
    }
    if let never = fields["never"] { return .never(try PatternReader(never, .answer, scope, steps).pattern()) }
    let expect = try fields.required(
      "expect", "Name what has to come; `never` names what must not, and `expect: none` forbids what `when` says.")
    if expect.scalar == "none" { return .nothing }
    var answers: [EventPattern] = []
    for member in expect.members { answers.append(try PatternReader(member, .answer, scope, steps).pattern()) }
    if answers.isEmpty {
      throw expect.failure("nothing is expected", "Name an event, or write `none` to forbid what `when` says.")
    }
    return .expect(answers)
  }

  private func within(_ demand: UserRule.Demand) throws(RuleError) -> Duration? {
    guard let node = fields["within"] else { return nil }
    if case .nothing = demand {
      throw node.failure(
        .contradiction, "`within` counts from `when` to what has to come, and nothing has to",
        "Write it at a step of `when`, for the time since the step before.")
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
    let text = try text("a length of time")
    guard let nanoseconds = FieldValues.duration(text) else {
      throw failure("`\(text)` is no length of time", "Write a number with ms, s, m, h or d: 30s.")
    }
    guard nanoseconds > 0 else {
      throw failure(.contradiction, "nothing comes within \(text)", "Write a `\(what)` of more than nothing.")
    }
    return .nanoseconds(nanoseconds)
  }
}
