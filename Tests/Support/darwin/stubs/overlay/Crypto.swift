// The functions of CryptoKit that the package uses. On Apple systems, swift-crypto exports CryptoKit.
public import Foundation

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
  static var byteCount: Int { get }
}
public protocol HashFunction: Sendable {
  associatedtype Digest: Crypto.Digest
  static var blockByteCount: Int { get }
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}
extension HashFunction {
  public static func hash<D: DataProtocol>(data: D) -> Self.Digest { fatalError() }
  public mutating func update<D: DataProtocol>(data: D) {}
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
}
