/// A condition on events: the syntax tree of a query's first part.
///
/// The tree is in normal form: `and` and `or` have at least two members, no `and` has an `and` as a member, and no `or` has an `or`.
/// Printing a tree and parsing the text gives the same tree.
package indirect enum Predicate: Hashable, Sendable {
  /// The condition that every event meets.
  case everything
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  case comparison(Comparison)
  /// A text that occurs in the event as people read it. Case counts only if the text has an uppercase letter.
  case search(String)
  /// Whether the event has the field, masked or not.
  case exists(QueryField)
}

/// A comparison of a field with values. It is false if the event lacks the field, except for `equalOrMissing`.
package struct Comparison: Hashable, Sendable {
  package let field: QueryField
  package let test: Test
  package let options: TextOptions

  package init(_ field: QueryField, _ test: Test, options: TextOptions = []) {
    (self.field, self.test, self.options) = (field, test, options)
  }

  package enum Test: Hashable, Sendable {
    case equal(Literal)
    case notEqual(Literal)
    case less(Literal)
    case lessOrEqual(Literal)
    case greater(Literal)
    case greaterOrEqual(Literal)
    /// The field is missing, or equals the value.
    case equalOrMissing(Literal)
    case isIn([Literal])
    /// The value lies between two others, both included.
    case between(Literal, Literal)
    case contains(String)
    case beginsWith(String)
    case endsWith(String)
    /// A pattern in which `*` stands for any text and `?` for any character.
    case like(String)
    /// A regular expression that matches the whole text.
    case matches(String)
    /// A regular expression that matches a part of the text.
    case finds(String)
    /// A regular expression that matches no part of the text.
    case findsNot(String)
  }
}

/// A value in a query.
package enum Literal: Hashable, Sendable {
  /// A number in the unit of the field's type: bytes, nanoseconds, nanoseconds since 1970, the number of a level, or 0 and 1 for a flag.
  case number(Int64)
  case text(String)

  /// Whether the value is not greater than another one of the same field.
  package func isAtMost(_ other: Literal) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): one <= other
    case (.text(let one), .text(let other)): !other.precedesByBytes(one)
    case (.number, .text), (.text, .number): true
    }
  }
}

/// The options in brackets of Apple's predicates.
package struct TextOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let ignoresCase = TextOptions(rawValue: 1)
  /// Diacritical marks are ignored, as in é and e.
  package static let ignoresMarks = TextOptions(rawValue: 2)
}

extension Predicate {
  /// Returns the condition that all members meet, in normal form.
  package static func all(_ members: [Predicate]) -> Predicate {
    var flat: [Predicate] = []
    for member in members { if case .and(let inner) = member { flat += inner } else { flat.append(member) } }
    return flat.isEmpty ? .everything : flat.count == 1 ? flat[0] : .and(flat)
  }

  /// Returns the condition that at least one member meets, in normal form.
  package static func any(_ members: [Predicate]) -> Predicate {
    var flat: [Predicate] = []
    for member in members { if case .or(let inner) = member { flat += inner } else { flat.append(member) } }
    return flat.count == 1 ? flat[0] : .or(flat)
  }

  /// The fields that the condition names, in their order.
  package var fields: [QueryField] {
    switch self {
    case .everything, .search: []
    case .and(let members), .or(let members): members.flatMap(\.fields)
    case .not(let member): member.fields
    case .comparison(let comparison): [comparison.field]
    case .exists(let field): [field]
    }
  }
}
