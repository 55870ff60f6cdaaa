#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Strings for the names that recur in a log, so that the same name does not need memory for each record.
struct NameCache {
  private var known: [String] = Array(repeating: "", count: 128)

  init() {}

  /// Returns a name as a string; `nil` if it is empty.
  mutating func name(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard let first = bytes.first, let last = bytes.last else { return nil }
    let place = (Int(first) &+ 7 &* Int(last) &+ 13 &* bytes.count) & 127
    let isKnown = known[place].utf8.withContiguousStorageIfAvailable { name in
      name.count == bytes.count
        && name.baseAddress.map { memcmp($0, bytes.baseAddress ?? UnsafeRawPointer($0), name.count) == 0 } ?? false
    }
    if isKnown ?? false { return known[place] }
    known[place] = bytes.text
    return known[place]
  }
}
