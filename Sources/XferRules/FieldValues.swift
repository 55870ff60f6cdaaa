import XferEvents
import XferYAML

/// A reader for values of a field in rule files.
struct FieldValues {
  let field: FieldID
  private var name: String { field.definition.name }
  private var type: FieldType { field.type }

  /// Returns a value to compare with those of a log.
  func value(_ node: YAMLNode) throws(RuleError) -> RecordedValue {
    let text = try node.text("a value of \(name)")
    switch type {
    case .task, .message: return .text(.plain(text))
    case .tasks:
      throw node.failure("`\(name)` is a list of tasks and cannot be compared", "Write `\(name): {exists: true}`.")
    default: return try scalar(text, node)
    }
  }

  /// Returns a value for an event of an example.
  func example(_ node: YAMLNode) throws(RuleError) -> RecordedValue {
    switch type {
    case .tasks:
      var tasks: [TaskIdentity] = []
      for member in node.members { tasks.append(try Self.task(member)) }
      return .tasks(tasks)
    case .task: return .task(try Self.task(node))
    case .message:
      return .message(RecordedMessage(format: try node.text("a value of \(name)"), arguments: []))
    case .text where node.scalar == Self.mask: return .text(.redacted)
    default: return try scalar(try node.text("a value of \(name)"), node)
    }
  }

  /// The text that os_log shows in place of private values.
  private static let mask = "<private>"

  private func scalar(_ text: String, _ node: YAMLNode) throws(RuleError) -> RecordedValue {
    switch type {
    case .symbol, .text: return .text(.plain(text))
    case .flag: return .flag(try node.flag())
    case .choice(let list):
      let words = Vocabulary.cases(of: list)
      guard words.contains(text) else { throw node.failure("`\(text)` is not a value of \(name)", .near(text, words)) }
      return .choice(text)
    case .launch: return try pair(text, node) { LaunchID($0).map(RecordedValue.launch) }
    case .boot: return try pair(text, node) { BootID($0).map(RecordedValue.boot) }
    case .delivery, .handler, .correlation:
      guard let number = UInt64(text) else {
        throw node.failure("`\(text)` is not an id", "Write a whole number, as `xferlog show` prints it.")
      }
      return .identifier(number)
    case .digest:
      guard let digest = UInt64(text.drop { $0 == "#" }, radix: 16) else {
        throw node.failure("`\(text)` is not a digest", "Write it as `xferlog show` prints it, in quotes: '#1f2e'.")
      }
      return .digest(digest)
    case .bytes, .count, .number, .duration, .wallTime: return try measured(text, node)
    case .task, .tasks, .message: preconditionFailure("read by the callers")
    }
  }

  private func pair(_ text: String, _ node: YAMLNode, _ read: (String) -> RecordedValue?) throws(RuleError) -> RecordedValue {
    guard let value = read(text) else {
      throw node.failure(
        "`\(text)` is not an id of \(name)", "Write a UUID, for example 00000000-0000-0000-0000-000000000001.")
    }
    return value
  }

  // MARK: Ordered values

  var hasOrder: Bool {
    switch type {
    case .bytes, .count, .number, .duration, .wallTime: true
    default: false
    }
  }

  /// The range of values that the field's type allows.
  private var range: ClosedRange<Int64> {
    switch type {
    case .number: Int64(Int32.min)...Int64(Int32.max)
    case .wallTime: .min ... .max
    default: 0 ... .max
    }
  }

  private func measured(_ text: String, _ node: YAMLNode) throws(RuleError) -> RecordedValue {
    let number = try magnitude(text, node)
    guard range.contains(number) else {
      throw node.failure(.contradiction, "`\(name)` cannot be \(text)", "The field is \(domain).")
    }
    return value(number)
  }

  private func value(_ number: Int64) -> RecordedValue {
    switch type {
    case .bytes: .bytes(number)
    case .duration: .duration(.nanoseconds(number))
    case .wallTime: .time(WallTime(nanoseconds: number))
    default: .integer(number)
    }
  }

  private var domain: String {
    switch type {
    case .number: "a 32-bit whole number"
    case .duration: "a duration of at least zero"
    case .bytes: "a number of bytes of at least zero"
    default: "a whole number of at least zero"
    }
  }

  private func magnitude(_ text: String, _ node: YAMLNode) throws(RuleError) -> Int64 {
    let read: Int64?
    let form: String
    switch type {
    case .bytes:
      (read, form) = (Self.size(text), "a number of bytes, or a number with kB, MB, GB, KiB, MiB or GiB, for example 4KiB")
    case .duration: (read, form) = (Self.duration(text), "a number with ms, s, m, h or d, for example 30s")
    case .wallTime:
      (read, form) = (
        text.first == "@" ? DurationText.decimalSeconds(text.dropFirst()) : nil, "seconds since 1970 after an @: '@1780000000'"
      )
    default: (read, form) = (Int64(text), "a whole number")
    }
    guard let read else { throw node.failure("`\(text)` is not a value of \(name)", "Write \(form).") }
    return read
  }

  static func duration(_ text: String) -> Int64? {
    if text.hasPrefix("-") { return DurationText.nanoseconds(String(text.dropFirst())).map { -$0 } }
    return DurationText.nanoseconds(text)
  }

  private static let sizes: [String: Int64] = [
    "": 1, "B": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
  ]

  private static func size(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "-" }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Int64(digits), let factor = sizes[String(unit)] else { return nil }
    let (product, overflows) = number.multipliedReportingOverflow(by: factor)
    return overflows ? nil : product
  }

  /// Reads comparisons such as `>= 400` or `> 1MiB and <= 2GiB`. Returns `nil` for a text without a comparison.
  func comparison(_ node: YAMLNode) throws(RuleError) -> ClosedRange<Int64>? {
    guard let text = node.scalar, text.first == "<" || text.first == ">" else { return nil }
    guard hasOrder else {
      throw node.failure("`\(name)` has no order and cannot be compared", "Write the required value, or a list.")
    }
    var (lower, upper) = (range.lowerBound, range.upperBound)
    for part in text.split(separator: " and ", omittingEmptySubsequences: false) {
      let part = part.drop { $0 == " " }
      let sign = part.prefix { "<>=".contains($0) }
      let number = try magnitude(String(part.dropFirst(sign.count).drop { $0 == " " }), node)
      switch sign {
      case ">=": lower = max(lower, number)
      case ">": lower = max(lower, number.addingClamped(1))
      case "<=": upper = min(upper, number)
      case "<": upper = min(upper, number.subtractingClamped(1))
      default: throw node.failure("`\(part)` is not a comparison", "Write >=, >, <= or < before each value: '>= 400 and < 500'.")
      }
    }
    guard lower <= upper else {
      throw node.failure(.contradiction, "no value satisfies `\(text)`: `\(name)` is \(domain)", "Widen the comparison.")
    }
    return lower...upper
  }

  // MARK: Tasks

  /// Reads a task such as `img/7`.
  static func task(_ node: YAMLNode) throws(RuleError) -> TaskIdentity {
    let text = try node.text("a task")
    let parts = text.split(separator: "/")
    guard parts.count == 2, let number = UInt32(parts[1]) else {
      throw node.failure("`\(text)` is not a task", "Write the session and the number, for example img/7.")
    }
    // The same name gives the same task in all examples.
    var uid: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { uid = (uid ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return TaskIdentity(uid: TaskUID(high: 0xE2, low: uid), session: String(parts[0]), number: number)
  }
}
