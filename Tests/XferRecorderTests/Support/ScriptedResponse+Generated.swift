import XferScript

extension ScriptedResponse {
  /// A body that shows any byte out of place.
  static func generated(_ size: Int) -> Self { Self(body: .generated(size: size, seed: 1)) }
}
