/// What the encoder may write of private values: decided before any byte is stored.
public struct PrivacyPolicy: Sendable {
  public let mode: CaptureMode
  /// Private fields that this writer has declared public, as a command does with what its own user typed.
  public let declaredPublic: Set<FieldID>
  /// Public texts that this writer has declared private.
  public let declaredPrivate: Set<FieldID>
  package let key: KeyedHash.Key

  /// - Parameter key: 128 bits kept outside every log; hashes join only under one key.
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

  private let publicFields: NumberSet
  private let privateFields: NumberSet

  /// What becomes of a text of this class in this field.
  @inline(__always)
  package func treatment(of privacy: Privacy, in field: FieldID) -> Treatment {
    if mode == .full { return .plain }
    let number = Int(field.rawValue)
    let isPublic = privacy == .public ? !privateFields.contains(number) : publicFields.contains(number)
    return isPublic ? .plain : mode == .hashed ? .hashed : .redacted
  }

  /// What becomes of a public text that has a URL in it, whose user, query and path may be secret or private.
  package var treatmentOfURLs: Treatment {
    switch mode {
    case .full: .plain
    case .hashed: .hashed
    case .redacted: .redacted
    }
  }

  package enum Treatment { case plain, hashed, redacted }
}
