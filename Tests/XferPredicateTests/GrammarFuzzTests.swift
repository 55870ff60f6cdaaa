import LogTestSupport
import Testing
import XferEvents
import XferPredicate

/// Random conditions and random texts. A failing seed is the whole bug report.
struct GrammarFuzzTests {
  /// Returns a random condition in normal form.
  private static func tree(_ random: inout SeededRandom, depth: Int = 0) -> Predicate {
    switch Int.random(in: 0..<(depth < 4 ? 10 : 6), using: &random) {
    case 0: return .search(text(&random))
    case 1: return .exists(FieldTable.all.randomElement(using: &random)!)
    case 2: return .everything
    case 6: return .all((0..<Int.random(in: 2...4, using: &random)).map { _ in tree(&random, depth: depth + 1) })
    case 7: return .any((0..<Int.random(in: 2...4, using: &random)).map { _ in tree(&random, depth: depth + 1) })
    case 8: return .not(tree(&random, depth: depth + 1))
    default: return .comparison(comparison(&random))
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let pieces = [
      "a", "Z", " ", "\"", "'", "\\", "\n", "\t", "\r", "\u{0}", "é", "😀", "and", "(", ")", "{", "|", "=", "~", "!", "?", "*",
      "[c]", "%@", ":",
      "task.completed", "\\n", "e\u{301}", "\u{202e}",
    ]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  private static func pattern(_ random: inout SeededRandom) -> String {
    let pieces = ["a", "b+", "[x-z]", "\\d", ".*", "(c|d)", "^", "\\.", " ", "é", "\"", "\\\\"]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
  }

  private static func literal(_ type: ValueType, _ random: inout SeededRandom) -> Literal {
    let numbers: [Int64] = [
      0, 1, -1, 999, 1000, 1_000_000_000, 60_000_000_000, .max, .min, Int64(truncatingIfNeeded: random.next()),
    ]
    switch type {
    case .text, .task: return .text(text(&random))
    case .choice, .word: return .text(type.words!.randomElement(using: &random)!)
    case .eventName: return .text(EventKind.allCases.randomElement(using: &random)!.name)
    case .level: return .number(Int64.random(in: 0...4, using: &random))
    case .rank(let words): return .number(Int64.random(in: 0..<Int64(words.count), using: &random))
    case .flag: return .number(Int64.random(in: 0...1, using: &random))
    case .bytes, .count, .duration, .time: return .number(numbers.randomElement(using: &random)!)
    }
  }

  private static func comparison(_ random: inout SeededRandom) -> Comparison {
    let field = FieldTable.all.randomElement(using: &random)!
    let type = field.type
    let options: TextOptions =
      type.isNumber ? [] : [[], .ignoresCase, .ignoresMarks, [.ignoresCase, .ignoresMarks]].randomElement(using: &random)!
    func value() -> Literal { literal(type, &random) }
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return Comparison(field, .notEqual(value()), options: options)
    case 1: return Comparison(field, .equalOrMissing(value()), options: options)
    case 2: return Comparison(field, .isIn((0..<Int.random(in: 1...4, using: &random)).map { _ in value() }), options: options)
    case 3 where type.isOrdered: return Comparison(field, .less(value()))
    case 4 where type.isOrdered: return Comparison(field, .lessOrEqual(value()))
    case 5 where type.isOrdered: return Comparison(field, .greater(value()))
    case 6 where type.isOrdered: return Comparison(field, .greaterOrEqual(value()))
    case 7 where type.isOrdered:
      let (one, other) = (value(), value())
      return Comparison(field, one.isAtMost(other) ? .between(one, other) : .between(other, one))
    case 8 where !type.isNumber: return Comparison(field, .contains(text(&random)), options: options)
    case 9 where !type.isNumber: return Comparison(field, .beginsWith(text(&random)), options: options)
    case 10 where !type.isNumber: return Comparison(field, .endsWith(text(&random)), options: options)
    case 11 where !type.isNumber: return Comparison(field, .like(text(&random)), options: options)
    case 12 where !type.isNumber: return Comparison(field, .matches(pattern(&random)), options: options)
    case 13 where !type.isNumber:
      let test: Comparison.Test = Bool.random(using: &random) ? .finds(pattern(&random)) : .findsNot(pattern(&random))
      return Comparison(field, test, options: options)
    default: return Comparison(field, .equal(value()), options: options)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Printing a condition and parsing the text gives the same condition`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<(isCampaign ? 20_000 : 100) {
      let tree = Self.tree(&random)
      do {
        let read = try PredicateParser.predicate("\(tree)")
        #expect(read == tree, "seed \(seed): \(tree)")
        #expect("\(read)" == "\(tree)", "seed \(seed)")
      } catch {
        Issue.record("seed \(seed): \(tree): \(error)")
      }
    }
  }

  /// Returns random bytes, or a condition with some bytes changed.
  private static func noise(_ random: inout SeededRandom) -> String {
    if Int.random(in: 0..<3, using: &random) == 0 {
      return String(decoding: random.bytes(Int.random(in: 0...80, using: &random)), as: UTF8.self)
    }
    let pieces = [
      "host", "status", "level", "and", "or", "not", "(", ")", "{", "}", ",", "|", "=", "==", "!=", "!", "~", "~=", "~~=", "?=",
      "<", ">", "<=", "&&", "&",
      "||", "\"", "'", "\\", " ", "\u{0}", "é", "CONTAINS", "[c]", "[cd", "IN", "BETWEEN", "LIKE", "exists", "exists(", "5", "-1",
      "10MB", "2s", ":",
      "host:", "?", "*", "%", "MATCHES", "\u{feff}", "\u{202e}", "𝒳", "[", "(?", "a{9", "\n",
    ]
    return (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random)! }
      .joined(separator: Bool.random(using: &random) ? " " : "")
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Any text is a condition or an error within its bounds, and never a trap or a hang`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<(isCampaign ? 50_000 : 250) {
      let text = Self.noise(&random)
      do {
        let tree = try PredicateParser.predicate(text)
        #expect(try PredicateParser.predicate("\(tree)") == tree, "seed \(seed): \(text)")
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count, "seed \(seed): \(text)")
        #expect(!error.description.isEmpty && !error.advice.isEmpty, "seed \(seed): \(text)")
      }
    }
  }

  @Test func `Every byte that begins a token is read, so that scanning ends`() throws {
    for value in 0...0x2FF as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in ["\(scalar)", "a\(scalar)", "\(scalar)=\(scalar)", "host~\(scalar)\(scalar)"] {
        guard var scanner = try? Scanner(text) else { continue }
        var count = 0
        while count <= text.utf8.count, let token = try? scanner.next(), token.content != .end { count += 1 }
        #expect(count <= text.utf8.count, "\(value)")
      }
    }
  }
}
