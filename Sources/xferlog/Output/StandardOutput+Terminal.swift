import XferReading

extension StandardOutput {
  /// Returns the terminal that the output itself is, with its present width; `nil` if the output is not a terminal.
  func terminal(_ environment: [String: String]) -> Terminal? { Terminal(descriptor, environment) }
}
