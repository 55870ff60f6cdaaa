/// What the encoder may write of private values: decided before any byte is stored.
public struct PrivacyPolicy: Sendable {
  public let mode: CaptureMode
  /// Private fields that this writer has declared public, as a command does with what its own user typed.
  public let declaredPublic: Set<FieldID>
  package let key: KeyedHash.Key

  /// - Parameter key: 128 bits kept outside every log; hashes join only under one key.
  public init(mode: CaptureMode = .hashed, declaredPublic: Set<FieldID> = [], key: (UInt64, UInt64)) {
    self.mode = mode
    self.declaredPublic = declaredPublic
    self.key = .init(first: key.0, second: key.1)
    publicBits = declaredPublic.reduce(into: Bits()) { $0.insert($1) }
  }

  private let publicBits: Bits

  /// What becomes of a text of this class in this field.
  @inline(__always)
  package func treatment(of privacy: Privacy, in field: FieldID) -> Treatment {
    if privacy == .public || mode == .full || publicBits.contains(field) { return .plain }
    return mode == .hashed ? .hashed : .redacted
  }

  package enum Treatment { case plain, hashed, redacted }

  /// Membership by one load; a `Set` would hash on the hot path.
  private struct Bits: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    mutating func insert(_ field: FieldID) {
      let bit: UInt64 = 1 << UInt64(field.rawValue & 63)
      switch field.rawValue >> 6 {
      case 0: words.0 |= bit
      case 1: words.1 |= bit
      case 2: words.2 |= bit
      default: words.3 |= bit
      }
    }

    @inline(__always)
    func contains(_ field: FieldID) -> Bool {
      let word =
        switch field.rawValue >> 6 {
        case 0: words.0
        case 1: words.1
        case 2: words.2
        default: words.3
        }
      return word >> UInt64(field.rawValue & 63) & 1 == 1
    }
  }
}
