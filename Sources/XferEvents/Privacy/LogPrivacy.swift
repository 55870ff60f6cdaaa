/// What may be kept of an argument of a message; os.Logger's words.
///
/// | capture mode | `public` | `private` | `private(mask: .none)` | `sensitive` |
/// |---|---|---|---|---|
/// | hashed | as it is | keyed hash | nothing | nothing |
/// | redacted | as it is | nothing | nothing | nothing |
/// | full | as it is | as it is | as it is | as it is |
///
/// It is decided before any byte is stored. Literal text is always public.
public struct LogPrivacy: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  private init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// - Returns: `nil` for a number that names no privacy.
  public init?(rawValue: Int64) {
    guard 0...4 ~= rawValue else { return nil }
    self.rawValue = rawValue
  }

  /// Numbers, booleans and addresses are public; strings and everything else are private.
  public static let auto = LogPrivacy(0)
  /// Kept in every capture mode.
  public static let `public` = LogPrivacy(1)
  /// Kept as a keyed hash, which still joins equal values, where the capture mode is `hashed`.
  public static let `private` = LogPrivacy(2)
  /// Never kept, nor its hash, but in the mode that keeps everything: passwords, tokens, cookies.
  public static let sensitive = LogPrivacy(4)

  public enum Mask: Sendable {
    /// What `private` means by itself.
    case hash
    /// Not even the hash.
    case none
  }

  /// Private with or without a hash; a capture mode that keeps no hashes keeps none here either.
  public static func `private`(mask: Mask) -> LogPrivacy { mask == .hash ? .private : LogPrivacy(3) }

  /// The one of two that keeps less; what has no privacy of its own leaves it to the other.
  public static func stricter(_ first: LogPrivacy, _ second: LogPrivacy) -> LogPrivacy {
    LogPrivacy(max(first.rawValue, second.rawValue))
  }
}

extension PrivacyPolicy {
  /// What becomes of an argument in this field.
  @inline(__always)
  package func treatment(of privacy: LogPrivacy, isText: Bool, in field: FieldID) -> Treatment {
    switch privacy {
    case .public: .plain
    case .auto: isText ? treatment(of: Privacy.private, in: field) : .plain
    case .private: treatment(of: Privacy.private, in: field)
    case .sensitive: mode == .full ? .plain : .redacted
    default: treatment(of: Privacy.private, in: field) == .plain ? .plain : .redacted
    }
  }
}
