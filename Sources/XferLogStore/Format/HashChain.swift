import XferCrypto

/// A SHA-256 chain over the blocks of a sealed segment. It detects deliberate changes even if all checksums were
/// recomputed.
///
/// Each link hashes the previous link, the block's header and the block's stored bytes. The first link is computed from the
/// segment's header and the last link of the writer's previous segment.
struct HashChain {
  struct Link: Equatable, Sendable {
    private(set) var words: (UInt64, UInt64, UInt64, UInt64)

    static let size = 32
    static let none = Link(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// - Parameter bytes: At least `size` bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
      let word = { (place: Int) in bytes.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self) }
      words = (word(0), word(1), word(2), word(3))
    }

    func write(to bytes: UnsafeMutableRawBufferPointer) {
      withUnsafeBytes(of: words) { UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.size]).copyMemory(from: $0) }
    }

    static func == (left: Link, right: Link) -> Bool { left.words == right.words }
  }

  private(set) var last: Link

  init(header: UnsafeRawBufferPointer, after previous: Link) {
    self.init(from: previous)
    append([header])
  }

  /// Creates a chain that continues after a link.
  init(from link: Link) { last = link }

  mutating func append(_ parts: [UnsafeRawBufferPointer]) {
    var hash = SHA256()
    withUnsafeBytes(of: last.words) { hash.update(bufferPointer: $0) }
    for part in parts { hash.update(bufferPointer: part) }
    last = hash.finalize().withUnsafeBytes { Link($0) }
  }
}

extension HashChain.Link: CustomStringConvertible {
  /// The link as 64 hexadecimal digits.
  var description: String {
    withUnsafeBytes(of: words) { $0.hexadecimal }
  }
}
