/// The levels that a writer keeps: its own lowest level, and the rules that were set for its log.
///
/// Events at default and above are always kept.
public struct LevelsInForce: Hashable, Sendable {
  /// The lowest level that is kept for a subsystem and category that no rule matches.
  public var lowest: Level
  public var rules: LevelRules

  public init(lowest: Level, rules: LevelRules = LevelRules()) {
    self.lowest = lowest
    self.rules = rules
  }

  /// The subsystem of the vocabulary's own events. The category of each event is its family.
  public static let ownSubsystem = "xferlog"

  public func level(subsystem: String, category: String) -> Level {
    rules.level(subsystem: subsystem, category: category) ?? lowest
  }

  package func level(ofFamily family: String) -> Level { level(subsystem: Self.ownSubsystem, category: family) }

  /// Whether every event of this layout is kept. If the layout's events name their own subsystem and category, whether they are
  /// kept for all subsystems and categories.
  package func keeps(_ event: EventLayout) -> Bool { keeps(event.level, family: event.family) }

  /// Whether every event of this kind is kept. A history of levels asks for kinds: most replays do not need all layouts.
  package func keeps(_ kind: EventKind) -> Bool { keeps(kind.level, family: kind.family) }

  private func keeps(_ level: Level, family: @autoclosure () -> String) -> Bool {
    if level >= .default { return true }
    if rules.rules.isEmpty { return level >= lowest }
    let family = family()
    return level >= (Self.ownLevelFamilies.contains(family) ? highest : self.level(ofFamily: family))
  }

  /// The lowest level at which every event is kept, whatever its subsystem and category.
  package var complete: Level {
    rules.rules.isEmpty ? lowest : max(highest, Self.families.map(level(ofFamily:)).max() ?? lowest)
  }

  /// The highest threshold that applies to any subsystem and category.
  private var highest: Level {
    let others = rules.rules.first { $0.pattern.weight == 0 }?.level ?? lowest
    return max(others, rules.rules.map(\.level).max() ?? others)
  }

  /// The families whose events name their own subsystem and category.
  package static let ownLevelFamilies: Set = ["message", "signpost"]
  private static let families = Set(EventLayout.known.compactMap { $0?.family })
}

// MARK: The text in the log

extension LevelsInForce {
  /// The levels as a text such as `default,com.example:transfer=debug`.
  package var text: String { ([lowest.name] + rules.rules.map(\.description)).joined(separator: ",") }

  /// Parses the text of levels; `nil` if it is invalid or truncated.
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
  /// The event's family: the part of the name before the dot.
  package var family: String { String(name.prefix { $0 != "." }) }
}

extension EventLayout {
  /// The event's family: the part of the name before the dot.
  package var family: String { String(name.prefix { $0 != "." }) }
}
