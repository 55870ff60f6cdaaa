/// A compiled pattern of messages.
///
/// A pattern is the text of a message with places for what differs:
///
/// | In a pattern | Matches |
/// |---|---|
/// | `{name}` | any text, as short as possible; up to the end if the pattern ends here |
/// | `{name:int}`, `{name:number}`, `{name:hex}`, `{name:uuid}` | a number, a decimal fraction, hexadecimal digits, a UUID |
/// | `{name:int?}` | a number or nothing |
/// | `{name:word}` | text without spaces, as short as possible |
/// | `(one\|other)` | one of several patterns |
/// | `\x` | the character x |
/// | `$` at the end | the end of the message |
/// | `…` at the beginning | any text before the pattern |
/// | `{task}`, `{session}` at the beginning | the name of a task or of a background session, as CFNetwork writes it |
///
/// Without a name, as in `{:int}`, the text is not captured. A pattern without `$` also matches the beginning of a longer message.
struct ShapePattern: Sendable {
  enum Token: Sendable, Equatable {
    case literal([UInt8])
    case any(String)
    case word(String)
    case integer(String, isOptional: Bool)
    case number(String)
    case hexadecimal(String)
    case uuid(String)
    case end
  }

  enum Start: Sendable { case message, anywhere, task, session }

  let start: Start
  /// The pattern without alternatives: one sequence for each combination of them.
  let variants: [[Token]]

  init(_ pattern: String) {
    var text = Substring(pattern)
    var start = Start.message
    if text.hasPrefix("…") {
      text.removeFirst()
      start = .anywhere
    } else if text.hasPrefix("{task} ") {
      text.removeFirst("{task} ".count)
      start = .task
    } else if text.hasPrefix("{session} ") {
      text.removeFirst("{session} ".count)
      start = .session
    }
    self.start = start
    var parser = Parser(rest: text)
    variants = parser.sequence().map(Self.joined)
  }

  /// Joins neighbouring literals.
  private static func joined(_ tokens: [Token]) -> [Token] {
    var result: [Token] = []
    for token in tokens {
      if case .literal(let more) = token, case .literal(let bytes)? = result.last {
        result[result.count - 1] = .literal(bytes + more)
      } else {
        result.append(token)
      }
    }
    return result
  }

  private struct Parser {
    var rest: Substring

    /// Parses up to the end, a bar or a closing parenthesis.
    mutating func sequence() -> [[Token]] {
      var sequences: [[Token]] = [[]]
      while let character = rest.first, character != "|", character != ")" {
        rest.removeFirst()
        let next: [[Token]]
        switch character {
        case "(":
          var alternatives = sequence()
          while rest.first == "|" {
            rest.removeFirst()
            alternatives += sequence()
          }
          if rest.first == ")" { rest.removeFirst() }
          next = alternatives
        case "{": next = [[place()]]
        case "$" where rest.isEmpty: next = [[.end]]
        case "\\": next = [[.literal(Array(String(rest.popFirst() ?? "\\").utf8))]]
        default: next = [[.literal(Array(String(character).utf8))]]
        }
        sequences = sequences.flatMap { start in next.map { start + $0 } }
      }
      return sequences
    }

    private mutating func place() -> Token {
      let inside = rest.prefix { $0 != "}" }
      rest = rest.dropFirst(inside.count + 1)
      let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      switch parts.count > 1 ? parts[1] : "" {
      case "int": return .integer(name, isOptional: false)
      case "int?": return .integer(name, isOptional: true)
      case "number": return .number(name)
      case "hex": return .hexadecimal(name)
      case "uuid": return .uuid(name)
      case "word": return .word(name)
      default: return .any(name)
      }
    }
  }
}

/// One attempt to match a sequence of tokens.
struct ShapeMatch {
  private let bytes: UnsafeRawBufferPointer
  private let tokens: [ShapePattern.Token]
  private(set) var captures: [(name: String, range: Range<Int>)] = []
  /// The number of further steps that the search for the places of `{name}` may take.
  private var budget = 4096

  init(_ tokens: [ShapePattern.Token], _ bytes: UnsafeRawBufferPointer) { (self.tokens, self.bytes) = (tokens, bytes) }

  /// - Returns: whether the tokens match from `place` on.
  mutating func matches(at place: Int) -> Bool { matches(0, at: place) }

  private mutating func matches(_ index: Int, at place: Int) -> Bool {
    guard index < tokens.count else { return true }
    switch tokens[index] {
    case .end: return place == bytes.count
    case .literal(let literal): return bytes.has(literal, at: place) && matches(index + 1, at: place + literal.count)
    case .integer(let name, let isOptional):
      var scanner = ByteScanner(bytes)
      scanner.move(to: place)
      if scanner.takeInteger() == nil, !isOptional { return false }
      return capture(name, place..<scanner.place, then: index)
    case .number(let name):
      var end = place
      while end < bytes.count, bytes[end].isDigit || bytes[end] == 0x2E { end += 1 }
      return end > place && capture(name, place..<end, then: index)
    case .hexadecimal(let name):
      var end = place
      while end < bytes.count, bytes[end].hexadecimalValue != nil { end += 1 }
      return end > place && capture(name, place..<end, then: index)
    case .uuid(let name):
      var scanner = ByteScanner(bytes)
      scanner.move(to: place)
      return scanner.takeUUID() != nil && capture(name, place..<scanner.place, then: index)
    case .any(let name): return search(name, from: place, then: index, isWord: false)
    case .word(let name): return search(name, from: place, then: index, isWord: true)
    }
  }

  private mutating func capture(_ name: String, _ range: Range<Int>, then index: Int) -> Bool {
    let count = captures.count
    if !name.isEmpty { captures.append((name, range)) }
    if matches(index + 1, at: range.upperBound) { return true }
    captures.removeLast(captures.count - count)
    return false
  }

  /// Matches text up to the first place at which the rest of the tokens match.
  private mutating func search(_ name: String, from place: Int, then index: Int, isWord: Bool) -> Bool {
    let end = isWord ? bytes.endOfWord(from: place) : bytes.count
    if isWord, end == place { return false }
    guard index + 1 < tokens.count else { return capture(name, place..<end, then: index) }
    guard case .literal(let next) = tokens[index + 1] else {
      var stop = isWord ? place + 1 : place
      while stop <= end, budget > 0 {
        budget -= 1
        if capture(name, place..<stop, then: index) { return true }
        stop += 1
      }
      return false
    }
    var from = isWord ? place + 1 : place
    while budget > 0, let found = bytes.first(next, from: from), found <= end {
      budget -= 1
      if capture(name, place..<found, then: index) { return true }
      from = found + 1
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  func has(_ literal: [UInt8], at place: Int) -> Bool {
    guard place >= 0, place + literal.count <= count else { return false }
    return literal.withUnsafeBytes { literal in
      for index in 0..<literal.count where literal[index] != self[place + index] { return false }
      return true
    }
  }

  func first(_ literal: [UInt8], from start: Int) -> Int? {
    guard let byte = literal.first else { return start }
    var place = start
    while place + literal.count <= count, let found = first(byte, from: place) {
      if has(literal, at: found) { return found }
      place = found + 1
    }
    return nil
  }

  fileprivate func endOfWord(from place: Int) -> Int {
    var end = place
    while end < count, self[end] > 0x20 { end += 1 }
    return end
  }
}
