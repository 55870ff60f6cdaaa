import ArgumentParser

/// A command that reads logs. Tests run it with their own environment.
protocol ReadingCommand: ParsableCommand {
  func run(_ surroundings: Surroundings) throws

  // Requirements instead of casts to `ConfiguredCommand` and `ZonedCommand`: for each cast, the runtime searches the conformances of all
  // types, at every start.
  var ruleOptions: RuleOptions? { get }
  var zoneOptions: ZoneOptions? { get }
}

extension ReadingCommand {
  mutating func run() throws { try run(.current()) }
}

extension ReadingCommand {
  var ruleOptions: RuleOptions? { nil }
  var zoneOptions: ZoneOptions? { nil }
}

extension ReadingCommand where Self: ConfiguredCommand {
  var ruleOptions: RuleOptions? { rules }
}

extension ReadingCommand where Self: ZonedCommand {
  var zoneOptions: ZoneOptions? { zones }
}
