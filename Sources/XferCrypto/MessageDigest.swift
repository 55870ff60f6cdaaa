/// An incremental message digest, by CryptoKit on Apple systems and by OpenSSL elsewhere.
package struct MessageDigest: Sendable {
  private var state: DigestState

  package init(_ algorithm: DigestAlgorithm) { state = DigestState(algorithm) }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { state.update(bytes) }

  package mutating func update(data: some Collection<UInt8>) { data.withContiguousBytes { state.update($0) } }

  /// Returns the digest of all bytes so far. More bytes may follow.
  package func finalize() -> [UInt8] { state.finalize() }

  package static func hash(data: some Collection<UInt8>, _ algorithm: DigestAlgorithm) -> [UInt8] {
    var digest = MessageDigest(algorithm)
    digest.update(data: data)
    return digest.finalize()
  }
}

/// An incremental SHA-256 digest.
package struct SHA256: Sendable {
  private var digest = MessageDigest(.sha256)

  package init() {}

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { digest.update(bufferPointer: bytes) }

  package mutating func update(data: some Collection<UInt8>) { digest.update(data: data) }

  /// Returns the 32 bytes of the digest of all bytes so far. More bytes may follow.
  package func finalize() -> [UInt8] { digest.finalize() }

  package static func hash(data: some Collection<UInt8>) -> [UInt8] { MessageDigest.hash(data: data, .sha256) }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes, which are copied first if they are not contiguous.
  func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) } ?? Array(self).withUnsafeBytes(body)
  }
}
