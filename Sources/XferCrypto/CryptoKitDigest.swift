#if canImport(CryptoKit)
  import CryptoKit

  /// A digest in progress.
  enum DigestState: Sendable {
    case md5(Insecure.MD5)
    case sha1(Insecure.SHA1)
    case sha256(CryptoKit.SHA256)
    case sha512(CryptoKit.SHA512)

    init(_ algorithm: DigestAlgorithm) {
      self =
        switch algorithm {
        case .md5: .md5(Insecure.MD5())
        case .sha1: .sha1(Insecure.SHA1())
        case .sha256: .sha256(CryptoKit.SHA256())
        case .sha512: .sha512(CryptoKit.SHA512())
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      switch self {
      case .md5(var function): self = Self.updated(&function, bytes, Self.md5)
      case .sha1(var function): self = Self.updated(&function, bytes, Self.sha1)
      case .sha256(var function): self = Self.updated(&function, bytes, Self.sha256)
      case .sha512(var function): self = Self.updated(&function, bytes, Self.sha512)
      }
    }

    private static func updated<Function: HashFunction>(
      _ function: inout Function, _ bytes: UnsafeRawBufferPointer, _ state: (Function) -> Self
    ) -> Self {
      function.update(bufferPointer: bytes)
      return state(function)
    }

    func finalize() -> [UInt8] {
      switch self {
      case .md5(let function): Array(function.finalize())
      case .sha1(let function): Array(function.finalize())
      case .sha256(let function): Array(function.finalize())
      case .sha512(let function): Array(function.finalize())
      }
    }
  }
#endif
