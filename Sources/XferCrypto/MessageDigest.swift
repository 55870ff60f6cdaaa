/// An incremental message digest, by CryptoKit on Apple systems and by OpenSSL elsewhere.
package struct MessageDigest: Sendable {
  private var state: DigestState

  /// Returns `nil` if the system forbids the algorithm, as systems in FIPS mode forbid MD5.
  package init?(_ algorithm: DigestAlgorithm) {
    guard let state = DigestState(algorithm) else { return nil }
    self.state = state
  }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { state.update(bytes) }

  package mutating func update(data: some Collection<UInt8>) { data.withContiguousBytes { state.update($0) } }

  /// Returns the digest of all bytes so far. More bytes may follow.
  package func finalize() -> [UInt8] { state.finalize() }

  /// Returns `nil` if the system forbids the algorithm.
  package static func hash(data: some Collection<UInt8>, _ algorithm: DigestAlgorithm) -> [UInt8]? {
    guard var digest = MessageDigest(algorithm) else { return nil }
    digest.update(data: data)
    return digest.finalize()
  }
}

/// An incremental SHA-256 digest, which every system allows.
package struct SHA256: Sendable {
  private var digest: MessageDigest

  package init() {
    guard let digest = MessageDigest(.sha256) else { preconditionFailure("the system has no SHA-256 or no memory") }
    self.digest = digest
  }

  package mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) { digest.update(bufferPointer: bytes) }

  package mutating func update(data: some Collection<UInt8>) { digest.update(data: data) }

  /// Returns the 32 bytes of the digest of all bytes so far. More bytes may follow.
  package func finalize() -> [UInt8] { digest.finalize() }

  package static func hash(data: some Collection<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: data)
    return hash.finalize()
  }
}

extension Collection<UInt8> {
  /// Calls `body` with the bytes, which are copied first if they are not contiguous.
  func withContiguousBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) } ?? Array(self).withUnsafeBytes(body)
  }
}
