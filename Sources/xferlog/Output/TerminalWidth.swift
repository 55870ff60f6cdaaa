/// The width of the terminal, which the user may change while a command runs.
struct TerminalWidth {
  private let output: StandardOutput
  private let environment: [String: String]
  private var columns: Int

  init(_ output: StandardOutput, _ surroundings: Surroundings) {
    (self.output, environment) = (output, surroundings.environment)
    columns = output.isTerminal ? output.columns(surroundings.environment) : 0
  }

  /// Returns the new width in columns if it has changed since the last call; `nil` if it has not, or if the output is not a terminal.
  mutating func change() -> Int? {
    guard output.isTerminal else { return nil }
    let now = output.columns(environment)
    if now == columns { return nil }
    columns = now
    return now
  }
}
