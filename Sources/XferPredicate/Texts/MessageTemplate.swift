/// A parsed message of an event, with placeholders for values. Words that refer to a missing value are omitted.
///
/// A message is a head followed by clauses. A clause begins after `, ` or `: `, or is in parentheses. A clause is omitted when
/// all its values are missing. Within a clause, a preposition and the words after it belong to the next value, other words belong
/// to the previous value, and punctuation between two values (`://`, `/`) appears only if both values do. The words of the head
/// always remain.
package struct MessageTemplate: Sendable {
  private let clauses: [Clause]

  private struct Clause: Sendable {
    /// The text that joins the clause to the previous one: `, `, `: ` or ` (`.
    let joint: String
    let closing: String
    let pieces: [Piece]
  }

  private enum Piece: Hashable, Sendable {
    /// Words. In the head they always remain. In a clause they are omitted when the value at `owner` is missing.
    case words(String, owner: Owner)
    case value(String)
    /// Punctuation between two values, without spaces.
    case joint(String)
    /// Punctuation around values, as in `[{subsystem}:{category}]`. It is omitted when all enclosed values are missing.
    case opening(String)
    case closing(String)

    var isHead: Bool {
      if case .words(_, .head) = self { true } else { false }
    }
    var isOpening: Bool { if case .opening = self { true } else { false } }
    var isClosing: Bool { if case .closing = self { true } else { false } }
  }

  private enum Owner: Hashable, Sendable { case head, before, after }

  package init(_ message: String) {
    clauses = Self.clauses(of: message)
  }

  /// The names of the fields whose values the message contains.
  package var names: Set<String> {
    Set(clauses.flatMap(\.pieces).compactMap { if case .value(let name) = $0 { name } else { nil } })
  }

  /// Returns the message with its values; an empty text when all values are missing.
  ///
  /// - Parameter value: returns the text of a field's value; `nil` when the event lacks the field.
  package func text(_ value: (String) -> String?) -> String {
    var text = ""
    var colonIsDue = false
    for clause in clauses {
      let filled = Self.fill(clause.pieces, value)
      colonIsDue = colonIsDue || clause.joint == ": "
      if filled.isEmpty { continue }
      let isFirst = text.isEmpty
      let joint = isFirst ? (clause.closing.isEmpty ? "" : "(") : colonIsDue && clause.closing.isEmpty ? ": " : clause.joint
      text += joint + filled + clause.closing
      colonIsDue = false
    }
    return text
  }

  // MARK: Inserting values

  private static func fill(_ pieces: [Piece], _ value: (String) -> String?) -> String {
    let values = pieces.map { piece -> String? in
      if case .value(let name) = piece { return value(name).flatMap { $0.isEmpty ? nil : $0 } }
      return nil
    }
    func isPresent(_ places: some Sequence<Int>) -> Bool {
      for place in places {
        if case .value = pieces[place] { return values[place] != nil }
      }
      return false
    }
    func hasAny(_ places: Range<Int>) -> Bool { places.contains { values[$0] != nil } }
    let hasValues = pieces.contains { if case .value = $0 { true } else { false } }
    if hasValues, values.allSatisfy({ $0 == nil }), !pieces.contains(where: \.isHead) { return "" }
    var parts: [String] = []
    var joinsNext = false
    var opening = ""
    for (place, piece) in pieces.enumerated() {
      let part: String?
      switch piece {
      case .value: part = values[place]
      case .words(let words, .head): part = words
      case .words(let words, .before): part = isPresent((0..<place).reversed()) ? words : nil
      case .words(let words, .after): part = isPresent(place + 1..<pieces.count) ? words : nil
      case .joint(let signs):
        guard place > 0, place + 1 < pieces.count, values[place - 1] != nil, values[place + 1] != nil else { continue }
        parts[parts.count - 1] += signs
        joinsNext = true
        continue
      case .opening(let signs):
        if hasAny(pieces[place...].prefix { !$0.isClosing }.indices) { opening = signs }
        continue
      case .closing(let signs):
        let start = pieces[..<place].lastIndex { $0.isOpening } ?? place - 1
        if hasAny(max(0, start)..<place) { parts[parts.count - 1] += signs }
        continue
      }
      guard let part, !part.isEmpty else { continue }
      if joinsNext { parts[parts.count - 1] += part } else { parts.append(opening + part) }
      opening = ""
      joinsNext = false
    }
    return parts.joined(separator: " ")
  }

  // MARK: Parsing

  private static let prepositions: Set<Substring> = [
    "as", "at", "because", "by", "for", "from", "of", "on", "through", "to", "until", "with",
  ]

  private static func clauses(of message: String) -> [Clause] {
    var clauses: [Clause] = []
    var joint = ""
    var current = ""
    var rest = message[...]
    func end(closing: String = "") {
      clauses.append(Clause(joint: joint, closing: closing, pieces: pieces(of: current, isHead: clauses.isEmpty)))
      current = ""
    }
    while !rest.isEmpty {
      if let found = [", ", ": ", " ("].first(where: rest.hasPrefix) {
        end()
        joint = found
        rest = rest.dropFirst(found.count)
      } else if rest.hasPrefix(")") {
        end(closing: ")")
        joint = " "
        rest = rest.dropFirst()
      } else {
        current.append(rest.removeFirst())
      }
    }
    if !current.isEmpty { end() }
    return clauses
  }

  private static func pieces(of clause: String, isHead: Bool) -> [Piece] {
    var pieces: [Piece] = []
    var pending: [Substring] = []
    var hasValue = false
    /// Splits the words between two values: the last preposition and the words after it belong to the next value.
    func flush(beforeValue: Bool) {
      let split = beforeValue ? pending.lastIndex(where: prepositions.contains) ?? pending.count : pending.count
      let (first, second) = (pending[..<split].joined(separator: " "), pending[split...].joined(separator: " "))
      if !first.isEmpty { pieces.append(.words(first, owner: isHead ? .head : hasValue ? .before : .after)) }
      if !second.isEmpty { pieces.append(.words(second, owner: .after)) }
      pending = []
    }
    for token in clause.split(separator: " ") {
      guard let open = token.firstIndex(of: "{"), token[open...].contains("}") else {
        pending.append(token)
        continue
      }
      flush(beforeValue: true)
      pieces += values(in: token)
      hasValue = true
    }
    flush(beforeValue: false)
    return pieces
  }

  /// Parses values with the punctuation between and around them, such as `{scheme}://{host}{path}`.
  private static func values(in token: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = token
    while !rest.isEmpty {
      if rest.hasPrefix("{"), let close = rest.firstIndex(of: "}") {
        if case .value? = pieces.last { pieces.append(.joint("")) }
        pieces.append(.value(String(rest[rest.index(after: rest.startIndex)..<close])))
        rest = rest[rest.index(after: close)...]
      } else {
        // A message of a foreign vocabulary may contain an unclosed brace, which is literal text.
        let signs = rest.prefix(1) + rest.dropFirst().prefix { $0 != "{" }
        rest = rest.dropFirst(signs.count)
        pieces.append(pieces.isEmpty ? .opening(String(signs)) : rest.isEmpty ? .closing(String(signs)) : .joint(String(signs)))
      }
    }
    return pieces
  }
}
