/// Where the bytes of a body come from.
public enum ScriptBody: Sendable, Equatable, ExpressibleByStringLiteral {
  case bytes([UInt8])
  /// ``GeneratedBytes`` of this size, never held in memory as a whole.
  case generated(size: Int, seed: Seed = .script)
  /// A file, opened anew for every response, so that replacing it between two requests replaces the resource.
  case file(path: String)

  public enum Seed: Sendable, Equatable, ExpressibleByIntegerLiteral {
    /// The script's own.
    case script
    /// One for each path: ``ScriptBody/seed(forPath:script:)``.
    case path
    case value(UInt64)

    public init(integerLiteral value: UInt64) { self = .value(value) }
  }

  public static let empty = ScriptBody.bytes([])

  public static func text(_ text: String) -> ScriptBody { .bytes(Array(text.utf8)) }

  public init(stringLiteral text: String) { self = .text(text) }

  /// The bytes that the server sends for `size` and `seed`, all at once.
  public static func bytes(seed: UInt64, size: Int) -> [UInt8] {
    GeneratedBytes(seed: seed, count: size).bytes(in: 0..<size)
  }

  /// The seed of a body with `seed: path`: FNV-1a of the path's UTF-8, started from the script's seed.
  public static func seed(forPath path: String, script: UInt64 = 0) -> UInt64 {
    path.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ script) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// `nil` where only the file system knows.
  var knownSize: Int? {
    switch self {
    case .bytes(let bytes): bytes.count
    case .generated(let size, _): size
    case .file: nil
    }
  }
}
