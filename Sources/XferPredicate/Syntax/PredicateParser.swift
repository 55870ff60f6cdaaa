import XferEvents

/// Parses conditions from the tokens of a query.
///
/// Apple's predicates and short forms are the same language: `subsystem == "x" AND category CONTAINS[c] "net"` and `level>=error
/// host=cdn.example.com`. Neighbouring terms are joined with *and*.
package struct PredicateParser {
  package var scanner: Scanner
  package let context: QueryContext
  /// The words that end a condition within a stage, such as `then`.
  private let terminators: Set<String>
  private var depth = 0

  /// The maximum nesting of parentheses and negations.
  package static let deepest = 64

  package init(_ scanner: Scanner, _ context: QueryContext, terminators: Set<String> = []) {
    (self.scanner, self.context, self.terminators) = (scanner, context, terminators)
  }

  /// Parses a whole text as a condition. An empty text is met by every event.
  package static func predicate(_ text: String, _ context: QueryContext = QueryContext()) throws(QueryError) -> Predicate {
    var parser = PredicateParser(try Scanner(text), context)
    let predicate = try parser.condition()
    let rest = try parser.scanner.next()
    guard rest.content == .end else {
      if rest.content == .pipe {
        throw parser.failure(.syntax, rest, "a condition has no stages", "Use `xferlog query` for a query with `|`.")
      }
      throw parser.unexpected(rest)
    }
    return predicate
  }

  /// Parses a condition up to a token that cannot continue it. Without any term, returns `everything`.
  package mutating func condition() throws(QueryError) -> Predicate {
    guard try startsTerm() else { return .everything }
    return try disjunction()
  }

  // MARK: Terms

  private mutating func disjunction() throws(QueryError) -> Predicate {
    var members = [try conjunction()]
    while try takes(.or, "or") { members.append(try conjunction()) }
    return .any(members)
  }

  private mutating func conjunction() throws(QueryError) -> Predicate {
    var members = [try negation()]
    while true {
      if try takes(.and, "and") {
        members.append(try negation())
      } else if try startsTerm() {
        members.append(try negation())
      } else {
        return .all(members)
      }
    }
  }

  private mutating func negation() throws(QueryError) -> Predicate {
    let start = try scanner.peek()
    guard try takes(.not, "not") else { return try primary() }
    try descend(start)
    defer { depth -= 1 }
    return .not(try negation())
  }

  private mutating func primary() throws(QueryError) -> Predicate {
    let token = try scanner.next()
    switch token.content {
    case .open:
      try descend(token)
      defer { depth -= 1 }
      let inner = try disjunction()
      let close = try scanner.next()
      guard close.content == .close else {
        throw failure(
          .syntax, close, "expected a closing parenthesis", "Close the parenthesis that opens at byte \(token.range.lowerBound).")
      }
      return inner
    case .string(let text):
      if let reversed = try reversedComparison(token, text) { return reversed }
      return .search(text)
    case .word(let word): return try term(word, token)
    default: throw unexpected(token)
    }
  }

  private mutating func descend(_ token: Token) throws(QueryError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw failure(.tooDeep, token, "more than \(Self.deepest) parentheses and negations are nested", "Simplify the condition.")
    }
  }

  private func startsTerm() throws(QueryError) -> Bool {
    let token = try scanner.peek()
    switch token.content {
    case .word(let word): return !["and", "or"].contains(word.lowercased()) && !terminators.contains(word.lowercased())
    case .string, .open, .not: return true
    // The parser of a comparison reports a sign without a field.
    case .sign, .openBrace: return true
    default: return false
    }
  }

  private mutating func takes(_ content: Token.Content, _ word: String) throws(QueryError) -> Bool {
    let token = try scanner.peek()
    guard token.content == content || token.word?.lowercased() == word else { return false }
    _ = try scanner.next()
    return true
  }

  // MARK: Words

  private mutating func term(_ word: String, _ token: Token) throws(QueryError) -> Predicate {
    let lower = word.lowercased()
    if lower == "exists", try scanner.peek().content == .open { return try existence() }
    if let comparison = try comparison(word, token) { return comparison }
    switch lower {
    case "*", "truepredicate": return .everything
    case "falsepredicate": return .not(.everything)
    case "and", "or", "not": throw unexpected(token)
    default: break
    }
    if let keyed = try keyed(word, token) { return keyed }
    // The name of an event selects the event, which is what a search for the name would find.
    if context.columns == nil, let kind = EventKind.named(word), let field = FieldTable.field("event") {
      return .comparison(Comparison(field, .equal(.text(kind.name))))
    }
    return .search(word)
  }

  private mutating func existence() throws(QueryError) -> Predicate {
    _ = try scanner.next()
    let token = try scanner.next()
    guard let name = token.word else {
      throw failure(.syntax, token, "expected the name of a field", "Write exists(FIELD), for example exists(host).")
    }
    let field = try field(name, token)
    let close = try scanner.next()
    guard close.content == .close else {
      throw failure(.syntax, close, "expected a closing parenthesis", "Write exists(\(field.name)).")
    }
    return .exists(field)
  }

  /// Reads `key:value` if the key is known. Other words with a colon are texts to search for.
  private mutating func keyed(_ word: String, _ token: Token) throws(QueryError) -> Predicate? {
    guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")), colon != word.startIndex,
      let field = context.field(String(word[..<colon]))
    else { return nil }
    let value = String(word[word.index(after: colon)...])
    if !value.isEmpty {
      return .comparison(Comparison(field, .equal(try literal(value, field, token))))
    }
    guard scanner.touchesNext, case .string(let text) = try scanner.peek().content else { return nil }
    let quoted = try scanner.next()
    return .comparison(Comparison(field, .equal(try literal(text, field, quoted))))
  }

  // MARK: Fields

  package func field(_ name: String, _ token: Token) throws(QueryError) -> QueryField {
    guard let field = context.field(name) else {
      let hint = context.columns == nil ? " To search for the text, put it in quotation marks." : ""
      throw failure(.unknownField, token, context.problem(ofUnknown: name), context.advice(forUnknown: name) + hint)
    }
    if let advice = context.subjectsMissing, !field.isKnownAtOnce {
      throw failure(.unknownField, token, "`\(field.name)` is known only at the end of the log", advice)
    }
    return field
  }

  // MARK: Errors

  package func failure(_ code: QueryError.Code, _ token: Token, _ problem: String, _ advice: String) -> QueryError {
    QueryError(code, scanner.text, token.range, problem, advice)
  }

  package func unexpected(_ token: Token) -> QueryError {
    if token.content == .end {
      return failure(
        .syntax, token, "the query ends too early", "Add a condition such as level>=error, or remove the last operator.")
    }
    if case .sign = token.content {
      return failure(
        .syntax, token, "no field before `\(scanner.source(token.range))`",
        "Write a field, a sign and a value, for example status>=500. To search for signs, put the text in quotation marks.")
    }
    return failure(
      .syntax, token, "unexpected `\(scanner.source(token.range))`",
      "Put a text with special characters in quotation marks, and join conditions with and, or, not.")
  }
}
