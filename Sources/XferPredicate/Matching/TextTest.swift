/// A test of one text.
struct TextTest: Sendable {
  private let check: Check
  private let options: TextOptions

  private enum Check: Sendable {
    case equals(String)
    case isIn(Set<String>)
    /// Compares the bytes of the texts, which is the order of the characters' numbers.
    case order(String, less: Bool, equal: Bool)
    case between(String, String)
    case contains(String)
    case begins(String)
    case ends(String)
    case like([Character])
    case matches(TextPattern)
    case finds(TextPattern)
  }

  /// - Returns: `nil` if the test is not one of texts.
  init?(_ test: Comparison.Test, _ options: TextOptions) {
    func fold(_ text: String) -> String { FoldedText.fold(text, options) }
    func texts(_ values: [Literal]) -> [String]? {
      let texts = values.compactMap { if case .text(let text) = $0 { fold(text) } else { nil } }
      return texts.count == values.count ? texts : nil
    }
    switch test {
    case .equal(.text(let text)), .notEqual(.text(let text)), .equalOrMissing(.text(let text)): check = .equals(fold(text))
    case .less(.text(let text)): check = .order(text, less: true, equal: false)
    case .lessOrEqual(.text(let text)): check = .order(text, less: true, equal: true)
    case .greater(.text(let text)): check = .order(text, less: false, equal: false)
    case .greaterOrEqual(.text(let text)): check = .order(text, less: false, equal: true)
    case .between(.text(let low), .text(let high)): check = .between(low, high)
    case .isIn(let values):
      guard let texts = texts(values) else { return nil }
      check = .isIn(Set(texts))
    case .contains(let text): check = .contains(fold(text))
    case .beginsWith(let text): check = .begins(fold(text))
    case .endsWith(let text): check = .ends(fold(text))
    case .like(let pattern): check = .like(Array(fold(pattern)))
    case .matches(let pattern):
      guard let pattern = Self.pattern(pattern, options) else { return nil }
      check = .matches(pattern)
    case .finds(let pattern), .findsNot(let pattern):
      guard let pattern = Self.pattern(pattern, options) else { return nil }
      check = .finds(pattern)
    default: return nil
    }
    self.options = options
  }

  private static func pattern(_ text: String, _ options: TextOptions) -> TextPattern? {
    let text = options.contains(.ignoresMarks) ? FoldedText.fold(text, .ignoresMarks) : text
    return try? TextPattern(text, ignoresCase: options.contains(.ignoresCase))
  }

  func holds(_ original: String) -> Bool {
    // Regular expressions ignore case by themselves.
    let text: String
    switch check {
    case .matches, .finds: text = options.contains(.ignoresMarks) ? FoldedText.fold(original, .ignoresMarks) : original
    default: text = options.isEmpty ? original : FoldedText.fold(original, options)
    }
    switch check {
    case .equals(let wanted): return text == wanted
    case .isIn(let wanted): return wanted.contains(text)
    case .order(let other, let less, let equal):
      if text == other { return equal }
      return text.precedesByBytes(other) == less
    case .between(let low, let high):
      return !text.precedesByBytes(low) && !high.precedesByBytes(text)
    case .contains(let part): return Self.contains(text, part)
    case .begins(let part): return text.hasPrefix(part)
    case .ends(let part): return text.hasSuffix(part)
    case .like(let pattern): return Self.matches(text, pattern)
    case .matches(let pattern): return pattern.matchesWhole(text)
    case .finds(let pattern): return pattern.matchesPart(of: text)
    }
  }

  /// Whether a truncated value passes the test; `nil` if that depends on the part that was not stored.
  func holds(beginningOfCut beginning: String) -> Bool? {
    let text = options.isEmpty ? beginning : FoldedText.fold(beginning, options)
    switch check {
    case .equals(let wanted): return wanted.hasPrefix(text) ? nil : false
    case .contains(let part): return Self.contains(text, part) ? true : nil
    case .begins(let part): return text.hasPrefix(part) ? true : part.hasPrefix(text) ? nil : false
    case .finds(let pattern): return pattern.matchesPart(of: text) ? true : nil
    default: return nil
    }
  }

  /// Whether a text contains another one. Texts of ASCII characters are compared byte by byte, which is faster.
  static func contains(_ text: String, _ part: String) -> Bool {
    var (text, part) = (text, part)
    if part.isEmpty { return true }
    let answer = text.withUTF8 { bytes in
      part.withUTF8 { wanted -> Bool? in
        guard wanted.allSatisfy({ $0 < 0x80 }), bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard wanted.count <= bytes.count else { return false }
        let last = bytes.count - wanted.count
        var start = 0
        while start <= last {
          if bytes[start] == wanted[0], bytes[start..<start + wanted.count].elementsEqual(wanted) { return true }
          start += 1
        }
        return false
      }
    }
    return answer ?? text.contains(part)
  }

  /// Whether a text matches a pattern of `*` and `?`. A backslash takes away their meaning. Linear in practice and quadratic at worst.
  static func matches(_ text: String, _ pattern: [Character]) -> Bool {
    let text = Array(text)
    var (place, wanted) = (0, 0)
    var star: (wanted: Int, place: Int)?
    while place < text.count {
      if wanted < pattern.count, pattern[wanted] == "*" {
        star = (wanted, place)
        wanted += 1
        continue
      }
      if wanted < pattern.count {
        let isEscaped = pattern[wanted] == "\\" && wanted + 1 < pattern.count
        let letter = isEscaped ? pattern[wanted + 1] : pattern[wanted]
        if !isEscaped && letter == "?" || letter == text[place] {
          place += 1
          wanted += isEscaped ? 2 : 1
          continue
        }
      }
      guard let last = star else { return false }
      star = (last.wanted, last.place + 1)
      (wanted, place) = (last.wanted + 1, last.place + 1)
    }
    while wanted < pattern.count, pattern[wanted] == "*" { wanted += 1 }
    return wanted == pattern.count
  }
}
