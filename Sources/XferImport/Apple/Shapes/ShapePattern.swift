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
