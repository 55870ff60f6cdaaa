/// The source of a body's bytes.
package enum ScriptBody: Sendable, Equatable, ExpressibleByStringLiteral {
  case bytes([UInt8])
  /// A deterministic body (see ``GeneratedBytes``) of the given size, which is never held in memory as a whole.
  case generated(size: Int, seed: Seed = .script)
  /// A file that is opened for each response, so that replacing the file between two requests replaces the resource.
  case file(path: String)

  package enum Seed: Sendable, Equatable, ExpressibleByIntegerLiteral {
    /// The seed of the script.
    case script
    /// A seed derived from the request's path, see ``ScriptBody/seed(forPath:script:)``.
    case path
    case value(UInt64)

    package init(integerLiteral value: UInt64) { self = .value(value) }
  }

  package static let empty = ScriptBody.bytes([])

  package static func text(_ text: String) -> ScriptBody { .bytes(Array(text.utf8)) }

  package init(stringLiteral text: String) { self = .text(text) }

  /// Returns all bytes that the server sends for a generated body with this seed and size.
  package static func bytes(seed: UInt64, size: Int) -> [UInt8] {
    GeneratedBytes(seed: seed, count: size).bytes(in: 0..<size)
  }

  /// Returns the seed of a body with `seed: path`: the FNV-1a hash of the path's UTF-8, started from the script's seed.
  package static func seed(forPath path: String, script: UInt64 = 0) -> UInt64 {
    path.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ script) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The size in bytes. `nil` for a file, whose size is read when the file is opened.
  var knownSize: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .generated(let size, _): size
    case .file: nil
    }
  }
}
