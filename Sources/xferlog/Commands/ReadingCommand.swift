import ArgumentParser

/// A command that reads logs. Tests run it with their own environment.
protocol ReadingCommand: ParsableCommand {
  func run(_ surroundings: Surroundings) throws
}

extension ReadingCommand {
  mutating func run() throws { try run(.current()) }
}
