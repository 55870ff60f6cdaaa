#if canImport(CryptoKit)
  import CryptoKit

  /// A digest in progress.
  struct DigestState: Sendable {
    private var function: any HashFunction & Sendable

    init?(_ algorithm: DigestAlgorithm) {
      function =
        switch algorithm {
        case .md5: Insecure.MD5()
        case .sha1: Insecure.SHA1()
        case .sha256: CryptoKit.SHA256()
        case .sha512: CryptoKit.SHA512()
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }

    func finalize() -> [UInt8] { Self.bytes(of: function.finalize()) }

    private static func bytes(of digest: some Digest) -> [UInt8] { Array(digest) }
  }
#endif
