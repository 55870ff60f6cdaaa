// swift-format-ignore-file
// Generated from Samples/Scenarios by `xferlog-dev generate`; changes made here are lost.

extension RuleScenario {
  /// The scenarios by the identifiers of their rules.
  static let ofRules: [String: RuleScenario] = [
    :
  ]
}
