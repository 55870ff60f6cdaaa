/// What a writer keeps: its own lowest level, and the rules that were given to its log.
///
/// What is at default or above is kept in any case.
public struct LevelsInForce: Hashable, Sendable {
  /// Where no rule says otherwise.
  public var lowest: Level
  public var rules: LevelRules

  public init(lowest: Level, rules: LevelRules = LevelRules()) {
    self.lowest = lowest
    self.rules = rules
  }

  /// The subsystem of the vocabulary's own events; their family is the category.
  public static let ownSubsystem = "xferlog"

  public func level(subsystem: String, category: String) -> Level {
    rules.level(subsystem: subsystem, category: category) ?? lowest
  }

  package func level(ofFamily family: String) -> Level { level(subsystem: Self.ownSubsystem, category: family) }

  /// Whether every event of this layout is kept; of those that name a subsystem, whatever it is.
  package func keeps(_ event: EventLayout) -> Bool {
    if event.level >= .default { return true }
    return event.level >= (Self.ownLevelFamilies.contains(event.family) ? highest : level(ofFamily: event.family))
  }

  /// From here up everything is kept.
  package var complete: Level {
    rules.rules.isEmpty ? lowest : max(highest, Self.families.map(level(ofFamily:)).max() ?? lowest)
  }

  /// Nobody's level is higher.
  private var highest: Level {
    let others = rules.rules.first { $0.pattern.weight == 0 }?.level ?? lowest
    return max(others, rules.rules.map(\.level).max() ?? others)
  }

  /// Whose events belong to the subsystem and the category that they name.
  package static let ownLevelFamilies: Set = ["message", "signpost"]
  private static let families = Set(EventLayout.known.compactMap { $0?.family })
}

// MARK: As the log says it

extension LevelsInForce {
  /// `default,com.example:transfer=debug`.
  package var text: String { ([lowest.name] + rules.rules.map(\.description)).joined(separator: ",") }

  /// `nil` for what is not such a text, or only the beginning of one.
  package init?(text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let lowest = Level(name: parts[0]) else { return nil }
    var rules = LevelRules()
    for part in parts.dropFirst() {
      guard let rule = try? LevelRule(part) else { return nil }
      rules.set(rule)
    }
    self.init(lowest: lowest, rules: rules)
  }
}

extension EventKind {
  /// What stands before the name's dot.
  package var family: String { String(name.prefix { $0 != "." }) }
}

extension EventLayout {
  /// What stands before the name's dot.
  package var family: String { String(name.prefix { $0 != "." }) }
}
