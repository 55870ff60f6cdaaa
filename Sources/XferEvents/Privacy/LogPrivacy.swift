/// The privacy of a message's argument, with os.Logger's names.
///
/// | capture mode | `public` | `private` | `private(mask: .none)` | `sensitive` |
/// |---|---|---|---|---|
/// | hashed | value | keyed hash | nothing | nothing |
/// | redacted | value | nothing | nothing | nothing |
/// | full | value | value | value | value |
///
/// The table shows what the log stores. The encoder decides before it stores any byte. Literal text is always public.
public struct LogPrivacy: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int64

  private init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// - Returns: `nil` for an unknown number.
  public init?(rawValue: Int64) {
    guard 0...4 ~= rawValue else { return nil }
    self.rawValue = rawValue
  }

  /// The default: numbers, Booleans and addresses are public; strings and everything else are private.
  public static let auto = LogPrivacy(0)
  /// A value that is stored in every capture mode.
  public static let `public` = LogPrivacy(1)
  /// A value that the capture mode `hashed` stores as a keyed hash. Equal values have equal hashes.
  public static let `private` = LogPrivacy(2)
  /// A secret such as a password, token or cookie. Neither the value nor its hash is stored, except in the capture mode `full`.
  public static let sensitive = LogPrivacy(4)

  public enum Mask: Sendable {
    /// Stores a keyed hash, which is the default for `private`.
    case hash
    /// Stores neither the value nor its hash.
    case none
  }

  /// A private value, stored with or without a hash. The capture mode `redacted` stores no hashes in either case.
  public static func `private`(mask: Mask) -> LogPrivacy { mask == .hash ? .private : LogPrivacy(3) }

  /// Returns the privacy that stores less. `auto` yields to the other.
  public static func stricter(_ first: LogPrivacy, _ second: LogPrivacy) -> LogPrivacy {
    LogPrivacy(max(first.rawValue, second.rawValue))
  }
}

extension PrivacyPolicy {
  /// Returns how an argument in this field is stored.
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
