/// Counts the messages without a known shape, by the process that wrote them and by their text without values.
struct UnmatchedMessages {
  private(set) var count = 0
  private(set) var kinds: [Kind: Occurrences] = [:]

  struct Kind: Hashable {
    /// The name of a process of the system; `nil` for an app, whose name may identify a person or a company.
    let process: String?
    let subsystem: String?
    let category: String?
    /// The message with marks in the place of numbers, identifiers, quoted texts and paths.
    let text: String
  }

  struct Occurrences {
    var count = 0
    /// The first line of the first message.
    let line: UInt64
  }

  private static let limit = 1000

  /// Whether a record without a known shape may belong to a missing shape.
  static func concern(_ record: AppleRecord) -> Bool {
    if AppleShape.Emitter(process: record.process)?.isKnown ?? false { return true }
    if record.library == "CFNetwork" { return true }
    return record.subsystem.map { ["com.apple.CFNetwork", "com.apple.nsurlsessiond", "com.apple.network"].contains($0) } ?? false
  }

  mutating func note(_ record: AppleRecord) {
    count += 1
    let isOfSystem = AppleShape.Emitter(process: record.process)?.isKnown ?? false
    let isOfApple = record.subsystem?.hasPrefix("com.apple.") ?? false
    let kind = Kind(
      process: isOfSystem ? record.process : nil, subsystem: isOfApple ? record.subsystem : nil,
      category: isOfApple ? record.category : nil, text: Self.redacted(record.message))
    if kinds[kind] != nil || kinds.count < Self.limit {
      kinds[kind, default: Occurrences(line: record.lines.lowerBound)].count += 1
    }
  }

  // MARK: Redaction

  /// Returns a message with `…` in the place of everything that may identify a person, a device or a server: texts in quotes or angle
  /// brackets, words with digits or punctuation, and words with uppercase letters that are not those of known shapes.
  static func redacted(_ message: [UInt8]) -> String {
    let text = String(decoding: message.prefix(300), as: UTF8.self)
    var (result, word, close): (String, String, Character?) = ("", "", nil)
    func endWord() {
      if !word.isEmpty { result += isPlain(word) ? word : "…" }
      word = ""
    }
    for character in text {
      if let end = close {
        if character == end { close = nil }
        continue
      }
      switch character {
      case "\"", "“", "<":
        endWord()
        result += "…"
        close = character == "<" ? ">" : character == "“" ? "”" : "\""
      case " ", "\t", "\n", ",", ":", ";", "(", ")", "[", "]", "{", "}", "=":
        endWord()
        result.append(character == "\n" ? " " : character)
      default: word.append(character)
      }
    }
    endWord()
    return result
  }

  private static func isPlain(_ word: String) -> Bool {
    let letters = word.allSatisfy { $0.isASCII && $0.isLetter || $0 == "_" || $0 == "-" }
    guard letters, word.count <= longest else { return false }
    return !word.contains(where: \.isUppercase) || known.contains(word) || prefixes.contains { word.hasPrefix($0) }
  }

  /// The number of letters above which a word may be a secret.
  private static let longest = 32
  /// The beginnings of names in Apple's interfaces.
  private static let prefixes = ["NS", "CF", "UI", "RB", "FB", "SB", "BK", "XPC", "HTTP", "URL", "TLS", "TCP", "QUIC", "DNS"]
  /// The words of known shapes.
  private static let known = Set(
    AppleShape.all.flatMap { $0.pattern.split { !($0.isASCII && $0.isLetter || $0 == "_" || $0 == "-") }.map(String.init) })
}
