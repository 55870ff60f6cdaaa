import ArgumentParser
import XferEvents

/// The shortest time without an event that is drawn, or no such time.
enum SilenceLimit: Equatable, ExpressibleByArgument {
  case never
  case atLeast(TimeSpan)

  init?(argument: String) {
    if argument == "never" {
      self = .never
    } else if let span = TimeSpan(argument: argument), span.nanoseconds > 0 {
      self = .atLeast(span)
    } else {
      return nil
    }
  }

  /// The limit on a terminal.
  static let usual = TimeSpan(argument: "1s").map(SilenceLimit.atLeast) ?? .never

  /// `nil` means that no silence is drawn.
  var duration: Duration? { if case .atLeast(let span) = self { .nanoseconds(span.nanoseconds) } else { nil } }
}
