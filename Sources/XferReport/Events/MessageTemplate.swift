/// An event's message, ready to be filled in. What speaks of an absent value is left out together with the words that
/// need it.
///
/// The text is a head and clauses: a clause begins after `, ` or `: ` or stands in parentheses. A clause without any of
/// its values goes. Within one, the words right before a value that begin with a preposition go with that value, the
/// words after a value go with it too, and signs between two values (`://`, `/`) need both. The head keeps its words.
package struct MessageTemplate: Sendable {
  private let clauses: [Clause]

  private struct Clause: Sendable {
    /// What joins it to the clause before: `, `, `: `, ` (`.
    let joint: String
    let closing: String
    let pieces: [Piece]
  }

  private enum Piece: Hashable, Sendable {
    /// Words that stand whatever is absent, in a head; elsewhere they go with the value at `owner`.
    case words(String, owner: Owner)
    case value(String)
    /// Signs between the values before and after, without a space.
    case joint(String)
    /// Signs around values, as in `[{subsystem}:{category}]`; they stand where one of these does.
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

  /// The message with its values; the empty text when nothing is left to say.
  ///
  /// - Parameter value: a field's value as text, `nil` when the event lacks it.
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

  // MARK: Filling in

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

  // MARK: Taking apart

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
    /// Words between two values: those up to the last preposition belong to what is before, the others to what follows.
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

  /// `{scheme}://{host}{path}`: values, the signs between them, and those around them.
  private static func values(in token: Substring) -> [Piece] {
    var pieces: [Piece] = []
    var rest = token
    while !rest.isEmpty {
      if rest.hasPrefix("{"), let close = rest.firstIndex(of: "}") {
        if case .value? = pieces.last { pieces.append(.joint("")) }
        pieces.append(.value(String(rest[rest.index(after: rest.startIndex)..<close])))
        rest = rest[rest.index(after: close)...]
      } else {
        // A brace that is never closed, in a message of somebody else's, is a sign like others.
        let signs = rest.prefix(1) + rest.dropFirst().prefix { $0 != "{" }
        rest = rest.dropFirst(signs.count)
        pieces.append(pieces.isEmpty ? .opening(String(signs)) : rest.isEmpty ? .closing(String(signs)) : .joint(String(signs)))
      }
    }
    return pieces
  }
}
