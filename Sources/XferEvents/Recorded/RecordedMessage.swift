/// A message as a log contains it: the literal text and the arguments.
public struct RecordedMessage: Hashable, Sendable {
  /// The literal text, with `{}` for each argument without a name and the text's own braces doubled; `nil` if its definition is
  /// lost. Messages from one place in the code have the same format, whatever their arguments.
  public let format: String?
  public let arguments: [RecordedArgument]

  package init(format: String?, arguments: [RecordedArgument]) {
    self.format = format
    self.arguments = arguments
  }
}

/// One argument of a message.
public struct RecordedArgument: Hashable, Sendable {
  /// The name; `nil` for an argument within the text.
  public let name: String?
  public let value: Value
  package let style: ArgumentStyle

  package init(name: String? = nil, value: Value, style: ArgumentStyle = .plain) {
    self.name = name
    self.value = value
    self.style = style
  }

  public enum Value: Hashable, Sendable {
    case text(RecordedText)
    case signed(Int64)
    case unsigned(UInt64)
    case double(Double)
    case flag(Bool)
    /// A private number that was stored only as a keyed hash of its 64 bits.
    case hashed(UInt64, Kind)
    /// A number that was not stored.
    case redacted(Kind)
  }

  /// The type of a value. It is stored even if the value is not.
  public enum Kind: String, Hashable, Sendable { case text, signed, unsigned, double, flag }
}

extension RecordedArgument {
  public var kind: Kind {
    switch value {
    case .text: .text
    case .signed: .signed
    case .unsigned: .unsigned
    case .double: .double
    case .flag: .flag
    case .hashed(_, let kind), .redacted(let kind): kind
    }
  }

  // MARK: Decoding

  /// Decodes all arguments of a record.
  ///
  /// - Returns: `nil` if the bytes are not a valid list of arguments.
  static func list(_ bytes: UnsafeRawBufferPointer) -> [RecordedArgument]? {
    var reader = Reader(bytes)
    var arguments: [RecordedArgument] = []
    while !reader.isAtEnd {
      guard let argument = next(&reader) else { return nil }
      arguments.append(argument)
    }
    return arguments
  }

  private static func next(_ reader: inout Reader) -> RecordedArgument? {
    guard let head = reader.take(UInt8.self).flatMap(ArgumentHead.init(byte:)) else { return nil }
    var style = ArgumentStyle.plain
    if head.isStyled {
      guard let bits = reader.take(UInt32.self) else { return nil }
      style = ArgumentStyle(bits: bits)
    }
    var name: String?
    if head.isNamed {
      guard let count = reader.take(UInt8.self), let text = reader.takeText(UInt64(count)) else { return nil }
      name = text
    }
    guard let value = head.kind == .text ? text(head.form, &reader) : number(head, &reader) else { return nil }
    return RecordedArgument(name: name, value: value, style: style)
  }

  private static func text(_ form: ArgumentHead.Form, _ reader: inout Reader) -> Value? {
    switch form {
    case .redacted: return .text(.redacted)
    case .hashed: return reader.take(UInt64.self).map { .text(.hashed($0)) }
    case .plain: return reader.takeVariable().flatMap { reader.takeText($0) }.map { .text(.plain($0)) }
    case .cut:
      guard let whole = reader.takeVariable(), let kept = reader.takeVariable(), let text = reader.takeText(kept) else {
        return nil
      }
      return .text(.cut(text, count: Int(clamping: whole)))
    }
  }

  private static func number(_ head: ArgumentHead, _ reader: inout Reader) -> Value? {
    switch head.form {
    case .redacted: return .redacted(Kind(head.kind))
    case .hashed: return reader.take(UInt64.self).map { .hashed($0, Kind(head.kind)) }
    case .cut: return nil
    case .plain: break
    }
    switch head.kind {
    case .text: return nil
    case .signed: return reader.takeVariable().map { .signed(Int64(bitPattern: $0 >> 1) ^ -Int64($0 & 1)) }
    case .unsigned: return reader.takeVariable().map(Value.unsigned)
    case .double: return reader.take(UInt64.self).map { .double(Double(bitPattern: $0)) }
    case .flag: return reader.takeVariable().map { .flag($0 != 0) }
    }
  }

  /// Reads values from untrusted bytes. Each function returns `nil` if the bytes end too soon.
  private struct Reader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func take<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
      guard bytes.count - offset >= MemoryLayout<Number>.size else { return nil }
      defer { offset += MemoryLayout<Number>.size }
      return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// Reads a LEB128 number of at most 64 bits.
    mutating func takeVariable() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        guard let byte = take(UInt8.self), shift < 63 || byte <= 1 else { return nil }
        value |= UInt64(byte & 0x7F) << shift
        if byte & 0x80 == 0 { return value }
      }
      return nil
    }

    mutating func takeText(_ count: UInt64) -> String? {
      guard count <= UInt64(bytes.count - offset) else { return nil }
      defer { offset += Int(count) }
      return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)]), as: UTF8.self)
    }
  }
}

extension RecordedArgument.Kind {
  fileprivate init(_ kind: ArgumentHead.Kind) {
    switch kind {
    case .text: self = .text
    case .signed: self = .signed
    case .unsigned: self = .unsigned
    case .double: self = .double
    case .flag: self = .flag
    }
  }
}
