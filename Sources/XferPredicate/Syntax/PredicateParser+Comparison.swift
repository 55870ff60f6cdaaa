import XferEvents

extension PredicateParser {
  /// The operators that are words.
  private enum WordOperator: String, CaseIterable {
    case contains, beginswith, endswith, like, matches, `in`, between
  }

  /// Reads a comparison whose first word was read.
  ///
  /// - Returns: `nil`, without reading anything, if no operator follows.
  mutating func comparison(_ word: String, _ token: Token) throws(QueryError) -> Predicate? {
    let next = try scanner.peek()
    switch next.content {
    case .sign(let sign):
      let field = try field(word, token)
      _ = try scanner.next()
      let options = scanner.options() ?? []
      return .comparison(try signed(field, sign, options, next))
    case .word(let name) where name.lowercased() == "not": return try negatedComparison(word, token)
    case .word(let name):
      guard let (operation, options) = Self.wordOperator(name) else {
        guard Self.isOperatorWithUnknownOptions(name) else { return nil }
        throw failure(
          .badOperator, next, "the options of `\(name)` are unknown",
          "The options are [c] (ignore case), [d] (ignore marks) and [cd].")
      }
      let field = try field(word, token)
      _ = try scanner.next()
      var allOptions = options
      if options.isEmpty, let separate = try separateOptions() { allOptions = separate }
      return .comparison(try worded(field, operation, allOptions, next))
    default: return nil
    }
  }

  /// Reads a comparison such as `status NOT IN {200, 206}`. As with `!=`, the event must have the field.
  ///
  /// - Returns: `nil`, without reading anything, if the word does not name a field, or if no operator follows `NOT`.
  private mutating func negatedComparison(_ word: String, _ token: Token) throws(QueryError) -> Predicate? {
    let saved = scanner
    guard let field = context.field(word) else { return nil }
    _ = try scanner.next()
    if let name = try scanner.peek().word, Self.wordOperator(name) != nil, let comparison = try comparison(word, token) {
      return .and([.exists(field), .not(comparison)])
    }
    scanner = saved
    return nil
  }

  /// Reads a comparison whose first operand is a value, such as `"net" == category`.
  mutating func reversedComparison(_ token: Token, _ value: String) throws(QueryError) -> Predicate? {
    let next = try scanner.peek()
    guard case .sign(let sign) = next.content else { return nil }
    _ = try scanner.next()
    let options = scanner.options() ?? []
    let name = try scanner.next()
    guard let word = name.word else {
      throw failure(.syntax, name, "expected a field after the sign", "Write the field first, for example category = \"net\".")
    }
    let field = try field(word, name)
    let mirrored: Token.Sign =
      switch sign {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      case .equal, .notEqual: sign
      case .finds, .findsNot, .contains, .equalOrMissing:
        throw failure(.badOperator, next, "the field must come first", "Write \(field.name) before the sign.")
      }
    return .comparison(try test(field, mirrored, value, token, options, next))
  }

  private static func wordOperator(_ word: String) -> (WordOperator, TextOptions)? {
    let name = word.prefix { $0 != "[" }
    guard let operation = WordOperator(rawValue: name.lowercased()) else { return nil }
    let rest = word.dropFirst(name.count)
    if rest.isEmpty { return (operation, []) }
    return Scanner.optionSpellings.first { $0.0 == rest.lowercased() }.map { (operation, $0.1) }
  }

  /// Whether a word is an operator with letters in brackets that are no options, such as `CONTAINS[x]`.
  private static func isOperatorWithUnknownOptions(_ word: String) -> Bool {
    let name = word.prefix { $0 != "[" }
    return WordOperator(rawValue: name.lowercased()) != nil && word.dropFirst(name.count).hasPrefix("[") && word.hasSuffix("]")
  }

  /// Reads options that white space separates from their operator, if a value follows them.
  private mutating func separateOptions() throws(QueryError) -> TextOptions? {
    let saved = scanner
    if let word = try scanner.next().word, let options = Scanner.optionSpellings.first(where: { $0.0 == word.lowercased() })?.1 {
      switch try scanner.peek().content {
      case .string, .openBrace, .open: return options
      default: break
      }
    }
    scanner = saved
    return nil
  }

  // MARK: Signs

  private mutating func signed(
    _ field: QueryField, _ sign: Token.Sign, _ options: TextOptions, _ token: Token
  ) throws(QueryError) -> Comparison {
    let value = try scanner.nextValue()
    return try test(field, sign, text(of: value), value, options, token)
  }

  private func test(
    _ field: QueryField, _ sign: Token.Sign, _ value: String, _ place: Token, _ options: TextOptions, _ token: Token
  ) throws(QueryError) -> Comparison {
    let isOrder = [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(sign)
    if isOrder, !field.type.isOrdered {
      throw failure(
        .badOperator, token, "`\(field.name)` is \(field.type.phrase) and has no order", "Compare with = or != instead.")
    }
    if !options.isEmpty, isOrder || field.type.isNumber {
      throw failure(
        .badOperator, token, "[c] and [d] apply only to texts, and not to < and >", "Remove the brackets.")
    }
    switch sign {
    case .finds, .findsNot:
      try requireText(field, token)
      try checkPattern(value, place)
      return Comparison(field, sign == .finds ? .finds(value) : .findsNot(value), options: options)
    case .contains:
      try requireText(field, token)
      return Comparison(field, .contains(value), options: options)
    case .equal: return Comparison(field, .equal(try literal(value, field, place)), options: options)
    case .notEqual: return Comparison(field, .notEqual(try literal(value, field, place)), options: options)
    case .less: return Comparison(field, .less(try literal(value, field, place)))
    case .lessOrEqual: return Comparison(field, .lessOrEqual(try literal(value, field, place)))
    case .greater: return Comparison(field, .greater(try literal(value, field, place)))
    case .greaterOrEqual: return Comparison(field, .greaterOrEqual(try literal(value, field, place)))
    case .equalOrMissing: return Comparison(field, .equalOrMissing(try literal(value, field, place)), options: options)
    }
  }

  // MARK: Words

  private mutating func worded(
    _ field: QueryField, _ operation: WordOperator, _ options: TextOptions, _ token: Token
  ) throws(QueryError) -> Comparison {
    switch operation {
    case .in:
      if !options.isEmpty, field.type.isNumber {
        throw failure(.badOperator, token, "[c] and [d] apply only to texts", "Remove the brackets.")
      }
      return Comparison(field, .isIn(try list(field)), options: options)
    case .between:
      guard field.type.isOrdered, options.isEmpty else {
        throw failure(
          .badOperator, token, "BETWEEN needs a field whose values have an order, and no brackets",
          "Use IN with a list of values instead.")
      }
      let values = try list(field)
      guard values.count == 2 else {
        throw failure(.badValue, token, "BETWEEN needs two values", "Write \(field.name) BETWEEN {LOWEST, HIGHEST}.")
      }
      guard values[0].isAtMost(values[1]) else {
        throw failure(
          .badValue, token, "the first value of BETWEEN is greater than the second",
          "Write \(field.name) BETWEEN {LOWEST, HIGHEST}.")
      }
      return Comparison(field, .between(values[0], values[1]))
    default: break
    }
    try requireText(field, token)
    let place = try scanner.nextValue()
    let value = try text(of: place)
    switch operation {
    case .contains: return Comparison(field, .contains(value), options: options)
    case .beginswith: return Comparison(field, .beginsWith(value), options: options)
    case .endswith: return Comparison(field, .endsWith(value), options: options)
    case .like: return Comparison(field, .like(value), options: options)
    case .matches, .in, .between:
      try checkPattern(value, place)
      return Comparison(field, .matches(value), options: options)
    }
  }

  /// Reads a list such as `{"a", "b"}`. Parentheses are accepted, too.
  private mutating func list(_ field: QueryField) throws(QueryError) -> [Literal] {
    let open = try scanner.next()
    guard open.content == .openBrace || open.content == .open else {
      throw failure(.syntax, open, "expected a list of values", "Write the values in braces, for example {200, 206}.")
    }
    let end: Token.Content = open.content == .open ? .close : .closeBrace
    var values: [Literal] = []
    while true {
      let value = try scanner.nextValue()
      values.append(try literal(text(of: value), field, value))
      let next = try scanner.next()
      if next.content == end { return values }
      guard next.content == .comma else {
        throw failure(
          .syntax, next, "expected a comma or the end of the list", "Write the values in braces, for example {200, 206}.")
      }
    }
  }

  // MARK: Values

  private func text(of token: Token) throws(QueryError) -> String {
    switch token.content {
    case .word(let text), .string(let text): return text
    default:
      throw failure(
        .syntax, token, "expected a value", "Write a value after the sign, in quotation marks if it has special characters.")
    }
  }

  func literal(_ text: String, _ field: QueryField, _ token: Token) throws(QueryError) -> Literal {
    if let literal = field.type.literal(text, context) { return literal }
    switch field.type.problem(with: text) {
    case .tooLarge:
      let isTime = field.type == .duration
      let advice = isTime ? "The longest duration is 106751d, or 292 years." : "The largest number is \(Int64.max)."
      throw failure(.badValue, token, "`\(text)` is too large", advice)
    case .noUnit:
      throw failure(.badValue, token, "`\(text)` has no unit, and `\(field.name)` is \(field.type.phrase)", field.type.example)
    case .malformed, nil: break
    }
    var advice = field.type.example
    let names = field.type == .eventName ? EventKind.allCases.map(\.name) : field.type.words ?? []
    let near = text.utf8.count <= NearNames.longest ? NearNames.of(text, among: names) : []
    if !near.isEmpty { advice = "Did you mean \(near.joined(separator: " or "))?" }
    if !field.type.isNumber, text.utf8.contains(where: { "*?".utf8.contains($0) }) {
      advice = "To match a pattern, write \(field.name) LIKE \(Predicate.quoted(text))."
    }
    throw failure(.badValue, token, "`\(text)` is not a value of `\(field.name)`, which is \(field.type.phrase)", advice)
  }

  private func requireText(_ field: QueryField, _ token: Token) throws(QueryError) {
    guard field.type.isNumber else { return }
    throw failure(
      .badOperator, token, "`\(field.name)` is \(field.type.phrase), not a text",
      "Compare with = != < <= > >=, IN or BETWEEN instead.")
  }

  private func checkPattern(_ pattern: String, _ token: Token) throws(QueryError) {
    do throws(TextPattern.Problem) { _ = try TextPattern(pattern) } catch {
      throw failure(
        .badPattern, token, "the text is not a regular expression: \(error.text)", "Escape special characters with a backslash.")
    }
  }
}
