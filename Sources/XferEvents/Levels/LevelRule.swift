/// From which level up something is written: `com.example:transfer=debug`.
public struct LevelRule: Hashable, Sendable {
  public let pattern: LevelPattern
  public let level: Level

  public init(_ pattern: LevelPattern, _ level: Level) {
    self.pattern = pattern
    self.level = level
  }

  /// Reads `SUBSYSTEM[:CATEGORY]=LEVEL`.
  public init(_ text: String) throws(LevelPattern.Problem) {
    guard let sign = text.lastIndex(of: "=") else {
      throw .init("'\(text)' names no level", advice: "Write SUBSYSTEM[:CATEGORY]=LEVEL, as com.example:transfer=debug.")
    }
    let word = String(text[text.index(after: sign)...])
    guard let level = Level(name: word) else {
      throw .init("'\(word)' is not a level", advice: "Levels are debug, info and default.")
    }
    guard level <= .default else {
      throw .init(
        "\(level.name) cannot be asked for: what is at default or above is always written",
        advice: "A level can be lowered to debug or info, and raised back to default.")
    }
    self.init(try LevelPattern(String(text[..<sign])), level)
  }
}

extension LevelRule: CustomStringConvertible {
  public var description: String { "\(pattern)=\(level.name)" }
}

/// Whom a level is for: a subsystem and a category of it, each of which may be any.
public struct LevelPattern: Hashable, Sendable {
  /// `nil` for any.
  public let subsystem: String?
  public let category: String?

  /// What stands for any in a text.
  public static let any = "*"
  /// Bytes of a name.
  public static let longestName = 255

  /// Reads `com.example:transfer`, `com.example` (all its categories), `*:transfer` or `*`.
  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    subsystem = try Self.name(parts[0], of: "subsystem")
    category = parts.count == 1 ? nil : try Self.name(parts[1], of: "category")
  }

  private static func name(_ text: String, of what: String) throws(Problem) -> String? {
    if text == any { return nil }
    if text.isEmpty { throw .init("the \(what) is empty", advice: "Write * for any.") }
    if text.utf8.count > longestName {
      throw .init("the \(what) has \(text.utf8.count) bytes", advice: "Names have at most \(longestName).")
    }
    if text.contains("*") { throw .init("'\(text)': a * stands alone, for any \(what)", advice: "Name it in full, or write *.") }
    // The log lists the levels in one line, and a terminal shows it.
    let isReadable = text.unicodeScalars.allSatisfy { scalar in
      ![",", "="].contains(scalar) && scalar.properties.generalCategory != .control
    }
    guard isReadable else {
      throw .init("the \(what) '\(text)' has a comma, an equals sign or a control character", advice: "Write * for any \(what).")
    }
    return text
  }

  @inline(__always)
  func matches(subsystem: String, category: String) -> Bool {
    (self.subsystem == nil || self.subsystem == subsystem) && (self.category == nil || self.category == category)
  }

  /// Of two patterns that match, the one with more counts: a subsystem says more than a category.
  var weight: Int { (subsystem == nil ? 0 : 2) + (category == nil ? 0 : 1) }

  /// Why a text is no pattern or no rule.
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
