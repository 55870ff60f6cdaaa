#if !canImport(CryptoKit)
  import COpenSSL

  /// A digest in progress. A copy shares the context until one of the two is changed.
  struct DigestState: Sendable {
    private var context: Context

    init?(_ algorithm: DigestAlgorithm) {
      guard let context = Context(), EVP_DigestInit_ex(context.pointer, algorithm.function, nil) == 1 else { return nil }
      self.context = context
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      if !isKnownUniquelyReferenced(&context) { context = context.copy() }
      guard EVP_DigestUpdate(context.pointer, bytes.baseAddress, bytes.count) == 1 else {
        preconditionFailure("OpenSSL refuses bytes only after the end of a digest")
      }
    }

    func finalize() -> [UInt8] {
      // The end changes the context, and more bytes may follow in this one.
      let end = context.copy()
      return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { bytes, count in
        var size: UInt32 = 0
        guard EVP_DigestFinal_ex(end.pointer, bytes.baseAddress, &size) == 1 else {
          preconditionFailure("OpenSSL fails here only at the second end of a digest")
        }
        count = Int(size)
      }
    }

    /// `@unchecked Sendable`: a context is changed only by the one `DigestState` that refers to it; see `update`.
    private final class Context: @unchecked Sendable {
      let pointer: OpaquePointer

      init?() {
        guard let pointer = EVP_MD_CTX_new() else { return nil }
        self.pointer = pointer
      }

      deinit { EVP_MD_CTX_free(pointer) }

      func copy() -> Context {
        guard let copy = Context(), EVP_MD_CTX_copy_ex(copy.pointer, pointer) == 1 else {
          preconditionFailure("OpenSSL cannot allocate memory")
        }
        return copy
      }
    }
  }

  extension DigestAlgorithm {
    fileprivate var function: OpaquePointer? {
      switch self {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      case .sha512: EVP_sha512()
      }
    }
  }
#endif
