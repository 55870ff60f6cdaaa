import Foundation
import LogTestSupport
import XferEvents

/// One comparison of the oracle.
struct OracleLeaf {
  enum Operation: CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, equalOrMissing, isIn, between
    case contains, begins, ends, like, matches, finds, findsNot
  }

  let field: OracleField
  let operation: Operation
  let numbers: [Int64]
  let texts: [String]
  let ignoresCase: Bool

  private var isNumber: Bool {
    switch field.kind {
    case .number, .bytes, .duration, .time, .flag, .level: true
    case .choice, .event, .text, .task: false
    }
  }

  init(_ field: OracleField, _ events: [OracleEvent], _ random: inout SeededRandom) {
    self.field = field
    var operations: [Operation] = [.equal, .equal, .notEqual, .equalOrMissing, .isIn]
    switch field.kind {
    case .number, .bytes, .duration, .time, .level: operations += [.less, .lessOrEqual, .greater, .greaterOrEqual, .between]
    case .flag: break
    case .choice, .event, .task: operations += [.contains, .begins, .ends, .like, .finds]
    case .text: operations += [.contains, .begins, .ends, .like, .matches, .finds, .findsNot, .less, .greaterOrEqual, .between]
    }
    operation = operations.randomElement(using: &random)!
    let count = operation == .isIn ? Int.random(in: 1...3, using: &random) : operation == .between ? 2 : 1
    var (numbers, texts): ([Int64], [String]) = ([], [])
    for _ in 0..<count {
      switch field.value(of: events.randomElement(using: &random)!) {
      case .number(let number): numbers.append(Self.near(number, field, &random))
      case .text(let text), .masked(let text): texts.append(text)
      case .texts(let all): texts.append(all.randomElement(using: &random) ?? "x")
      case .missing, .unknown:
        numbers.append(field.kind == .flag ? 1 : field.kind == .level ? 3 : 28)
        texts.append("x")
      }
    }
    // The first value of BETWEEN must not be greater than the second.
    if operation == .between { numbers.sort() }
    self.numbers = numbers
    ignoresCase =
      [.text, .task, .choice].contains(field.kind) && ![.less, .greaterOrEqual, .between].contains(operation)
      && Int.random(in: 0..<3, using: &random) == 0
    // Only existing words are values of a choice, and only existing events have a name.
    let words: [String]? =
      switch field {
      case .role: WriterRole.allCases.map(\.name)
      case .event: EventKind.allCases.map(\.name)
      case .field(let id): if case .choice(let list) = id.type { Vocabulary.cases(of: list) } else { nil }
      default: nil
      }
    if let words { texts = texts.map { words.contains($0) ? $0 : words.randomElement(using: &random)! } }
    let operation = operation, ignoresCase = ignoresCase
    let parts = texts.map { Self.part($0, operation, ignoresCase && words == nil, &random) }
    self.texts = operation == .between ? parts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : parts
  }

  private static func near(_ number: Int64, _ field: OracleField, _ random: inout SeededRandom) -> Int64 {
    switch field.kind {
    case .flag: return Bool.random(using: &random) ? number : 1 - number
    case .level: return Int64.random(in: 0...4, using: &random)
    default: return Int.random(in: 0..<3, using: &random) > 0 ? number : number &+ [-1, 1, 1000].randomElement(using: &random)!
    }
  }

  private static func part(_ text: String, _ operation: Operation, _ changesCase: Bool, _ random: inout SeededRandom) -> String {
    var text = changesCase ? text.uppercased() : text
    let characters = Array(text)
    func cut() -> (Int, Int) {
      let start = Int.random(in: 0...characters.count, using: &random)
      return (start, Int.random(in: start...characters.count, using: &random))
    }
    switch operation {
    case .contains:
      let (start, end) = cut()
      text = String(characters[start..<end])
    case .begins: text = String(characters[..<cut().0])
    case .ends: text = String(characters[cut().0...])
    case .like:
      // Backslashes and signs of the text itself would be part of the pattern.
      let (start, end) = cut()
      text = String(
        characters.enumerated().map {
          $0.offset == start ? "*" : $0.offset == end ? "?" : "\\*?[".contains($0.element) ? "?" : $0.element
        })
    case .matches, .finds, .findsNot:
      // The engines differ about ß, which one of them takes as SS without case.
      let letters = characters.filter { $0.isASCII && ($0.isLetter || $0.isNumber) && !"sS".contains($0) }
      let (start, end) = letters.isEmpty ? (0, 0) : (0, Int.random(in: 1...min(3, letters.count), using: &random))
      let word = letters.isEmpty ? "a" : String(letters[start..<end])
      text = [word, ".*" + word + ".*", word + "[a-m]", "\\d+", "(" + word + "|x)+", "^" + word, "e.?x", word + "{1,2}"].filter {
        $0 != "{1,2}"
      }
      .randomElement(using: &random)!
    default: break
    }
    return text
  }

  // MARK: Naive evaluation

  func answer(_ event: OracleEvent) -> OracleCondition.Answer {
    switch field.value(of: event) {
    case .missing: return operation == .equalOrMissing ? .yes : .no
    case .unknown: return .unknown
    case .masked(let mask):
      guard [.equal, .notEqual, .equalOrMissing, .isIn].contains(operation) else { return .unknown }
      if texts.contains(mask) { return operation == .notEqual ? .no : .yes }
      guard texts.allSatisfy({ $0.hasPrefix("<mask.hash: ") }) else { return .unknown }
      return operation == .notEqual ? .yes : .no
    case .number(let number): return holds(number) ? .yes : .no
    case .text(let text): return holds([text]) ? .yes : .no
    case .texts(let all): return all.isEmpty ? operation == .equalOrMissing ? .yes : .no : holds(all) ? .yes : .no
    }
  }

  private func holds(_ number: Int64) -> Bool {
    switch operation {
    case .equal, .equalOrMissing, .isIn: numbers.contains(number)
    case .notEqual: !numbers.contains(number)
    case .less: number < numbers[0]
    case .lessOrEqual: number <= numbers[0]
    case .greater: number > numbers[0]
    case .greaterOrEqual: number >= numbers[0]
    case .between: numbers[0] <= number && number <= numbers[1]
    default: fatalError("not an operation on numbers")
    }
  }

  private func holds(_ all: [String]) -> Bool {
    switch operation {
    case .notEqual: return !all.contains { folded($0) == folded(texts[0]) }
    case .findsNot: return !all.contains { regex($0, whole: false) }
    default: return all.contains(where: holds)
    }
  }

  private func folded(_ text: String) -> String { ignoresCase ? text.lowercased() : text }

  private func holds(_ original: String) -> Bool {
    let (text, wanted) = (folded(original), texts.map(folded))
    switch operation {
    case .equal, .equalOrMissing, .isIn: return wanted.contains(text)
    case .less: return Array(text.utf8).lexicographicallyPrecedes(Array(wanted[0].utf8))
    case .greaterOrEqual: return !Array(text.utf8).lexicographicallyPrecedes(Array(wanted[0].utf8))
    case .between:
      let bytes = Array(text.utf8)
      return !bytes.lexicographicallyPrecedes(Array(wanted[0].utf8)) && !Array(wanted[1].utf8).lexicographicallyPrecedes(bytes)
    case .contains: return Self.contains(Array(text.unicodeScalars), Array(wanted[0].unicodeScalars))
    case .begins: return text.unicodeScalars.starts(with: wanted[0].unicodeScalars)
    case .ends: return text.unicodeScalars.reversed().starts(with: wanted[0].unicodeScalars.reversed())
    case .like: return Self.like(Array(text)[...], Array(wanted[0])[...])
    case .matches: return regex(original, whole: true)
    case .finds: return regex(original, whole: false)
    default: fatalError("not an operation on texts")
    }
  }

  private static func contains(_ text: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
    part.isEmpty || text.indices.contains { Array(text[$0...].prefix(part.count)) == part }
  }

  private static func like(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    if first == "*" { return like(text, pattern.dropFirst()) || !text.isEmpty && like(text.dropFirst(), pattern) }
    guard let letter = text.first, first == "?" || first == letter else { return false }
    return like(text.dropFirst(), pattern.dropFirst())
  }

  private func regex(_ text: String, whole: Bool) -> Bool {
    let pattern = whole ? "\\A(?:\(texts[0]))\\z" : texts[0]
    guard let expression = try? NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : []) else {
      fatalError("not a regular expression: \(pattern)")
    }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  // MARK: The comparison as a query

  func text(_ random: inout SeededRandom) -> String {
    let name = field.names.randomElement(using: &random)!
    let space =
      [.like, .contains, .begins, .ends, .matches, .isIn, .between].contains(operation) || Bool.random(using: &random) ? " " : ""
    func value(_ place: Int, isAlone: Bool = true) -> String {
      isNumber ? number(numbers[place], &random) : Self.quoted(texts[place], &random)
    }
    let option = ignoresCase ? "[c]" : ""
    func sign(_ spellings: String...) -> String {
      "\(name)\(space)\(spellings.randomElement(using: &random)!)\(option)\(space)\(value(0))"
    }
    switch operation {
    case .equal: return sign("=", "==")
    case .notEqual: return sign("!=", "<>")
    case .less: return sign("<")
    case .lessOrEqual: return sign("<=", "=<")
    case .greater: return sign(">")
    case .greaterOrEqual: return sign(">=", "=>")
    case .equalOrMissing: return sign("?=")
    case .isIn:
      let all = (isNumber ? numbers.indices : texts.indices).map { value($0) }.joined(separator: ", ")
      return "\(name) \(["IN", "in"].randomElement(using: &random)!)\(option) {\(all)}"
    case .between: return "\(name) BETWEEN {\(value(0)), \(value(1))}"
    case .contains: return sign("CONTAINS", "contains")
    case .begins: return sign("BEGINSWITH")
    case .ends: return sign("ENDSWITH")
    case .like: return sign("LIKE")
    case .matches: return sign("MATCHES")
    case .finds: return sign("~", "~~=")
    case .findsNot: return sign("!~")
    }
  }

  private func number(_ number: Int64, _ random: inout SeededRandom) -> String {
    switch field.kind {
    case .level:
      let names = [["debug", "d"], ["info"], ["default", "notice"], ["error", "warning", "e"], ["fault"]]
      return names[Int(number)].randomElement(using: &random)!
    case .flag: return (number == 0 ? ["false", "no"] : ["true", "yes"]).randomElement(using: &random)!
    case .bytes where number % 1000 == 0 && number != 0:
      return ["\(number)", "\(number / 1000)kB"].randomElement(using: &random)!
    case .bytes where number % 1024 == 0 && number != 0: return "\(number / 1024)KiB"
    case .duration where number % 1_000_000 == 0:
      return ["\(number / 1_000_000)ms", "\(number)ns"].randomElement(using: &random)!
    case .duration: return "\(number)ns"
    case .time:
      return number >= 0
        ? OracleTime.text(number)
        : "@-\(number.magnitude / 1_000_000_000).\(String(format: "%09d", number.magnitude % 1_000_000_000))"
    default: return "\(number)"
    }
  }

  private static func quoted(_ text: String, _ random: inout SeededRandom) -> String {
    let quote: Character = Bool.random(using: &random) ? "\"" : "'"
    var quoted = String(quote)
    for character in text {
      if character == quote || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + String(quote)
  }

  // MARK: The comparison in SQL

  /// The comparison in SQL; `nil` for regular expressions, and for fields that the index has in another form.
  var sql: String? {
    guard let column = field.sql else { return nil }
    if field == .task, ![.equal, .notEqual].contains(operation) || ignoresCase { return nil }
    let value = ignoresCase ? "lower(\(column))" : column
    func text(_ place: Int) -> String {
      "'" + (ignoresCase ? texts[place].lowercased() : texts[place]).replacing("'", with: "''") + "'"
    }
    func literal(_ place: Int) -> String {
      if field != .time, field.kind == .time { return "'\(OracleTime.text(numbers[place]))'" }
      return isNumber ? "\(numbers[place])" : text(place)
    }
    if field != .time, field.kind == .time, numbers.contains(where: { $0 < 0 }) { return nil }
    let all = (isNumber ? numbers.indices : texts.indices).map(literal).joined(separator: ", ")
    let condition: String
    switch operation {
    case .equal where field == .task:
      condition = "(\(column) = \(text(0)) OR task = \(text(0)) OR CAST(number AS TEXT) = \(text(0)))"
    case .notEqual where field == .task:
      condition = "NOT (\(column) = \(text(0)) OR task = \(text(0)) OR CAST(number AS TEXT) = \(text(0)))"
    case .equal: condition = "\(value) = \(literal(0))"
    case .notEqual: condition = "\(value) <> \(literal(0))"
    case .less: condition = "\(value) < \(literal(0))"
    case .lessOrEqual: condition = "\(value) <= \(literal(0))"
    case .greater: condition = "\(value) > \(literal(0))"
    case .greaterOrEqual: condition = "\(value) >= \(literal(0))"
    case .equalOrMissing: condition = "(\(value) IS NULL OR \(value) = \(literal(0)))"
    case .isIn: condition = "\(value) IN (\(all))"
    case .between: condition = "\(value) BETWEEN \(literal(0)) AND \(literal(1))"
    case .contains: condition = "instr(\(value), \(text(0))) > 0"
    case .begins: condition = "substr(\(value), 1, length(\(text(0)))) = \(text(0))"
    case .ends:
      condition =
        "(length(\(text(0))) = 0 AND \(value) IS NOT NULL OR length(\(value)) >= length(\(text(0))) AND substr(\(value), -length(\(text(0)))) = \(text(0)))"
    case .like: condition = "\(value) GLOB \(text(0))"
    case .matches, .finds, .findsNot: return nil
    }
    // In SQL, a comparison with a missing value is neither true nor false. In queries, it is false.
    return "coalesce(\(condition), 0)"
  }
}
