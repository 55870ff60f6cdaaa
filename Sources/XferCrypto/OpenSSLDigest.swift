#if !canImport(CryptoKit)
  import COpenSSL

  /// A digest in progress.
  ///
  /// OpenSSL's EVP functions are not used, because they need global state, which OpenSSL frees when the process exits. A thread that
  /// seals a log at that moment would crash the app.
  enum DigestState: Sendable {
    case md5(MD5_CTX)
    case sha1(SHA_CTX)
    case sha256(SHA256_CTX)
    case sha512(SHA512_CTX)

    // OpenSSL's functions below always succeed, so their results are ignored.

    init(_ algorithm: DigestAlgorithm) {
      switch algorithm {
      case .md5:
        var context = MD5_CTX()
        MD5_Init(&context)
        self = .md5(context)
      case .sha1:
        var context = SHA_CTX()
        SHA1_Init(&context)
        self = .sha1(context)
      case .sha256:
        var context = SHA256_CTX()
        SHA256_Init(&context)
        self = .sha256(context)
      case .sha512:
        var context = SHA512_CTX()
        SHA512_Init(&context)
        self = .sha512(context)
      }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      switch self {
      case .md5(var context):
        MD5_Update(&context, bytes.baseAddress, bytes.count)
        self = .md5(context)
      case .sha1(var context):
        SHA1_Update(&context, bytes.baseAddress, bytes.count)
        self = .sha1(context)
      case .sha256(var context):
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
        self = .sha256(context)
      case .sha512(var context):
        SHA512_Update(&context, bytes.baseAddress, bytes.count)
        self = .sha512(context)
      }
    }

    func finalize() -> [UInt8] {
      switch self {
      case .md5(var context): Self.digest(MD5_DIGEST_LENGTH) { MD5_Final($0, &context) }
      case .sha1(var context): Self.digest(SHA_DIGEST_LENGTH) { SHA1_Final($0, &context) }
      case .sha256(var context): Self.digest(SHA256_DIGEST_LENGTH) { SHA256_Final($0, &context) }
      case .sha512(var context): Self.digest(SHA512_DIGEST_LENGTH) { SHA512_Final($0, &context) }
      }
    }

    private static func digest(_ size: Int32, _ end: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: Int(size)) { bytes, count in
        _ = end(bytes.baseAddress)
        count = Int(size)
      }
    }
  }
#endif
