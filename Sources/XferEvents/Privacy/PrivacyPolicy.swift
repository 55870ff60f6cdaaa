/// A writer's rules for private values. The encoder applies them before it stores any byte.
public struct PrivacyPolicy: Sendable {
  public let mode: CaptureMode
  /// Private fields that this writer has declared public. For example, a command declares the fields public that its user typed.
  public let declaredPublic: Set<FieldID>
  /// Public fields that this writer has declared private.
  public let declaredPrivate: Set<FieldID>
  package let key: KeyedHash.Key

  /// - Parameter key: 128 bits that are stored outside all logs. Only hashes under the same key can be joined.
  public init(
    mode: CaptureMode = .hashed, declaredPublic: Set<FieldID> = [], declaredPrivate: Set<FieldID> = [], key: (UInt64, UInt64)
  ) {
    self.mode = mode
    self.declaredPublic = declaredPublic
    self.declaredPrivate = declaredPrivate
    self.key = .init(first: key.0, second: key.1)
    publicFields = NumberSet(declaredPublic.map { Int($0.rawValue) })
    privateFields = NumberSet(declaredPrivate.map { Int($0.rawValue) })
  }

  /// The identifier of the installation that the key belongs to; `nil` without a key. The key cannot be computed from it.
  package var installation: InstallationID? {
    if key == KeyedHash.Key(first: 0, second: 0) { return nil }
    func half(_ name: StaticString) -> UInt64 {
      KeyedHash.hash(.init(start: name.utf8Start, count: name.utf8CodeUnitCount), key: key)
    }
    return InstallationID(high: half("xferlog installation, high"), low: half("xferlog installation, low"))
  }

  private let publicFields: NumberSet
  private let privateFields: NumberSet

  /// Returns how a text of this privacy is stored in this field.
  @inline(__always)
  package func treatment(of privacy: Privacy, in field: FieldID) -> Treatment {
    if mode == .full { return .plain }
    let number = Int(field.rawValue)
    let isPublic = privacy == .public ? !privateFields.contains(number) : publicFields.contains(number)
    return isPublic ? .plain : mode == .hashed ? .hashed : .redacted
  }

  /// How a public text is stored if it contains a URL, whose user, query and path may be secret or private.
  package var treatmentOfURLs: Treatment {
    switch mode {
    case .full: .plain
    case .hashed: .hashed
    case .redacted: .redacted
    }
  }

  package enum Treatment { case plain, hashed, redacted }
}
