import XferDiagnosis
import XferEvents
import XferPredicate
import XferYAML

/// A reader for event patterns, which are an event's name, or a name with conditions.
struct PatternReader {
  enum Place { case firstStep, step, answer, excuse }

  private let node: YAMLNode
  private let place: Place
  private let scope: UserRule.Scope
  private let steps: [EventPattern]

  /// - Parameters:
  ///   - scope: the scope of the rule.
  ///   - steps: the previous steps of the rule.
  init(_ node: YAMLNode, _ place: Place, _ scope: UserRule.Scope, _ steps: [EventPattern]) {
    (self.node, self.place, self.scope, self.steps) = (node, place, scope, steps)
  }

  private var keys: [String] {
    switch place {
    case .firstStep: ["event", "by", "fields", "where"]
    case .step: ["event", "by", "fields", "where", "same", "within"]
    case .answer: ["event", "by", "fields", "where", "same", "per"]
    case .excuse: ["event", "by", "fields", "where", "same", "per", "before"]
    }
  }

  func pattern() throws(RuleError) -> EventPattern {
    if case .scalar = node.content { return try checked(EventPattern([try Self.kind(node)], scope: scope)) }
    let fields = try node.fields("an event", keys)
    let named = try fields.required("event", "Name an event, for example task.transferred.")
    var kinds: [EventKind] = []
    for member in named.members { kinds.append(try Self.kind(member)) }
    if kinds.isEmpty { throw named.failure("`event` names no event", "Name one, for example task.transferred.") }
    let writer = try fields["by"].map { node throws(RuleError) in try Self.writer(node, kinds) }
    let ownScope = try fields["per"]?.choice("scope", UserRule.Scope.self) ?? scope
    return try checked(
      EventPattern(
        kinds, writer: writer, conditions: try conditions(fields["fields"], kinds),
        condition: try fields["where"].map { node throws(RuleError) in try Self.condition(node, kinds) },
        joins: try joins(fields["same"], kinds),
        scope: ownScope, within: try fields["within"]?.span("within"), mayComeBefore: try fields["before"]?.flag() ?? false))
  }

  // MARK: Events

  static func kind(_ node: YAMLNode) throws(RuleError) -> EventKind {
    let name = try node.text("an event")
    if let kind = EventKind.named(name) { return kind }
    throw node.failure(
      .unknownEvent, "unknown event `\(name)`",
      .near(name, EventKind.allCases.map(\.name), all: "`xferlog schema` lists all events."))
  }

  private static func writer(_ node: YAMLNode, _ kinds: [EventKind]) throws(RuleError) -> WriterRole {
    let name = try node.text("a writer")
    guard let role = WriterRole.allCases.first(where: { $0.name == name }) else {
      throw node.failure("unknown writer `\(name)`", .near(name, WriterRole.allCases.map(\.name)))
    }
    if let kind = kinds.first(where: { !$0.isWritten(by: role) }) {
      let writers = kind.writers.map(\.name).joined(separator: ", ")
      throw node.failure(.unreachable, "`\(kind.name)` is never written by \(name)", "The event is written by \(writers).")
    }
    return role
  }

  /// Rejects a pattern with an event that names no subject of the pattern's scope, for example no task.
  private func checked(_ pattern: EventPattern) throws(RuleError) -> EventPattern {
    for kind in pattern.kinds where !kind.names(pattern.scope) {
      let wider = place == .answer || place == .excuse
      throw node.failure(
        .unreachable, "`\(kind.name)` does not name a \(pattern.scope.rawValue)",
        wider
          ? "Write `per: process` or `per: log` for the event, if it concerns every \(pattern.scope.rawValue) there."
          : "Use an event that names one, or write `per: process` or `per: log` for the rule.")
    }
    return pattern
  }

  // MARK: Fields

  private static func field(_ node: YAMLNode, _ name: String, of kinds: [EventKind]) throws(RuleError) -> FieldID {
    for kind in kinds {
      let names = kind.fieldNames
      if !names.contains(name) {
        throw node.failure(.unknownField, "`\(kind.name)` has no field `\(name)`", .near(name, names))
      }
    }
    guard let field = FieldID(name: name) else { preconditionFailure("an event's fields are the vocabulary's") }
    return field
  }

  private func conditions(_ node: YAMLNode?, _ kinds: [EventKind]) throws(RuleError) -> [FieldCondition] {
    guard let node else { return [] }
    guard case .mapping(let pairs) = node.content else {
      throw node.failure("`fields` must map fields to conditions", "Write `fields: {status: 404}`.")
    }
    var conditions: [FieldCondition] = []
    for (key, value) in pairs {
      let field = try Self.field(key, key.text("a field"), of: kinds)
      conditions.append(FieldCondition(field, try Self.test(value, FieldValues(field: field))))
    }
    return conditions
  }

  /// Reads a condition in the query language, which may name fields of the event only.
  private static func condition(_ node: YAMLNode, _ kinds: [EventKind]) throws(RuleError) -> EventTest {
    let text = try node.text("a condition")
    let context = QueryContext(
      subjectsMissing: "A rule sees one event at a time. Name a field of the event itself, such as status.")
    let predicate: Predicate
    do throws(QueryError) { predicate = try PredicateParser.predicate(text, context) } catch {
      throw node.failure(error.code == .unknownField ? .unknownField : .badValue, error.placed, error.advice)
    }
    for field in predicate.fields {
      guard case .vocabulary(let id) = field.source else { continue }
      let name = id.definition.name
      if kinds.contains(where: { $0.fieldNames.contains(name) }) { continue }
      let names = kinds.flatMap(\.fieldNames)
      throw node.failure(
        .unknownField, "`where` names the field `\(field.name)`, which \(kinds[0].name) does not have", .near(name, names))
    }
    return EventTest(predicate)
  }

  private static func test(_ node: YAMLNode, _ values: FieldValues) throws(RuleError) -> FieldCondition.Test {
    if node.isNull { return .isPresent(false) }
    switch node.content {
    case .mapping:
      let fields = try node.fields("a condition", ["exists", "not"])
      if fields["exists"] != nil, let not = fields["not"] {
        throw not.failure(.contradiction, "`exists` and `not` cannot be combined", "Keep one of them.")
      }
      if let exists = fields["exists"] { return .isPresent(try exists.flag()) }
      let not = try fields.required("not", "Write `exists: true`, or `not:` with a value or a list.")
      return .isNoneOf(try Self.list(not, values))
    case .list: return .isOneOf(try Self.list(node, values))
    case .scalar:
      if let range = try values.comparison(node) { return .isWithin(range) }
      return .isOneOf([try values.value(node)])
    }
  }

  private static func list(_ node: YAMLNode, _ values: FieldValues) throws(RuleError) -> [RecordedValue] {
    var list: [RecordedValue] = []
    for member in node.members { list.append(try values.value(member)) }
    if list.isEmpty {
      throw node.failure(.contradiction, "an empty list matches no value", "List the values, or remove the field.")
    }
    return list
  }

  /// Reads conditions such as `same: [delivery, {peer: launch}]`.
  private func joins(_ node: YAMLNode?, _ kinds: [EventKind]) throws(RuleError) -> [EventPattern.Join] {
    var joins: [EventPattern.Join] = []
    for member in node?.members ?? [] {
      var pairs = [(key: member, value: member)]
      if case .mapping(let named) = member.content { pairs = named }
      for (key, value) in pairs {
        let field = try Self.field(key, key.text("a field"), of: kinds)
        joins.append(try join(field, value))
      }
    }
    return joins
  }

  /// Returns the join with the nearest previous step that has the field.
  private func join(_ field: FieldID, _ node: YAMLNode) throws(RuleError) -> EventPattern.Join {
    let name = try node.text("a field")
    guard let step = steps.lastIndex(where: { $0.kinds.allSatisfy { $0.fieldNames.contains(name) } }) else {
      let names = steps.flatMap(\.kinds)
      throw node.failure(
        .unknownField, "no event of `when` has a field `\(name)` to compare with",
        .near(name, names.flatMap(\.fieldNames), all: "\(names[0].name) has \(names[0].fieldNames.joined(separator: ", "))."))
    }
    let other = FieldID(name: name)!
    guard other.type == field.type else {
      throw node.failure(
        .contradiction, "`\(field.definition.name)` and `\(name)` have different types, so they are never equal",
        "Name fields of the same type. `xferlog schema` lists the types.")
    }
    return EventPattern.Join(field, step: step, other)
  }
}

extension EventKind {
  /// The names of the fields, in reading order.
  var fieldNames: [String] {
    guard let layout = EventLayout.known[Int(rawValue)] else { return [] }
    return layout.readingOrder.map { layout.fields[$0].name }
  }

  /// Whether the event names the task or session that a scope needs.
  fileprivate func names(_ scope: UserRule.Scope) -> Bool {
    switch scope {
    case .task: fieldNames.contains("task")
    case .session: fieldNames.contains("session") || fieldNames.contains("task")
    case .process, .log: true
    }
  }
}
