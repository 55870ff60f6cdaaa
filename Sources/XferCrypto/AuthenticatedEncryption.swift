#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import COpenSSL
#endif

/// Encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D), which also authenticates.
package struct AES256GCM: Sendable {
  private let key: [UInt8]

  package static let keySize = 32
  private static let nonceSize = 12
  private static let tagSize = 16

  /// Returns `nil` if the key has another size than `keySize`.
  package init?(key: [UInt8]) {
    guard key.count == Self.keySize else { return nil }
    self.key = key
  }

  /// Returns new random bytes for a key, from the system's generator.
  package static func randomKey() -> [UInt8] { randomBytes(keySize) }

  private static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in generator.next() }
  }

  /// Encrypts bytes with a random nonce.
  ///
  /// - Parameter context: bytes that are authenticated, but not stored. Decryption needs the same bytes.
  /// - Returns: the nonce, the encrypted bytes and the tag; `nil` if the system's cryptography fails.
  package func seal(_ bytes: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
    let nonce = Self.randomBytes(Self.nonceSize)
    #if canImport(CryptoKit)
      guard let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.seal(bytes, using: SymmetricKey(data: key), nonce: nonce, authenticating: context)
      else { return nil }
      return box.combined.map { Array($0) }
    #else
      guard let cipher = Cipher(key: key, nonce: nonce, encrypts: true), cipher.add(context: context),
        let encrypted = cipher.process(bytes), cipher.end()
      else { return nil }
      var tag = [UInt8](repeating: 0, count: Self.tagSize)
      guard cipher.control(EVP_CTRL_GCM_GET_TAG, &tag) else { return nil }
      return nonce + encrypted + tag
    #endif
  }

  /// Decrypts the result of `seal`. Returns `nil` if it was changed, or if the key or the context differ.
  package func open(_ sealed: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.nonceSize + Self.tagSize else { return nil }
    #if canImport(CryptoKit)
      guard let box = try? AES.GCM.SealedBox(combined: sealed),
        let bytes = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: context)
      else { return nil }
      return Array(bytes)
    #else
      var tag = Array(sealed.suffix(Self.tagSize))
      guard let cipher = Cipher(key: key, nonce: Array(sealed.prefix(Self.nonceSize)), encrypts: false),
        cipher.add(context: context), let bytes = cipher.process(Array(sealed.dropFirst(Self.nonceSize).dropLast(Self.tagSize))),
        cipher.control(EVP_CTRL_GCM_SET_TAG, &tag), cipher.end()
      else { return nil }
      return bytes
    #endif
  }
}

#if !canImport(CryptoKit)
  /// One encryption or decryption by OpenSSL. The bytes that `process` returned may be used only after `end` has succeeded.
  private final class Cipher {
    private let context: OpaquePointer

    /// Keeps OpenSSL from freeing its state when the process exits, because other threads may still encrypt. This has an effect only
    /// before the first other use of OpenSSL.
    private static let isPrepared = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Returns `nil` if OpenSSL lacks memory or the cipher.
    init?(key: [UInt8], nonce: [UInt8], encrypts: Bool) {
      guard Self.isPrepared, let context = EVP_CIPHER_CTX_new() else { return nil }
      self.context = context
      // The nonce has 12 bytes, the default of the mode, so its size need not be set.
      guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypts ? 1 : 0) == 1 else { return nil }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func add(context bytes: [UInt8]) -> Bool {
      guard let size = Int32(exactly: bytes.count) else { return false }
      var written: Int32 = 0
      return EVP_CipherUpdate(context, nil, &written, bytes, size) == 1
    }

    func process(_ bytes: [UInt8]) -> [UInt8]? {
      guard let size = Int32(exactly: bytes.count) else { return nil }
      var succeeds = true
      let result = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
        var written: Int32 = 0
        // An empty buffer may have no address, which OpenSSL would take for authenticated data.
        succeeds = bytes.isEmpty || EVP_CipherUpdate(context, output.baseAddress, &written, bytes, size) == 1
        count = Int(written)
      }
      return succeeds && result.count == bytes.count ? result : nil
    }

    /// Ends the operation. When decrypting, returns whether the bytes are authentic.
    func end() -> Bool {
      var written: Int32 = 0
      var rest: UInt8 = 0
      return EVP_CipherFinal_ex(context, &rest, &written) == 1
    }

    func control(_ command: Int32, _ tag: inout [UInt8]) -> Bool {
      EVP_CIPHER_CTX_ctrl(context, command, Int32(clamping: tag.count), &tag) == 1
    }
  }
#endif
