import XferScript

extension ScriptedResponse {
  /// Returns a response with a generated body in which every misplaced byte is detectable.
  static func generated(_ size: Int) -> Self { Self(body: .generated(size: size, seed: 1)) }
}
