internal import Crypto
internal import XferEvents

/// SHA-256 of what a task brings, as it comes; the log has the first eight of its bytes.
struct ContentDigest: Sendable {
  private var hash = SHA256()

  mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

  var value: ValueDigest {
    ValueDigest(hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
