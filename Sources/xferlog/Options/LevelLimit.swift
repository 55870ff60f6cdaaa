import ArgumentParser
package import XferEvents

/// The levels to show: one level and those above it, or one level alone.
package struct LevelLimit: Equatable, Sendable, ExpressibleByArgument {
  package let level: Level
  package let isExact: Bool

  package init(_ level: Level, isExact: Bool = false) {
    self.level = level
    self.isExact = isExact
  }

  /// Reads a level such as `error`, `e` or `warning`. A leading `=` selects that level alone.
  package init?(argument: String) {
    let isExact = argument.hasPrefix("=")
    guard let level = Level(name: isExact ? String(argument.dropFirst()) : argument) else { return nil }
    self.init(level, isExact: isExact)
  }

  @inline(__always)
  package func admits(_ level: Level) -> Bool { isExact ? level == self.level : level >= self.level }
}
