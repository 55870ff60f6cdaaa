import XferEvents
package import XferPredicate

/// Parses a query: a condition, and stages that begin with `|`.
package struct QueryParser {
  private var scanner: Scanner
  private let context: QueryContext
  private var shape = Query.Shape.events

  /// The maximum number of stages.
  private static let mostStages = 32
  /// The names of the stages.
  package static let stages = [
    "stats", "top", "slice", "sort", "fields", "limit", "context", "tasks", "findings", "seq", "absent", "where",
  ]

  /// The stages to write in place of stages of other query languages, as examples.
  private static let counterparts = [
    "aggregate": "stats count by host", "bin": "slice 5m", "bucket": "slice 5m", "columns": "fields time, event",
    "count": "stats count", "dedup": "stats count by host", "distinct": "stats count by host", "first": "limit 10",
    "grep": "where eventMessage CONTAINS \"text\"", "group": "stats count by host", "last": "sort -time | limit 10",
    "order": "sort -received", "project": "fields time, event", "select": "fields time, event",
    "summarise": "stats count by host", "summarize": "stats count by host", "table": "fields time, event",
    "tail": "sort -time | limit 10", "timechart": "slice 5m", "uniq": "stats count by host", "unique": "stats count by host",
  ]

  /// Parses a query.
  package static func query(_ text: String, _ context: QueryContext = QueryContext()) throws(QueryError) -> Query {
    var parser = QueryParser(scanner: try Scanner(text), context: context)
    return try parser.query()
  }

  private init(scanner: Scanner, context: QueryContext) { (self.scanner, self.context) = (scanner, context) }

  private mutating func query() throws(QueryError) -> Query {
    let predicate = try condition()
    var stages: [QueryStage] = []
    while true {
      let token = try scanner.next()
      if token.content == .end { return Query(predicate, stages) }
      guard token.content == .pipe else {
        if stages.isEmpty { throw parser().unexpected(token) }
        throw failure(
          .syntax, token, "unexpected `\(scanner.source(token.range))` after the stage",
          "Separate fields and figures by commas, and begin the next stage with |.")
      }
      guard stages.count < Self.mostStages else {
        throw failure(.tooDeep, token, "the query has more than \(Self.mostStages) stages", "Remove stages.")
      }
      let stage = try stage(isFirst: stages.isEmpty)
      stages.append(stage)
      shape = stage.shape(after: shape)
    }
  }

  // MARK: Stages

  private mutating func stage(isFirst: Bool) throws(QueryError) -> QueryStage {
    let token = try scanner.next()
    switch token.word?.lowercased() {
    case "where", "filter": return .filter(try condition("| where CONDITION", until: []))
    case "stats": return try statistics(slice: nil)
    case "slice":
      try requireEvents(token)
      let slice = try duration("slice 5m")
      return try slicedStatistics(slice)
    case "top": return try top()
    case "sort": return .sort(try sortKeys())
    case "fields": return .fields(try fieldList())
    case "limit", "head": return .limit(try number("limit 10"))
    case "context":
      guard isFirst else {
        throw failure(
          .unknownStage, token, "`context` must be the first stage", "Write all conditions before it: CONDITION | context 5 | …")
      }
      let count = try number("context 5")
      return .context(count, try scope())
    case "tasks":
      try requireEvents(token)
      return .tasks
    case "findings":
      try requireEvents(token)
      return .findings
    case "seq":
      try requireEvents(token)
      return try sequence()
    case "absent":
      try requireEvents(token)
      return try absence()
    default:
      let name = scanner.source(token.range)
      let advice = Self.counterparts[name.lowercased()].map { "Write | \($0), for example." }
      throw failure(
        .unknownStage, token, name.isEmpty ? "expected a stage after `|`" : "unknown stage `\(name)`",
        advice
          ?? near(
            name, Self.stages,
            "The stages are \(Self.stages.joined(separator: ", ")). To search for `|`, put the text in quotation marks."))
    }
  }

  private mutating func slicedStatistics(_ slice: Int64) throws(QueryError) -> QueryStage {
    var ahead = scanner
    if try ahead.next().content == .pipe, try ahead.next().word?.lowercased() == "stats" {
      scanner = ahead
      return try statistics(slice: slice)
    }
    return .statistics([Aggregate(.count, nil, as: nil)], by: [], slice: slice)
  }

  private mutating func statistics(slice: Int64?) throws(QueryError) -> QueryStage {
    var aggregates = [try aggregate()]
    while try takes(.comma) {
      aggregates.append(try aggregate())
      try checkLength(of: aggregates.count)
    }
    var keys: [QueryField] = []
    if try takes("by") { keys = try fieldList() }
    return .statistics(aggregates, by: keys, slice: slice)
  }

  private mutating func aggregate() throws(QueryError) -> Aggregate {
    let token = try scanner.next()
    guard let word = token.word, let function = Aggregate.Function(word) else {
      let name = scanner.source(token.range)
      throw failure(
        .syntax, token, name.isEmpty ? "expected a figure such as count or max(received)" : "unknown figure `\(name)`",
        near(name, Aggregate.Function.names, "The figures are \(Aggregate.Function.names.joined(separator: ", ")) and pN."))
    }
    var field: QueryField?
    if try takes(.open) {
      field = try self.field()
      let close = try scanner.next()
      guard close.content == .close else {
        throw failure(.syntax, close, "expected a closing parenthesis", "Write \(function.name)(FIELD).")
      }
    }
    if function != .count, field == nil {
      throw failure(.syntax, token, "`\(word)` needs a field", "Write \(word)(FIELD), for example \(word)(received).")
    }
    if function.needsNumbers, let field, ![.bytes, .count, .duration].contains(field.type) {
      throw failure(
        .badOperator, token, "`\(word)` needs numbers, and `\(field.name)` is \(field.type.phrase)",
        "Use count, distinct, min, max, first or last instead.")
    }
    var name: String?
    if try takes("as") {
      let named = try scanner.next()
      guard let word = named.word else { throw failure(.syntax, named, "expected a name after `as`", "Write a word.") }
      name = word
    }
    return Aggregate(function, field, as: name)
  }

  private mutating func top() throws(QueryError) -> QueryStage {
    let count = try number("top 10 by received")
    try require("by", "Write top \(count) by FIELD.")
    return .top(count, by: try field())
  }

  private mutating func sortKeys() throws(QueryError) -> [QueryStage.SortKey] {
    var keys: [QueryStage.SortKey] = []
    repeat {
      let token = try scanner.next()
      guard let word = token.word else { throw failure(.syntax, token, "expected a field to sort by", "Write sort FIELD desc.") }
      let isReversed = word.hasPrefix("-")
      let field = try parser().field(isReversed ? String(word.dropFirst()) : word, token)
      var isDescending = isReversed
      if try takes("desc") { isDescending = true } else { _ = try takes("asc") }
      keys.append(QueryStage.SortKey(field: field, isDescending: isDescending))
    } while try takes(.comma)
    return keys
  }

  private mutating func sequence() throws(QueryError) -> QueryStage {
    var steps = [try condition("A then B", until: ["then", "within", "by"])]
    while try takes("then") { steps.append(try condition("A then B", until: ["then", "within", "by"])) }
    let token = try scanner.peek()
    guard (2...8).contains(steps.count) else {
      throw failure(.syntax, token, "`seq` needs two to eight conditions", "Write seq A then B within 5s.")
    }
    let limit = try takes("within") ? try duration("within 5s") : nil
    return .sequence(steps, within: limit, try scope())
  }

  private mutating func absence() throws(QueryError) -> QueryStage {
    let expected = try condition("absent X within 30s after Y", until: ["within", "after", "by"])
    try require("within", "Write absent X within 30s after Y.")
    let limit = try duration("within 30s")
    try require("after", "Write absent X within 30s after Y.")
    let trigger = try condition("absent X within 30s after Y", until: ["by"])
    return .absence(expected, within: limit, after: trigger, try scope())
  }

  // MARK: Parts of stages

  private func parser(_ terminators: Set<String> = []) -> PredicateParser {
    var context = context
    if case .table(let columns) = shape { context.columns = columns }
    return PredicateParser(scanner, context, terminators: terminators)
  }

  private mutating func condition(until terminators: Set<String> = []) throws(QueryError) -> Predicate {
    var parser = parser(terminators)
    let predicate = try parser.condition()
    scanner = parser.scanner
    return predicate
  }

  private mutating func condition(_ form: String, until terminators: Set<String>) throws(QueryError) -> Predicate {
    let start = try scanner.peek()
    let predicate = try condition(until: terminators)
    guard try scanner.peek().range != start.range || predicate != .everything else {
      throw failure(.syntax, start, "expected a condition", "Write \(form), with conditions such as event=task.completed.")
    }
    return predicate
  }

  private mutating func field() throws(QueryError) -> QueryField {
    let token = try scanner.next()
    // The name of a column may be that of a figure, such as `p50(took)`.
    var name = token.word
    if case .string(let text) = token.content { name = text }
    guard var name else {
      throw failure(.syntax, token, "expected the name of a field", "Write a name such as host or received.")
    }
    if case .table = shape, try scanner.peek().content == .open {
      _ = try scanner.next()
      let inner = try scanner.next()
      let close = try scanner.next()
      guard close.content == .close else {
        throw failure(.syntax, close, "expected a closing parenthesis", "Write \(name)(FIELD).")
      }
      let written = scanner.source(inner.range)
      // The column has the short name of the field, but the query may name the field in another way.
      let short = FieldTable.field(written).map(TableColumns.shortName) ?? written
      name = "\(Aggregate.Function(name)?.name ?? name)(\(short))"
    }
    return try parser().field(name, token)
  }

  private mutating func fieldList() throws(QueryError) -> [QueryField] {
    var fields = [try field()]
    while try takes(.comma) {
      fields.append(try field())
      try checkLength(of: fields.count)
    }
    return fields
  }

  /// The maximum number of fields, figures and keys in one stage.
  private static let longestList = 64

  private func checkLength(of count: Int) throws(QueryError) {
    guard count > Self.longestList else { return }
    throw failure(
      .tooDeep, try scanner.peek(), "a stage names more than \(Self.longestList) fields", "Name fewer of them.")
  }

  private mutating func scope() throws(QueryError) -> QueryScope {
    guard try takes("by") else { return .task }
    let token = try scanner.next()
    guard let scope = token.word.flatMap({ QueryScope(rawValue: $0.lowercased()) }) else {
      throw failure(.syntax, token, "expected task, session, process or log", "Write by task, by session, by process or by log.")
    }
    return scope
  }

  private mutating func number(_ example: String) throws(QueryError) -> Int {
    let token = try scanner.next()
    guard let number = token.word.flatMap({ Int($0) }), (1...1_000_000).contains(number) else {
      throw failure(.badValue, token, "expected a whole number from 1 to 1000000", "Write a number, for example \(example).")
    }
    return number
  }

  private mutating func duration(_ example: String) throws(QueryError) -> Int64 {
    let token = try scanner.next()
    guard let duration = token.word.flatMap({ try? Quantity.nanoseconds($0) }), duration > 0 else {
      throw failure(.badValue, token, "expected a duration", "Write a number with ms, s, m, h or d, for example \(example).")
    }
    return duration
  }

  private mutating func takes(_ content: Token.Content) throws(QueryError) -> Bool {
    guard try scanner.peek().content == content else { return false }
    _ = try scanner.next()
    return true
  }

  private mutating func takes(_ word: String) throws(QueryError) -> Bool {
    guard try scanner.peek().word?.lowercased() == word else { return false }
    _ = try scanner.next()
    return true
  }

  private mutating func require(_ word: String, _ advice: String) throws(QueryError) {
    let token = try scanner.peek()
    guard try takes(word) else { throw failure(.syntax, token, "expected `\(word)`", advice) }
  }

  private func requireEvents(_ token: Token) throws(QueryError) {
    guard case .table = shape else { return }
    let name = scanner.source(token.range)
    throw failure(
      .unknownStage, token, "`\(name)` needs events, but an earlier stage has made a table", "Write `\(name)` before that stage.")
  }

  // MARK: Errors

  private func failure(_ code: QueryError.Code, _ token: Token, _ problem: String, _ advice: String) -> QueryError {
    parser().failure(code, token, problem, advice)
  }

  private func near(_ name: String, _ names: [String], _ all: String) -> String {
    let near = name.utf8.count <= NearNames.longest ? NearNames.of(name, among: names) : []
    return near.isEmpty ? all : "Did you mean \(near.joined(separator: " or "))?"
  }
}
