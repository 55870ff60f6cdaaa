import XferEvents

extension TaskIdentity {
  /// As people know it: `session/number`.
  var text: String { "\(session)/\(number)" }
}

extension Duration {
  /// Whole seconds, as summaries have them.
  var inSeconds: String { "\(components.seconds) s" }
}
