import XferYAML

extension ScriptNode {
  func text() throws(ScriptError) -> String {
    guard let text = node.scalar else { throw failure("a single value is expected", "Write one text or number.") }
    return text
  }

  /// Returns the texts of a list, or a single text as a list of one.
  func texts() throws(ScriptError) -> [String] {
    var texts: [String] = []
    for member in list() { texts.append(try member.text()) }
    return texts
  }

  /// Returns a program and its arguments.
  func words() throws(ScriptError) -> [String] {
    let words = try texts()
    guard !words.isEmpty else { throw failure("the program is missing", "Write it with its arguments: `[program, argument]`.") }
    return words
  }

  /// Whether the value is an explicit null.
  var isNull: Bool { node.isNull }

  func integer() throws(ScriptError) -> Int {
    let text = try text()
    guard let number = Int(text) else {
      throw failure("`\(text)` is not a whole number", "Write digits only, such as 206.")
    }
    return number
  }

  func seed() throws(ScriptError) -> UInt64 {
    let text = try text()
    guard let number = UInt64(text) else {
      throw failure("`\(text)` is not a seed", "Write a whole number of 0 or more.")
    }
    return number
  }

  func flag() throws(ScriptError) -> Bool {
    switch try text() {
    case "true": return true
    case "false": return false
    case let other: throw failure("`\(other)` is neither true nor false", "Write `true` or `false`.")
    }
  }

  /// Returns the enumeration case whose raw value is the node's text.
  func choice<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) throws(ScriptError) -> Word {
    let text = try text()
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue)
      let guess = ScriptError.suggestion(for: text, among: known).map { "Did you mean `\($0)`? " } ?? ""
      throw failure("unknown value `\(text)`", guess + "Write one of: \(known.joined(separator: ", ")).")
    }
    return word
  }

  /// Returns a number of bytes, written as `512`, `4KiB` or `10MB`.
  func size() throws(ScriptError) -> Int {
    let text = try text()
    guard let size = Self.quantity(text, Self.sizeUnits) else {
      throw failure("`\(text)` is not a size", "Write a whole number of bytes, or one with kB, MB, GB, KiB, MiB or GiB: 4KiB.")
    }
    return size
  }

  /// Returns a rate in bytes per second, written as `256KiB/s`.
  func rate() throws(ScriptError) -> Int {
    let text = try text()
    guard text.hasSuffix("/s"), let rate = Self.quantity(text.dropLast(2), Self.sizeUnits) else {
      throw failure("`\(text)` is not a rate", "Write a size per second, such as 256KiB/s.")
    }
    return rate
  }

  /// Returns a duration, written as `250us`, `10ms`, `5s`, `2m` or `1h`.
  func duration() throws(ScriptError) -> Duration {
    let text = try text()
    guard let nanoseconds = Self.quantity(text, Self.timeUnits) else {
      throw failure("`\(text)` is not a duration", "Write a whole number with us, ms, s, m or h: 250ms.")
    }
    return .nanoseconds(nanoseconds)
  }

  /// Returns the duration by which a clock is moved forward, written as `+10m`.
  func advance() throws(ScriptError) -> Duration {
    let text = try text()
    guard text.hasPrefix("+"), let nanoseconds = Self.quantity(text.dropFirst(), Self.timeUnits) else {
      throw failure("`\(text)` is not a clock advance", "Write a plus sign and a duration, such as +10m.")
    }
    return .nanoseconds(nanoseconds)
  }

  private static let sizeUnits = [
    "": 1, "B": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
  ]

  private static let timeUnits = [
    "ns": 1, "us": 1000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
  ]

  private static func quantity(_ text: some StringProtocol, _ units: [String: Int]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Int(digits), let factor = units[String(unit)] else { return nil }
    let (product, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : product
  }
}
