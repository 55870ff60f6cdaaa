import Foundation
import XferCrypto

/// The expected checksum of a file, written as `sha-256=HEX` as in aria2.
struct Checksum: Equatable, Sendable {
  enum Kind: String, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
    case sha1 = "sha-1"
    case md5 = "md5"

    fileprivate var algorithm: DigestAlgorithm {
      switch self {
      case .md5: .md5
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }

    /// The number of hexadecimal digits.
    var length: Int {
      switch self {
      case .md5: 32
      case .sha1: 40
      case .sha256: 64
      case .sha512: 128
      }
    }
  }

  let kind: Kind
  /// The checksum in lowercase hexadecimal digits.
  let hex: String

  init(_ text: String) throws(OptionProblem) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2,
      let kind = Kind.allCases.first(where: { [$0.rawValue, $0.rawValue.filter { $0 != "-" }].contains(parts[0].lowercased()) })
    else { throw OptionProblem("--checksum expects sha-256=HEX, sha-512=HEX, sha-1=HEX or md5=HEX, not '\(text)'") }
    guard parts[1].count == kind.length, parts[1].allSatisfy(\.isHexDigit) else {
      throw OptionProblem("a \(kind.rawValue) checksum needs \(kind.length) hexadecimal digits, not '\(parts[1])'")
    }
    (self.kind, hex) = (kind, parts[1].lowercased())
  }

  /// - Returns: The file's actual checksum, or `nil` when it matches.
  /// - Throws: An error when the file cannot be read.
  func difference(_ path: String) throws -> String? {
    let actual = try Self.hex(path, kind.algorithm)
    return actual == hex ? nil : actual
  }

  private static func hex(_ path: String, _ algorithm: DigestAlgorithm) throws -> String {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    var hash = MessageDigest(algorithm)
    while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { hash.update(data: part) }
    return hash.finalize().hexadecimal
  }
}
