extension FieldEncoder {
  /// Writes a message: the symbol of its text, then its arguments in the form that the log format describes.
  package mutating func put(message: LogMessage, _ field: FieldID, at place: UInt64) {
    if overflowed { return }
    message.pieces.withBytes { put(pieces: $0, field) }
    if !overflowed { presence |= 1 << place }
  }

  /// Writes a message whose only piece is a text that is known only at run time, as `LogMessage(text:privacy:)` makes it.
  ///
  /// - Parameter text: bytes in UTF-8.
  package mutating func put(message text: UnsafeRawBufferPointer, _ privacy: LogPrivacy, _ field: FieldID, at place: UInt64) {
    if overflowed { return }
    let marker: StaticString = "{}"
    let format = UnsafeRawBufferPointer(start: marker.utf8Start, count: marker.utf8CodeUnitCount)
    guard let length = beginMessage(context._withUnsafeGuaranteedRef { $0.symbol(for: format) }) else { return }
    let name = UnsafeRawBufferPointer(start: nil, count: 0)
    var room = textLimit
    put(.init(header: .init(.text, privacy: privacy), word: UInt64(text.count), name: name, text: text), field, &room)
    endMessage(length)
    if !overflowed { presence |= 1 << place }
  }

  private mutating func put(pieces: UnsafeRawBufferPointer, _ field: FieldID) {
    guard let length = beginMessage(symbol(ofFormat: pieces)) else { return }
    // All texts of a message share the limit, so that a message with many texts still fits a record.
    var room = textLimit
    MessagePieces.forEach(pieces) { put($0, field, &room) }
    endMessage(length)
  }

  /// Writes the symbol of a message's text, and leaves room for the length of the arguments. Returns the place of that room.
  @inline(__always)
  private mutating func beginMessage(_ symbol: UInt32?) -> UnsafeMutableRawPointer? {
    guard let symbol else {
      overflowed = true
      lacksDefinition = true
      return nil
    }
    guard end - cursor >= 8 else {
      overflowed = true
      return nil
    }
    cursor.storeBytes(of: symbol.littleEndian, as: UInt32.self)
    let length = cursor + 4
    cursor += 8
    return length
  }

  @inline(__always)
  private func endMessage(_ length: UnsafeMutableRawPointer) {
    length.storeBytes(of: UInt32(cursor - length - 4).littleEndian, as: UInt32.self)
  }

  /// Returns the symbol of the literals, with `{}` for each argument and the literals' own braces doubled.
  private func symbol(ofFormat pieces: UnsafeRawBufferPointer) -> UInt32? {
    withUnsafeTemporaryAllocation(byteCount: MessageFormat.room, alignment: 8) { buffer in
      var format = MessageFormat(buffer)
      MessagePieces.forEach(pieces) { piece in
        switch piece.header.kind {
        case .literal, .copiedLiteral: format.append(piece.text)
        case .text, .signed, .unsigned, .double, .flag: if piece.name.isEmpty { format.appendMarker() }
        }
      }
      let bytes = format.bytes
      return context._withUnsafeGuaranteedRef { $0.symbol(for: bytes) }
    }
  }

  private mutating func put(_ piece: MessagePieces.Piece, _ field: FieldID, _ room: inout Int) {
    let kind: ArgumentHead.Kind
    switch piece.header.kind {
    case .literal, .copiedLiteral: return
    case .text: kind = .text
    case .signed: kind = .signed
    case .unsigned: kind = .unsigned
    case .double: kind = .double
    case .flag: kind = .flag
    }
    if overflowed { return }
    let header = piece.header
    let (treatment, key) = context._withUnsafeGuaranteedRef {
      ($0.policy.treatment(of: header.privacy, isText: kind == .text, in: field), $0.policy.key)
    }
    switch treatment {
    case .plain where kind == .text: putText(piece, &room)
    case .plain:
      guard begin(piece, kind, .plain, size: ArgumentHead.maximumNumber) else { return }
      putNumber(piece.word, kind)
    case .hashed:
      guard begin(piece, kind, .hashed, size: 8) else { return }
      let word = piece.word.littleEndian
      let hash =
        kind == .text ? KeyedHash.hash(piece.text, key: key) : withUnsafeBytes(of: word) { KeyedHash.hash($0, key: key) }
      cursor.storeBytes(of: hash.littleEndian, as: UInt64.self)
      cursor += 8
    case .redacted: begin(piece, kind, .redacted, size: 0)
    }
  }

  /// Writes the head, the style and the name of an argument, and checks that `size` more bytes fit.
  @inline(__always) @discardableResult
  private mutating func begin(
    _ piece: MessagePieces.Piece, _ kind: ArgumentHead.Kind, _ form: ArgumentHead.Form, size: Int
  ) -> Bool {
    let style = piece.header.style
    guard end - cursor >= 6 + piece.name.count + size else {
      overflowed = true
      return false
    }
    let head = ArgumentHead(kind: kind, form: form, isNamed: !piece.name.isEmpty, isStyled: style != .plain)
    cursor.storeBytes(of: head.byte, as: UInt8.self)
    cursor += 1
    if head.isStyled {
      cursor.storeBytes(of: style.bits.littleEndian, as: UInt32.self)
      cursor += 4
    }
    if let name = piece.name.baseAddress, head.isNamed {
      cursor.storeBytes(of: UInt8(piece.name.count), as: UInt8.self)
      (cursor + 1).copyMemory(from: name, byteCount: piece.name.count)
      cursor += 1 + piece.name.count
    }
    return true
  }

  private mutating func putText(_ piece: MessagePieces.Piece, _ room: inout Int) {
    let kept = TextForm.cut(piece.text.bindMemory(to: UInt8.self), to: room)
    let isCut = kept.count < piece.text.count
    guard begin(piece, .text, isCut ? .cut : .plain, size: 2 * ArgumentHead.maximumNumber + kept.count) else { return }
    if isCut { put(variable: UInt64(piece.text.count)) }
    put(variable: UInt64(kept.count))
    if let base = kept.baseAddress { cursor.copyMemory(from: base, byteCount: kept.count) }
    cursor += kept.count
    room -= kept.count
  }

  @inline(__always)
  private mutating func putNumber(_ word: UInt64, _ kind: ArgumentHead.Kind) {
    switch kind {
    case .signed:
      let value = Int64(bitPattern: word)
      // Zigzag encoding: small numbers of either sign take few bytes.
      put(variable: UInt64(bitPattern: value << 1 ^ value >> 63))
    case .double:
      cursor.storeBytes(of: word.littleEndian, as: UInt64.self)
      cursor += 8
    case .unsigned, .flag, .text: put(variable: word)
    }
  }

  /// Writes LEB128: seven bits per byte, the lowest first, with the top bit set in all bytes but the last.
  @inline(__always)
  private mutating func put(variable value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      cursor += 1
      rest >>= 7
    }
    cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    cursor += 1
  }
}

/// The first byte of a stored argument: its type, whether the value was kept, and whether a style and a name precede the value.
package struct ArgumentHead {
  package enum Kind: UInt8, Sendable { case text, signed, unsigned, double, flag }
  package enum Form: UInt8, Sendable { case plain, hashed, redacted, cut }

  package let kind: Kind
  package let form: Form
  /// Whether a name precedes the value, as a one-byte length and the name.
  package let isNamed: Bool
  /// Whether four bytes of style precede the name.
  package let isStyled: Bool

  /// The maximum size of a number, in bytes.
  static let maximumNumber = 10

  init(kind: Kind, form: Form, isNamed: Bool, isStyled: Bool) {
    self.kind = kind
    self.form = form
    self.isNamed = isNamed
    self.isStyled = isStyled
  }

  /// - Returns: `nil` for a type that this reader does not know, because its length is unknown, too.
  init?(byte: UInt8) {
    guard byte & 0x80 == 0, let kind = Kind(rawValue: byte & 7), let form = Form(rawValue: byte >> 3 & 3) else { return nil }
    self.init(kind: kind, form: form, isNamed: byte & 0x20 != 0, isStyled: byte & 0x40 != 0)
  }

  var byte: UInt8 { kind.rawValue | form.rawValue << 3 | (isNamed ? 0x20 : 0) | (isStyled ? 0x40 : 0) }
}
