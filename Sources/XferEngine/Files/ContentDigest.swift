internal import XferCrypto
internal import XferEvents

/// An incremental SHA-256 digest of a task's response body. The log contains its first eight bytes.
struct ContentDigest: Sendable {
  private var hash = SHA256()

  mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  var value: ValueDigest {
    ValueDigest(hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
