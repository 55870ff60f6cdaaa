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
    let starts: [(String, Start)] = [("…", .anywhere), ("{task} ", .task), ("{session} ", .session)]
    let found = starts.first { pattern.hasPrefix($0.0) }
    start = found?.1 ?? .message
    var parser = Parser(bytes: Array(pattern.utf8.dropFirst(found?.0.utf8.count ?? 0)))
    variants = parser.sequence()
  }

  /// A parser of bytes, because characters are slow and each command that reads foreign logs parses all patterns.
  private struct Parser {
    let bytes: [UInt8]
    var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses up to the end, a bar or a closing parenthesis.
    mutating func sequence() -> [[Token]] {
      var sequences: [[Token]] = [[]]
      while place < bytes.count, bytes[place] != UInt8(ascii: "|"), bytes[place] != UInt8(ascii: ")") {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "("): sequences = Self.product(sequences, alternatives())
        case UInt8(ascii: "{"): sequences = Self.product(sequences, [[capture()]])
        case UInt8(ascii: "$") where place == bytes.count: sequences = Self.product(sequences, [[.end]])
        default:
          place -= 1
          sequences = Self.product(sequences, [[.literal(literal())]])
        }
      }
      return sequences
    }

    private mutating func alternatives() -> [[Token]] {
      var alternatives = sequence()
      while place < bytes.count, bytes[place] == UInt8(ascii: "|") {
        place += 1
        alternatives += sequence()
      }
      if place < bytes.count { place += 1 }
      return alternatives
    }

    /// Takes bytes without a meaning of their own, and escaped ones.
    private mutating func literal() -> [UInt8] {
      var literal: [UInt8] = []
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "|"), UInt8(ascii: ")"), UInt8(ascii: "("), UInt8(ascii: "{"): return literal
        case UInt8(ascii: "$") where place == bytes.count - 1: return literal
        case UInt8(ascii: "\\") where place + 1 < bytes.count:
          literal.append(bytes[place + 1])
          place += 2
        case let byte:
          literal.append(byte)
          place += 1
        }
      }
      return literal
    }

    /// Returns each sequence continued with each of the others. Neighbouring literals are joined.
    private static func product(_ sequences: [[Token]], _ others: [[Token]]) -> [[Token]] {
      sequences.flatMap { start in
        others.map { next in
          guard case .literal(let bytes)? = start.last, case .literal(let more)? = next.first else { return start + next }
          return start.dropLast() + [.literal(bytes + more)] + next.dropFirst()
        }
      }
    }

    private mutating func capture() -> Token {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "}")) ?? bytes.count
      let colon = bytes[place..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
      let name = String(decoding: bytes[place..<colon], as: UTF8.self)
      let kind = String(decoding: bytes[min(colon + 1, end)..<end], as: UTF8.self)
      place = min(end + 1, bytes.count)
      switch kind {
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
