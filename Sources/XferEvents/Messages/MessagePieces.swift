/// The literals and the arguments of a message.
///
/// Up to 256 bytes are stored inline, so that an ordinary message needs no allocation; a longer message moves to an array. A
/// message is a value, so it can be stored, logged twice, and logged on another thread.
struct MessagePieces: Sendable {
  // The type of the inline storage. It is a tuple, because `InlineArray` needs newer Apple systems.
  private typealias Inline = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64
  )

  private var inline: Inline = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  )
  private var count = 0
  /// All pieces if they exceed the inline storage; otherwise empty.
  private var spilled: [UInt8] = []

  private static let inlineSize = MemoryLayout<Inline>.size
  /// Each piece begins with a header word and a word for its value or address. The name and the text follow.
  static let headSize = 16

  /// Adds a piece of `size` bytes. The closure `fill` has to write all of them.
  @inline(__always)
  private mutating func append(_ size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
    if spilled.isEmpty, count + size <= Self.inlineSize {
      withUnsafeMutableBytes(of: &inline) { fill($0.baseAddress! + count) }
    } else {
      if spilled.isEmpty { spilled = withUnsafeBytes(of: inline) { Array($0[..<count]) } }
      spilled.append(contentsOf: repeatElement(0, count: size))
      spilled.withUnsafeMutableBytes { fill($0.baseAddress! + count) }
    }
    count += size
  }

  mutating func append(literal: StaticString) {
    if literal.hasPointerRepresentation {
      let size = literal.utf8CodeUnitCount
      if size == 0 { return }
      append(Header(.literal, size: size), word: UInt64(UInt(bitPattern: literal.utf8Start)))
    } else {
      var text = String(literal.unicodeScalar)
      text.withUTF8 { append(Header(.copiedLiteral), text: .init($0)) }
    }
  }

  /// Adds an argument of type text, or a literal whose bytes are copied.
  mutating func append(_ header: Header, name: String = "", text: UnsafeRawBufferPointer) {
    append(header, name: name, word: UInt64(text.count), text: text)
  }

  @inline(__always)
  mutating func append(_ header: Header, word: UInt64) {
    append(Self.headSize) { place in
      place.storeBytes(of: header.bits, as: UInt64.self)
      place.storeBytes(of: word, toByteOffset: 8, as: UInt64.self)
    }
  }

  mutating func append(
    _ header: Header, name: String, word: UInt64, text: UnsafeRawBufferPointer = .init(start: nil, count: 0)
  ) {
    var name = name
    name.withUTF8 { whole in
      let name = TextForm.cut(whole, to: Header.maximumName)
      append(Self.headSize + name.count + text.count) { place in
        place.storeBytes(of: header.named(name.count).bits, as: UInt64.self)
        place.storeBytes(of: word, toByteOffset: 8, as: UInt64.self)
        if let base = name.baseAddress { (place + Self.headSize).copyMemory(from: base, byteCount: name.count) }
        if let base = text.baseAddress {
          (place + Self.headSize + name.count).copyMemory(from: base, byteCount: text.count)
        }
      }
    }
  }

  // MARK: Reading the pieces

  /// The kind, the privacy and the style of a piece, in one word.
  struct Header {
    enum Kind: UInt8 {
      /// The bytes of a `literal` lie in the program's constant data; the bytes of a `copiedLiteral` follow the header.
      case literal, copiedLiteral
      case text, signed, unsigned, double, flag
    }

    static let maximumName = 255
    let bits: UInt64

    @inline(__always)
    init(_ kind: Kind, privacy: LogPrivacy = .public, style: ArgumentStyle = .plain) {
      bits = UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: privacy.rawValue) << 8 | UInt64(style.bits) << 32
    }

    /// Creates the header of a literal. A literal has no style, so its size is stored in the bits of the style.
    @inline(__always)
    init(_ kind: Kind, size: Int) { bits = UInt64(kind.rawValue) | UInt64(UInt32(clamping: size)) << 32 }

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    func named(_ count: Int) -> Header { Header(bits: bits | UInt64(count) << 16) }

    @inline(__always) var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits))! }
    @inline(__always) var privacy: LogPrivacy { LogPrivacy(rawValue: Int64(bits >> 8 & 0xFF))! }
    @inline(__always) var nameCount: Int { Int(bits >> 16 & 0xFF) }
    @inline(__always) var size: Int { Int(bits >> 32) }
    @inline(__always) var style: ArgumentStyle { ArgumentStyle(bits: UInt32(truncatingIfNeeded: bits >> 32)) }
  }

  struct Piece {
    let header: Header
    /// The bits of a number.
    let word: UInt64
    let name: UnsafeRawBufferPointer
    /// The bytes of a literal or a text.
    let text: UnsafeRawBufferPointer
  }

  /// Calls `body` with the encoded bytes of all pieces, which `forEach` decodes. The bytes are valid only until `body` returns.
  @inline(__always)
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    if spilled.isEmpty {
      withUnsafeBytes(of: inline) { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else {
      spilled.withUnsafeBytes(body)
    }
  }

  @inline(__always)
  static func forEach(_ bytes: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var offset = 0
    while offset < bytes.count {
      let header = Header(bits: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let word = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      offset += headSize
      var name = nothing
      var text = nothing
      switch header.kind {
      case .literal:
        text = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: UInt(word)), count: header.size)
      case .text, .copiedLiteral, .signed, .unsigned, .double, .flag:
        name = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + header.nameCount])
        offset += name.count
        guard header.kind == .text || header.kind == .copiedLiteral else { break }
        text = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(word)])
        offset += text.count
      }
      body(Piece(header: header, word: word, name: name, text: text))
    }
  }
}
