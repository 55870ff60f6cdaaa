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

    func finalize() -> [UInt8] { Self.end(of: function) }

    private static func end(of function: some HashFunction) -> [UInt8] { Array(function.finalize()) }
  }
#endif
