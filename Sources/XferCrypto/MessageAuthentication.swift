/// A message authentication code with SHA-256 (RFC 2104).
package enum HMACSHA256 {
  private static let blockSize = 64

  /// Returns the 32 bytes of the code.
  package static func code(for data: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    let short = key.count > blockSize ? SHA256.hash(data: key) : key
    let padded = short + [UInt8](repeating: 0, count: blockSize - short.count)
    var inner = SHA256()
    inner.update(data: padded.map { $0 ^ 0x36 })
    inner.update(data: data)
    var outer = SHA256()
    outer.update(data: padded.map { $0 ^ 0x5C })
    outer.update(data: inner.finalize())
    return outer.finalize()
  }
}
