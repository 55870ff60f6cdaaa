#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension String {
  /// Whether the bytes of this text come before those of another one, which is the order of the characters' numbers.
  package func precedesByBytes(_ other: String) -> Bool {
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        let shared = min(one.count, other.count)
        guard shared > 0, let first = one.baseAddress, let second = other.baseAddress else { return one.count < other.count }
        let order = memcmp(first, second, shared)
        return order == 0 ? one.count < other.count : order < 0
      }
    }
  }
}
