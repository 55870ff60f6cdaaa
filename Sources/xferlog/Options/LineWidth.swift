import ArgumentParser

/// The width of lines of text.
enum LineWidth: Equatable, Sendable, ExpressibleByArgument {
  /// The width of the terminal; unlimited without a terminal.
  case auto
  case unlimited
  case columns(Int)

  init?(argument: String) {
    switch argument {
    case "auto": self = .auto
    case "none": self = .unlimited
    default:
      guard let columns = Int(argument), (20...10_000).contains(columns) else { return nil }
      self = .columns(columns)
    }
  }

  var text: String {
    switch self {
    case .auto: "auto"
    case .unlimited: "none"
    case .columns(let columns): "\(columns)"
    }
  }
}
