package import XferEvents

extension ValueType {
  /// Reads a value.
  ///
  /// - Returns: `nil` if the text is not a value of the type.
  func literal(_ text: String, _ context: QueryContext) -> Literal? {
    switch self {
    case .text: return .text(text)
    case .task: return .text(text)
    case .choice, .word:
      let known = words ?? []
      return (known.first { $0 == text } ?? known.first { $0.lowercased() == text.lowercased() }).map(Literal.text)
    case .rank(let words): return words.firstIndex(of: text.lowercased()).map { .number(Int64($0)) }
    case .eventName: return EventKind.named(text).map { .text($0.name) }
    case .level:
      // Apple's `log` also accepts the numbers of os_log's types.
      let numbers: [String: Level] = ["0": .default, "1": .info, "2": .debug, "16": .error, "17": .fault]
      return (Level(name: text) ?? numbers[text]).map { .number(Int64($0.rawValue)) }
    case .bytes: return (try? Quantity.bytes(text)).map(Literal.number)
    case .count: return Int64(text).map(Literal.number)
    case .duration: return (try? Quantity.nanoseconds(text)).map(Literal.number)
    case .time: return (WallTime(queryText: text) ?? context.time(text)).map { .number($0.nanoseconds) }
    case .flag:
      switch text.lowercased() {
      case "true", "yes", "1": return .number(1)
      case "false", "no", "0": return .number(0)
      default: return nil
      }
    }
  }

  /// Returns why a text is not a quantity of the type; `nil` if it is one, or if the type's values are not quantities.
  func problem(with text: String) -> Quantity.Problem? {
    do throws(Quantity.Problem) {
      switch self {
      case .bytes, .count: _ = try Quantity.bytes(text)
      case .duration: _ = try Quantity.nanoseconds(text)
      case .text, .choice, .word, .rank, .eventName, .level, .time, .flag, .task: break
      }
      return nil
    } catch {
      return error
    }
  }

  /// Returns a value as a query writes it.
  package func text(of literal: Literal) -> String {
    switch (self, literal) {
    case (.choice, .text(let word)), (.word, .text(let word)), (.eventName, .text(let word)):
      word.utf8.allSatisfy(Self.isPlain) ? word : Predicate.quoted(word)
    case (_, .text(let text)): Predicate.quoted(text)
    case (.level, .number(let number)):
      Level(rawValue: UInt8(clamping: number))?.name ?? "\(number)"
    case (.rank(let words), .number(let number)):
      Int(exactly: number).flatMap { words.indices.contains($0) ? words[$0] : nil } ?? "\(number)"
    case (.bytes, .number(let number)): Quantity.text(bytes: number)
    case (.duration, .number(let number)): Quantity.text(nanoseconds: number)
    case (.time, .number(let number)): WallTime(nanoseconds: number).queryText
    case (.flag, .number(let number)): number == 0 ? "false" : "true"
    case (_, .number(let number)): "\(number)"
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension WallTime {
  /// Reads a time such as `2026-11-20T14:02:07.118Z`, `2026-11-20T15:02:07+01:00` or `@1780000000.5`. `nil` for another text.
  package init?(queryText text: String) {
    if text.hasPrefix("@") {
      let digits = text.dropFirst()
      guard digits.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let time = try? Quantity.nanoseconds(digits + "s")
      else { return nil }
      self.init(nanoseconds: time)
      return
    }
    var reader = TimeReader(text)
    guard let time = reader.time() else { return nil }
    self = time
  }

  /// The time as a query writes it.
  package var queryText: String {
    if nanoseconds >= 0 { return description }
    // The magnitude of the smallest number exceeds 64 bits.
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest)
    return "@-\(seconds).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
  }
}

/// Reads the digits of a time of RFC 3339.
private struct TimeReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  private mutating func number(_ digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let byte = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  private mutating func takes(_ signs: String) -> UInt8? {
    guard let byte = rest.first, signs.utf8.contains(byte) else { return nil }
    rest.removeFirst()
    return byte
  }

  mutating func time() -> WallTime? {
    guard let year = number(4), takes("-") != nil, let month = number(2), takes("-") != nil, let day = number(2),
      takes("Tt") != nil, let hour = number(2), takes(":") != nil, let minute = number(2), takes(":") != nil,
      let second = number(2), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    var fraction: Int64 = 0
    if takes(".") != nil {
      var digits = 0
      while let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        if digits < 9 { fraction = fraction * 10 + Int64(byte - UInt8(ascii: "0")) }
        digits += 1
        rest.removeFirst()
      }
      if digits == 0 { return nil }
      for _ in 0..<max(0, 9 - digits) { fraction *= 10 }
    }
    var offset: Int64 = 0
    if let sign = takes("+-Zz") {
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        guard let hours = number(2), takes(":") != nil, let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
      }
    } else {
      return nil
    }
    guard rest.isEmpty else { return nil }
    let seconds = GregorianDay.number(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, exceeds) = product.addingReportingOverflow(fraction)
    return overflows || exceeds ? nil : WallTime(nanoseconds: sum)
  }
}
