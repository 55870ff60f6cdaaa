extension Duration {
  /// The duration in whole seconds, for summaries.
  var inSeconds: String { "\(components.seconds) s" }
}
