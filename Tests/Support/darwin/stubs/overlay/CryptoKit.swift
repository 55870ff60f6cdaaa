// The functions of CryptoKit that the package uses.
public import Foundation

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
  static var byteCount: Int { get }
}
public protocol HashFunction: Sendable {
  associatedtype Digest: CryptoKit.Digest
  static var blockByteCount: Int { get }
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
public struct SHA256Digest: Digest {
  public static var byteCount: Int { 32 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public var description: String { "" }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
public struct SHA256: HashFunction {
  public static var blockByteCount: Int { 64 }
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { fatalError() }
}
public struct SHA512Digest: Digest {
  public static var byteCount: Int { 64 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public var description: String { "" }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
public struct SHA512: HashFunction {
  public static var blockByteCount: Int { 128 }
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA512Digest { fatalError() }
}
public enum Insecure {
  public struct MD5Digest: Digest {
    public static var byteCount: Int { 16 }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public var description: String { "" }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  }
  public struct MD5: HashFunction {
    public static var blockByteCount: Int { 64 }
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> MD5Digest { fatalError() }
  }
  public struct SHA1Digest: Digest {
    public static var byteCount: Int { 20 }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public var description: String { "" }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
  }
  public struct SHA1: HashFunction {
    public static var blockByteCount: Int { 64 }
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA1Digest { fatalError() }
  }
}
public struct SymmetricKey: ContiguousBytes, Sendable {
  public init<D: ContiguousBytes>(data: D) {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}
public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sequence, Sendable {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}
public struct HMAC<H: HashFunction>: Sendable {
  public init(key: SymmetricKey) {}
  public mutating func update<D: DataProtocol>(data: D) {}
  public func finalize() -> HashedAuthenticationCode<H> { fatalError() }
}
public enum AES {
  public enum GCM {
    public struct Nonce: Sendable {
      public init<D: DataProtocol>(data: D) throws {}
    }
    public struct SealedBox: Sendable {
      public init<D: DataProtocol>(combined: D) throws {}
      public var combined: Data? { nil }
    }
    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil, authenticating authenticatedData: AuthenticatedData
    ) throws -> SealedBox { fatalError() }
    public static func open<AuthenticatedData: DataProtocol>(
      _ sealedBox: SealedBox, using key: SymmetricKey, authenticating authenticatedData: AuthenticatedData
    ) throws -> Data { fatalError() }
  }
}
