extension RecordedMessage {
  /// The arguments in the form in which a record stores them.
  package var storedArguments: [UInt8] {
    var bytes: [UInt8] = []
    for argument in arguments { argument.store(in: &bytes) }
    return bytes
  }
}

extension RecordedArgument {
  fileprivate func store(in bytes: inout [UInt8]) {
    // The name's length takes one byte.
    let name = name.map { Array($0.utf8.prefix(Int(UInt8.max))) } ?? []
    let head = ArgumentHead(kind: storedKind, form: storedForm, isNamed: !name.isEmpty, isStyled: style != .plain)
    bytes.append(head.byte)
    if head.isStyled { Self.append(style.bits, to: &bytes) }
    if head.isNamed {
      bytes.append(UInt8(name.count))
      bytes += name
    }
    switch value {
    case .text(.plain(let text)): Self.append(text, to: &bytes)
    case .text(.cut(let text, let count)):
      Self.append(variable: UInt64(max(0, count)), to: &bytes)
      Self.append(text, to: &bytes)
    case .text(.hashed(let hash)), .hashed(let hash, _): Self.append(hash, to: &bytes)
    case .text(.redacted), .redacted: break
    case .signed(let number): Self.append(variable: UInt64(bitPattern: number << 1 ^ number >> 63), to: &bytes)
    case .unsigned(let number): Self.append(variable: number, to: &bytes)
    case .double(let number): Self.append(number.bitPattern, to: &bytes)
    case .flag(let flag): Self.append(variable: flag ? 1 : 0, to: &bytes)
    }
  }

  private var storedKind: ArgumentHead.Kind {
    switch kind {
    case .text: .text
    case .signed: .signed
    case .unsigned: .unsigned
    case .double: .double
    case .flag: .flag
    }
  }

  private var storedForm: ArgumentHead.Form {
    switch value {
    case .text(.hashed), .hashed: .hashed
    case .text(.redacted), .redacted: .redacted
    case .text(.cut): .cut
    case .text(.plain), .signed, .unsigned, .double, .flag: .plain
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    append(variable: UInt64(text.utf8.count), to: &bytes)
    bytes += text.utf8
  }

  private static func append(_ word: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }

  /// Appends LEB128: seven bits per byte, the lowest first, with the top bit set in all bytes but the last.
  private static func append(variable value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
