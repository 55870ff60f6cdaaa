/// A URL with patterns such as `{a,b}` and `[1-9]`, as in curl. It expands to one URL for each combination of pattern values.
struct URLGlob {
  private var parts: [Part] = []

  private enum Part {
    case text(String)
    /// - Parameter name: The pattern's name. `nil` for a pattern that can be referenced only by its number, as in `#1`.
    case choice([String], name: String?)
  }

  /// One expanded URL, with the text chosen for each pattern.
  struct Match: Equatable {
    let text: String
    var choices: [String] = []
    var names: [String: String] = [:]

    /// Returns a text with `#1` and `#<name>` replaced by the chosen texts.
    func filling(_ pattern: String) -> String {
      var filled = ""
      var rest = pattern[...]
      while let character = rest.popFirst() {
        if character == "#", let (value, after) = reference(rest) {
          filled += value
          rest = after
        } else {
          filled.append(character)
        }
      }
      return filled
    }

    private func reference(_ rest: Substring) -> (value: String, rest: Substring)? {
      if rest.first == "<", let end = rest.firstIndex(of: ">"),
        let value = names[String(rest[rest.index(after: rest.startIndex)..<end])]
      {
        return (value, rest[rest.index(after: end)...])
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), (1...max(1, choices.count)).contains(number), number <= choices.count else { return nil }
      return (choices[number - 1], rest[digits.endIndex...])
    }
  }

  /// The maximum number of URLs that one URL with patterns may expand to.
  static let limit = 1_000_000

  init(plain text: String) { parts = [.text(text)] }

  init(_ pattern: String) throws(OptionProblem) {
    guard pattern.utf8.contains(where: { "{}[]\\".utf8.contains($0) }) else {
      parts = [.text(pattern)]
      return
    }
    var reader = Reader(pattern)
    while let part = try reader.next() { parts.append(part) }
    var count = 1
    for case .choice(let choices, _) in parts {
      let (product, overflow) = count.multipliedReportingOverflow(by: choices.count)
      guard !overflow, product <= Self.limit else {
        throw OptionProblem("the URL expands to more than \(Self.limit) URLs", exitCode: OptionProblem.badURL)
      }
      count = product
    }
  }

  /// All expanded URLs. The last pattern varies fastest.
  var matches: [Match] {
    parts.reduce([Match(text: "")]) { matches, part in
      switch part {
      case .text(let text): matches.map { Match(text: $0.text + text, choices: $0.choices, names: $0.names) }
      case .choice(let choices, let name):
        matches.flatMap { match in
          choices.map { choice in
            var names = match.names
            if let name { names[name] = choice }
            return Match(text: match.text + choice, choices: match.choices + [choice], names: names)
          }
        }
      }
    }
  }

  private struct Reader {
    private var rest: Substring
    private let whole: String

    init(_ pattern: String) {
      whole = pattern
      rest = pattern[...]
    }

    mutating func next() throws(OptionProblem) -> Part? {
      guard let first = rest.first else { return nil }
      switch first {
      case "{":
        let start = rest
        rest = rest.dropFirst()
        return try alternatives(from: start)
      case "[":
        if let address = addressOrEmpty() { return .text(address) }
        rest = rest.dropFirst()
        return try range()
      case "}": throw problem("unmatched }")
      case "]": throw problem("unmatched ]")
      default: return .text(plainText())
      }
    }

    private mutating func plainText() -> String {
      var text = ""
      while let character = rest.first, !"{}[]".contains(character) {
        rest = rest.dropFirst()
        if character == "\\", let escaped = rest.first, "{}[]\\".contains(escaped) {
          text.append(escaped)
          rest = rest.dropFirst()
        } else {
          text.append(character)
        }
      }
      return text
    }

    /// Returns an IPv6 address in brackets or an empty pair of brackets as literal text, or `nil` for a pattern.
    private mutating func addressOrEmpty() -> String? {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      let inner = rest[rest.index(after: rest.startIndex)..<end]
      let isAddress =
        inner.filter { $0 == ":" }.count >= 2 && inner.allSatisfy { $0.isHexDigit || ":.%".contains($0) || $0.isLetter }
      guard inner.isEmpty || isAddress else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return "[\(inner)]"
    }

    /// Returns the `<name>` after the opening bracket, if any.
    private mutating func name() throws(OptionProblem) -> String? {
      guard rest.first == "<" else { return nil }
      guard let end = rest.firstIndex(of: ">") else { throw problem("unmatched <") }
      let name = rest[rest.index(after: rest.startIndex)..<end]
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || "_-".contains($0) }) else {
        throw problem("'\(name)' is not a valid name")
      }
      rest = rest[rest.index(after: end)...]
      return String(name)
    }

    private mutating func alternatives(from start: Substring) throws(OptionProblem) -> Part {
      let name = try name()
      var choices = [""]
      while let character = rest.popFirst() {
        switch character {
        case "}": return .choice(choices, name: name)
        case ",": choices.append("")
        case "{", "[": throw problem("\(character) inside {}")
        case "\\": choices[choices.count - 1].append(rest.popFirst() ?? character)
        default: choices[choices.count - 1].append(character)
        }
      }
      throw problem("unmatched {")
    }

    private mutating func range() throws(OptionProblem) -> Part {
      let name = try name()
      guard let end = rest.firstIndex(of: "]") else { throw problem("unmatched [") }
      let text = rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let letters = Self.letters(text) { return .choice(letters, name: name) }
      guard let numbers = try numbers(text) else { throw problem("[\(text)] is not a range") }
      return .choice(numbers, name: name)
    }

    private static func letters(_ text: Substring) -> [String]? {
      let (bounds, step) = split(text)
      guard bounds.count == 2, let low = bounds[0].utf8.first, let high = bounds[1].utf8.first, bounds[0].utf8.count == 1,
        bounds[1].utf8.count == 1, let step, step > 0, isLetter(low), isLetter(high), low <= high,
        (low < 0x60) == (high < 0x60), step <= max(1, Int(high - low))
      else { return nil }
      return stride(from: Int(low), through: Int(high), by: step).map { String(UnicodeScalar(UInt8($0))) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 65...90 ~= byte || 97...122 ~= byte }

    /// Returns the numbers of a range. Leading zeros of the first number set the width of all numbers.
    private func numbers(_ text: Substring) throws(OptionProblem) -> [String]? {
      let (bounds, step) = Self.split(text)
      guard bounds.count == 2, bounds.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
        return nil
      }
      guard let low = Int(bounds[0]), let high = Int(bounds[1]), high < .max else {
        throw problem("[\(text)] has a number that is too large")
      }
      guard let step, step > 0, low <= high, step <= max(1, high - low) else { return nil }
      guard (high - low) / step < URLGlob.limit else {
        throw OptionProblem("the URL expands to more than \(URLGlob.limit) URLs", exitCode: OptionProblem.badURL)
      }
      let width = bounds[0].hasPrefix("0") ? bounds[0].count : 0
      return stride(from: low, through: high, by: step).map { number in
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
    }

    /// - Returns: The bounds and the step. A `nil` step means that its text is not a number.
    private static func split(_ text: Substring) -> (bounds: [Substring], step: Int?) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].split(separator: "-", omittingEmptySubsequences: false), parts.count == 1 ? 1 : Int(parts[1]))
    }

    private func problem(_ text: String) -> OptionProblem {
      OptionProblem(
        "'\(whole)' is not a valid URL pattern: \(text); use -g to treat it literally", exitCode: OptionProblem.badURL)
    }
  }
}
