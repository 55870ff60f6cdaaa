extension Predicate: CustomStringConvertible {
  /// The normalised text of the condition. Parsing it gives the same condition.
  package var description: String {
    switch self {
    case .everything: "*"
    case .and(let members): members.map { $0.isOr ? "(\($0))" : "\($0)" }.joined(separator: " and ")
    case .or(let members): members.map { "\($0)" }.joined(separator: " or ")
    case .not(let member): member.isAnd || member.isOr ? "not (\(member))" : "not \(member)"
    case .comparison(let comparison): "\(comparison)"
    case .search(let text): Self.quoted(text)
    case .exists(let field): "exists(\(field.name))"
    }
  }

  private var isAnd: Bool { if case .and = self { true } else { false } }
  private var isOr: Bool { if case .or = self { true } else { false } }

  /// Returns a text in quotation marks.
  package static func quoted(_ text: String) -> String {
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): quoted += Array("\\n".utf8)
      case UInt8(ascii: "\t"): quoted += Array("\\t".utf8)
      case UInt8(ascii: "\r"): quoted += Array("\\r".utf8)
      default: quoted.append(byte)
      }
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}

extension Comparison: CustomStringConvertible {
  package var description: String {
    let kind = field.type
    func shown(_ literal: Literal) -> String { kind.text(of: literal) }
    func sign(_ sign: String, _ value: String) -> String { "\(field.name) \(sign)\(options.text) \(value)" }
    return switch test {
    case .equal(let value): sign("=", shown(value))
    case .notEqual(let value): sign("!=", shown(value))
    case .less(let value): sign("<", shown(value))
    case .lessOrEqual(let value): sign("<=", shown(value))
    case .greater(let value): sign(">", shown(value))
    case .greaterOrEqual(let value): sign(">=", shown(value))
    case .equalOrMissing(let value): sign("?=", shown(value))
    case .isIn(let values): sign("IN", "{\(values.map(shown).joined(separator: ", "))}")
    case .between(let low, let high): sign("BETWEEN", "{\(shown(low)), \(shown(high))}")
    case .contains(let text): sign("CONTAINS", Predicate.quoted(text))
    case .beginsWith(let text): sign("BEGINSWITH", Predicate.quoted(text))
    case .endsWith(let text): sign("ENDSWITH", Predicate.quoted(text))
    case .like(let pattern): sign("LIKE", Predicate.quoted(pattern))
    case .matches(let pattern): sign("MATCHES", Predicate.quoted(pattern))
    case .finds(let pattern): sign("~", Predicate.quoted(pattern))
    case .findsNot(let pattern): sign("!~", Predicate.quoted(pattern))
    }
  }
}

extension TextOptions {
  /// The options in brackets; empty if there are none.
  var text: String {
    switch (contains(.ignoresCase), contains(.ignoresMarks)) {
    case (true, true): "[cd]"
    case (true, false): "[c]"
    case (false, true): "[d]"
    case (false, false): ""
    }
  }
}
