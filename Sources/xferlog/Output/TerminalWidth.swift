import XferReading

/// The width of the terminal, which the user may change while a command runs.
struct TerminalWidth {
  private let output: StandardOutput
  private let environment: [String: String]
  /// Whether lines are as wide as the terminal, and not as wide as an option or a setting says.
  private let isFollowed: Bool
  private var columns: Int?

  /// - Parameter width: the width that the user asked for with an option.
  init(_ output: StandardOutput, _ surroundings: Surroundings, _ width: LineWidth?) {
    (self.output, environment) = (output, surroundings.environment)
    isFollowed = (width ?? surroundings.settings.width) == .auto
    columns = output.terminal(environment)?.columns
  }

  /// Returns the new width in columns if it has changed since the last call; `nil` if it has not, or if lines do not follow a terminal.
  mutating func change() -> Int? {
    guard isFollowed, let now = output.terminal(environment)?.columns, now != columns else { return nil }
    columns = now
    return now
  }
}
