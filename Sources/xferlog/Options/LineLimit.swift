import ArgumentParser

/// The number of events to show, counted from the end, or all events.
package enum LineLimit: Equatable, Sendable, ExpressibleByArgument {
  case all
  case last(Int)

  package init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let count = Int(argument), count >= 0 {
      self = .last(count)
    } else {
      return nil
    }
  }

  package var defaultValueDescription: String {
    switch self {
    case .all: "all"
    case .last(let count): "\(count)"
    }
  }
}
