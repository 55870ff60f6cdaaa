import Testing
import XferCrypto

/// Published test vectors, which also prove that files written with another implementation can still be read.
struct XferCryptoTests {
  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).map { place in
      let start = hex.index(hex.startIndex, offsetBy: place)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)!
    }
  }

  /// The digests of "abc" (FIPS 180-4, RFC 1321).
  private static let digests: [(DigestAlgorithm, String)] = [
    (.md5, "900150983cd24fb0d6963f7d28e17f72"), (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ]

  @Test(arguments: digests.indices)
  func `A digest has the published value`(index: Int) {
    let (algorithm, hex) = Self.digests[index]
    #expect(MessageDigest.hash(data: "abc".utf8, algorithm) == Self.bytes(hex))
    var parts = MessageDigest(algorithm)
    for byte in "abc".utf8 { parts.update(data: [byte]) }
    #expect(parts.finalize() == Self.bytes(hex))
  }

  @Test func `A digest may continue after it was read, and a copy is independent`() {
    var digest = SHA256()
    digest.update(data: "a".utf8)
    let copy = digest
    let first = digest.finalize()
    digest.update(data: "bc".utf8)
    #expect(digest.finalize() == SHA256.hash(data: "abc".utf8))
    #expect(copy.finalize() == first)
    #expect(first == SHA256.hash(data: "a".utf8))
    #expect(SHA256.hash(data: [UInt8]()) == SHA256().finalize())
  }

  @Test func `An authentication code has the published value`() {
    // RFC 4231, case 2.
    let code = HMACSHA256.code(for: "what do ya want for nothing?".utf8, key: Array("Jefe".utf8))
    #expect(code == Self.bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    // Case 6, whose key is longer than a block.
    let long = HMACSHA256.code(
      for: "Test Using Larger Than Block-Size Key - Hash Key First".utf8, key: [UInt8](repeating: 0xAA, count: 131))
    #expect(long == Self.bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
  }

  /// Test case 16 of "The Galois/Counter Mode of Operation" by McGrew and Viega.
  private static let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
  private static let context = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
  private static let plain = bytes(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
  private static let sealed = bytes(
    "cafebabefacedbaddecaf888"
      + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
      + "76fc6ece0f4e1768cddf8853bb2d551b")

  @Test func `Encrypted bytes of another implementation are decrypted`() throws {
    let cipher = try #require(AES256GCM(key: Self.key))
    #expect(cipher.open(Self.sealed, authenticating: Self.context) == Self.plain)
  }

  @Test func `A change of any part of the encrypted bytes, the key or the context is noticed`() throws {
    let cipher = try #require(AES256GCM(key: Self.key))
    for place in Self.sealed.indices {
      var changed = Self.sealed
      changed[place] ^= 1
      #expect(cipher.open(changed, authenticating: Self.context) == nil, "byte \(place)")
    }
    for count in 0..<Self.sealed.count {
      #expect(cipher.open(Array(Self.sealed.prefix(count)), authenticating: Self.context) == nil, "\(count) bytes")
    }
    #expect(cipher.open(Self.sealed, authenticating: []) == nil)
    #expect(AES256GCM(key: AES256GCM.randomKey())?.open(Self.sealed, authenticating: Self.context) == nil)
    #expect(AES256GCM(key: Array(Self.key.dropLast())) == nil)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100_000])
  func `Bytes come back from encryption, which never repeats its result`(count: Int) throws {
    let cipher = try #require(AES256GCM(key: AES256GCM.randomKey()))
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let first = try #require(cipher.seal(bytes, authenticating: [1]))
    let second = try #require(cipher.seal(bytes, authenticating: [1]))
    #expect(first != second)
    #expect(cipher.open(first, authenticating: [1]) == bytes)
    #expect(cipher.open(second, authenticating: [1]) == bytes)
  }
}
