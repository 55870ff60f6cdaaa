import ArgumentParser
import XferEvents

/// A duration as the user types it, for example `30s` or `1h30m`.
package struct TimeSpan: Equatable, Sendable, ExpressibleByArgument {
  package let text: String
  package let nanoseconds: Int64

  package init?(argument: String) {
    guard let nanoseconds = DurationText.nanoseconds(argument) else { return nil }
    text = argument
    self.nanoseconds = nanoseconds
  }
}
