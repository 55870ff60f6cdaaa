/// A rule that sets the lowest level to write for a subsystem and category, such as `com.example:transfer=debug`.
public struct LevelRule: Hashable, Sendable {
  public let pattern: LevelPattern
  public let level: Level

  public init(_ pattern: LevelPattern, _ level: Level) {
    self.pattern = pattern
    self.level = level
  }

  /// Parses `SUBSYSTEM[:CATEGORY]=LEVEL`.
  public init(_ text: String) throws(LevelPattern.Problem) {
    guard let sign = text.lastIndex(of: "=") else {
      throw .init("'\(text)' has no level", advice: "Write SUBSYSTEM[:CATEGORY]=LEVEL, for example com.example:transfer=debug.")
    }
    let word = String(text[text.index(after: sign)...])
    guard let level = Level(name: word) else {
      throw .init("'\(word)' is not a level", advice: "The levels are debug, info and default.")
    }
    guard level <= .default else {
      throw .init(
        "the level cannot be set to \(level.name): events at default and above are always written",
        advice: "Choose debug, info or default.")
    }
    self.init(try LevelPattern(String(text[..<sign])), level)
  }
}

extension LevelRule: CustomStringConvertible {
  public var description: String { "\(pattern)=\(level.name)" }
}

/// A subsystem and a category that a level applies to. Each of them may match any name.
public struct LevelPattern: Hashable, Sendable {
  /// The subsystem; `nil` matches any.
  public let subsystem: String?
  public let category: String?

  /// The text that matches any name.
  public static let any = "*"
  /// The maximum length of a name, in bytes.
  public static let longestName = 255

  /// Parses `com.example:transfer`, `com.example` (all its categories), `*:transfer` or `*`.
  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    subsystem = try Self.name(parts[0], of: "subsystem")
    category = parts.count == 1 ? nil : try Self.name(parts[1], of: "category")
  }

  private static func name(_ text: String, of what: String) throws(Problem) -> String? {
    if text == any { return nil }
    if text.isEmpty { throw .init("the \(what) is empty", advice: "Write * to match any \(what).") }
    if text.utf8.count > longestName {
      throw .init("the \(what) has \(text.utf8.count) bytes", advice: "A name has at most \(longestName) bytes.")
    }
    if text.contains("*") {
      throw .init("the \(what) '\(text)' contains a *", advice: "Write the full name, or * alone to match any \(what).")
    }
    // The log stores all rules in one line, separated by commas, and terminals print this line.
    let isReadable = text.unicodeScalars.allSatisfy { scalar in
      ![",", "="].contains(scalar) && scalar.properties.generalCategory != .control
    }
    guard isReadable else {
      throw .init(
        "the \(what) '\(text)' contains a comma, an equals sign or a control character", advice: "Write * to match any \(what).")
    }
    return text
  }

  @inline(__always)
  func matches(subsystem: String, category: String) -> Bool {
    (self.subsystem == nil || self.subsystem == subsystem) && (self.category == nil || self.category == category)
  }

  /// The precedence among patterns that match: a higher weight wins. A subsystem weighs more than a category.
  var weight: Int { (subsystem == nil ? 0 : 2) + (category == nil ? 0 : 1) }

  /// An error in the text of a pattern or rule.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let problem: String
    public let advice: String

    init(_ problem: String, advice: String) {
      self.problem = problem
      self.advice = advice
    }

    public var description: String { "\(problem). \(advice)" }
  }
}

extension LevelPattern: CustomStringConvertible {
  public var description: String {
    switch (subsystem, category) {
    case (let subsystem, nil): subsystem ?? Self.any
    case (let subsystem, let category?): "\(subsystem ?? Self.any):\(category)"
    }
  }
}
