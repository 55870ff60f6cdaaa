import XferReading

extension DiagnosedLog {
  /// Ends a command: throws a `CommandExit` for an exit code other than 0, and otherwise prints the reason as a warning.
  static func end(_ conclusion: Conclusion) throws {
    if conclusion.status != .analysed { throw CommandExit(conclusion.status, conclusion.reason) }
    if !conclusion.reason.isEmpty { StandardError.remark(conclusion.reason) }
  }
}
