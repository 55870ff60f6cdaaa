/// A string as a log contains it.
public enum RecordedText: Hashable, Sendable {
  case plain(String)
  /// A truncated string; `count` is the original length in bytes.
  case cut(String, count: Int)
  /// A keyed hash. Equal values have equal hashes under one key.
  case hashed(UInt64)
  case redacted
}

extension RecordedText {
  /// Whether equal values have equal recorded texts; `false` if the value was truncated or not stored.
  package var isComparable: Bool {
    switch self {
    case .plain, .hashed: true
    case .cut, .redacted: false
    }
  }

  /// A text that is equal for equal values, for use as a key; `nil` if the value was truncated or not stored.
  package var key: String? {
    switch self {
    case .plain, .hashed: description
    case .cut, .redacted: nil
    }
  }
}

extension RecordedText: CustomStringConvertible {
  /// The value, or a mask like those that os_log prints.
  public var description: String {
    switch self {
    case .plain(let text): text
    case .cut(let text, let count): "\(text)… (\(count) bytes)"
    case .hashed(let hash): "<mask.hash: \(hash.hexadecimal)>"
    case .redacted: "<private>"
    }
  }
}
