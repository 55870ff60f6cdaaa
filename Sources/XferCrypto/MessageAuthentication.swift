#if canImport(CryptoKit)
  import CryptoKit
#else
  import COpenSSL
#endif

/// A message authentication code with SHA-256 (RFC 2104).
package enum HMACSHA256 {
  /// Returns the 32 bytes of the code.
  package static func code(for data: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      data.withContiguousBytes { bytes in
        var code = HMAC<CryptoKit.SHA256>(key: SymmetricKey(data: key))
        code.update(data: Array(bytes))
        return Array(code.finalize())
      }
    #else
      data.withContiguousBytes { bytes in
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { code, count in
          var size: UInt32 = 0
          let result = HMAC(
            EVP_sha256(), key, Int32(clamping: key.count), bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count,
            code.baseAddress, &size)
          precondition(result != nil, "the system has no SHA-256 or no memory")
          count = Int(size)
        }
      }
    #endif
  }
}
