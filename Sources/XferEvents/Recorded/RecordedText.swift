/// A string as the log has it.
public enum RecordedText: Hashable, Sendable {
  case plain(String)
  /// Only the first part was kept; `count` is the whole length in bytes.
  case cut(String, count: Int)
  /// A keyed hash: equal values of one capture have equal hashes.
  case hashed(UInt64)
  case redacted
}

extension RecordedText {
  /// By what equal values are known as such; `nil` where that was not kept.
  package var key: String? {
    switch self {
    case .plain, .hashed: description
    case .cut, .redacted: nil
    }
  }
}

extension RecordedText: CustomStringConvertible {
  /// As os_log prints masked values.
  public var description: String {
    switch self {
    case .plain(let text): text
    case .cut(let text, let count): "\(text)… (\(count) bytes)"
    case .hashed(let hash): "<mask.hash: \(hexadecimal(hash))>"
    case .redacted: "<private>"
    }
  }

  private func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
