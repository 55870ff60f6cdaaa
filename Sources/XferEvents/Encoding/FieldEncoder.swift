/// Writes the fields of one event directly to their final place in memory.
///
/// If the room is too small, the encoder writes nothing more and sets `overflowed`. The caller then makes room and encodes the
/// event again.
public struct FieldEncoder: ~Copyable {
  @usableFromInline package let start: UnsafeMutableRawPointer
  @usableFromInline package let end: UnsafeMutableRawPointer
  @usableFromInline package var cursor: UnsafeMutableRawPointer
  @usableFromInline package var presence: UInt64 = 0
  @usableFromInline package let context: Unmanaged<EncodingContext>
  @usableFromInline package let textLimit: Int
  @usableFromInline package var overflowed = false
  /// Whether `overflowed` was set because the segment's dictionary has no room. If false, the record has no room.
  @usableFromInline package var lacksDefinition = false

  /// - Parameters:
  ///   - room: at least 8 bytes of memory, 4-byte aligned. Its contents are overwritten.
  ///   - textLimit: the maximum size of a text, in bytes. A longer text is truncated and marked as such.
  @inlinable
  package init(room: UnsafeMutableRawBufferPointer, context: Unmanaged<EncodingContext>, textLimit: Int) {
    start = room.baseAddress!
    end = start + room.count
    cursor = start
    self.context = context
    self.textLimit = textLimit
  }

  /// The number of bytes written so far.
  @inlinable package var count: Int { cursor - start }

  // MARK: Functions that the generated events call, in stored order

  /// Leaves room for the presence word and checks that all fields of fixed size will fit.
  @inline(__always)
  package mutating func begin(presenceSize: Int, fixedSize: Int) {
    if end - start < presenceSize + fixedSize {
      overflowed = true
    } else {
      cursor = start + presenceSize
    }
  }

  @inline(__always)
  package mutating func finish(presenceSize: Int) {
    if overflowed { return }
    if presenceSize == 4 {
      start.storeBytes(of: UInt32(truncatingIfNeeded: presence).littleEndian, as: UInt32.self)
    } else {
      start.storeBytes(of: presence.littleEndian, as: UInt64.self)
    }
  }

  @inline(__always)
  package mutating func put(high: UInt64, low: UInt64, at place: UInt64) {
    if overflowed { return }
    cursor.storeBytes(of: high.littleEndian, as: UInt64.self)
    cursor.storeBytes(of: low.littleEndian, toByteOffset: 8, as: UInt64.self)
    cursor += 16
    presence |= 1 << place
  }

  @inline(__always)
  package mutating func put(_ value: UInt64, at place: UInt64) {
    if overflowed { return }
    cursor.storeBytes(of: value.littleEndian, as: UInt64.self)
    cursor += 8
    presence |= 1 << place
  }

  @inline(__always)
  package mutating func put(_ value: Int64, at place: UInt64) { put(UInt64(bitPattern: value), at: place) }

  @inline(__always)
  package mutating func put(_ value: Duration, at place: UInt64) { put(value.nanoseconds, at: place) }

  /// Writes a number. Values beyond 32 bits are clamped.
  @inline(__always)
  package mutating func put(number value: Int, at place: UInt64) { put(UInt32(bitPattern: Int32(clamping: value)), at: place) }

  @inline(__always)
  package mutating func put(_ value: UInt32, at place: UInt64) {
    if overflowed { return }
    cursor.storeBytes(of: value.littleEndian, as: UInt32.self)
    cursor += 4
    presence |= 1 << place
  }

  @inline(__always)
  package mutating func put(_ value: UInt8, at place: UInt64) {
    if overflowed { return }
    cursor.storeBytes(of: value, as: UInt8.self)
    cursor += 1
    presence |= 1 << place
  }

  @inline(__always)
  package mutating func put(_ task: TaskIdentity, at place: UInt64) {
    if overflowed { return }
    guard let symbol = context._withUnsafeGuaranteedRef({ $0.symbol(for: task) }) else {
      overflowed = true
      lacksDefinition = true
      return
    }
    put(symbol, at: place)
  }

  @inline(__always)
  package mutating func put(symbol text: String, at place: UInt64) {
    if overflowed { return }
    var text = text
    let symbol = text.withUTF8 { bytes in context._withUnsafeGuaranteedRef { $0.symbol(for: .init(bytes)) } }
    guard let symbol else {
      overflowed = true
      lacksDefinition = true
      return
    }
    put(symbol, at: place)
  }

  package mutating func put(_ tasks: [TaskIdentity], at place: UInt64) {
    if overflowed { return }
    guard end - cursor >= 4 + 4 * tasks.count else {
      overflowed = true
      return
    }
    cursor.storeBytes(of: UInt32(tasks.count).littleEndian, as: UInt32.self)
    cursor += 4
    for task in tasks { put(task, at: place) }
    presence |= 1 << place
  }

  @inline(__always)
  package mutating func put(text: String, _ privacy: Privacy, _ field: FieldID, at place: UInt64) {
    if overflowed { return }
    var treatment = context._withUnsafeGuaranteedRef { $0.policy.treatment(of: privacy, in: field) }
    // A public field should not contain a URL, which may contain credentials. If it does, the text is stored like a private
    // value. The field `settings` is exempt, because private values in it are already replaced.
    if privacy == .public, treatment == .plain, field != .settings, LoggedURL.isWithin(text) {
      treatment = context._withUnsafeGuaranteedRef { $0.policy.treatmentOfURLs }
    }
    switch treatment {
    case .plain: putPlain(text)
    case .hashed: putHashed(text)
    case .redacted: putForm(.redacted, size: 0)
    }
    if !overflowed { presence |= 1 << place }
  }

  /// Writes a text in the form in which another log has stored it.
  package mutating func put(recorded text: RecordedText, at place: UInt64) {
    if overflowed { return }
    switch text {
    case .plain(let text): putPlain(text)
    case .cut(var text, let count):
      text.withUTF8 { bytes in
        guard putForm(.cut, size: 8 + bytes.count) else { return }
        cursor.storeBytes(of: UInt32(clamping: count).littleEndian, as: UInt32.self)
        cursor += 4
        putLengthAndBytes(UnsafeRawBufferPointer(bytes), as: UInt32.self)
      }
    case .redacted: putForm(.redacted, size: 0)
    case .hashed(let hash):
      if putForm(.hashed, size: 8) {
        cursor.storeBytes(of: hash.littleEndian, as: UInt64.self)
        cursor += 8
      }
    }
    if !overflowed { presence |= 1 << place }
  }

  @inline(__always)
  private mutating func putHashed(_ text: String) {
    guard putForm(.hashed, size: 8) else { return }
    var text = text
    let key = context._withUnsafeGuaranteedRef { $0.policy.key }
    let hash = text.withUTF8 { KeyedHash.hash(.init($0), key: key) }
    cursor.storeBytes(of: hash.littleEndian, as: UInt64.self)
    cursor += 8
  }

  private mutating func putPlain(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let kept = TextForm.cut(bytes, to: textLimit)
      if kept.count < bytes.count {
        guard putForm(.cut, size: 8 + kept.count) else { return }
        cursor.storeBytes(of: UInt32(clamping: bytes.count).littleEndian, as: UInt32.self)
        cursor += 4
        putLengthAndBytes(kept, as: UInt32.self)
      } else if kept.count <= Int(UInt16.max) {
        guard putForm(.short, size: 2 + kept.count) else { return }
        putLengthAndBytes(kept, as: UInt16.self)
      } else {
        guard putForm(.long, size: 4 + kept.count) else { return }
        putLengthAndBytes(kept, as: UInt32.self)
      }
    }
  }

  @inline(__always) @discardableResult
  private mutating func putForm(_ form: TextForm, size: Int) -> Bool {
    guard end - cursor >= 1 + size else {
      overflowed = true
      return false
    }
    cursor.storeBytes(of: form.rawValue, as: UInt8.self)
    cursor += 1
    return true
  }

  private mutating func putLengthAndBytes<Length: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, as: Length.Type) {
    cursor.storeBytes(of: Length(bytes.count).littleEndian, as: Length.self)
    cursor += MemoryLayout<Length>.size
    if let base = bytes.baseAddress { cursor.copyMemory(from: base, byteCount: bytes.count) }
    cursor += bytes.count
  }
}

/// The form of a stored text. The record has one byte for the form, followed by what the case describes.
package enum TextForm: UInt8, Sendable {
  /// A 16-bit length and the bytes.
  case short
  /// A 64-bit keyed hash.
  case hashed
  /// No further bytes.
  case redacted
  /// The original length in 32 bits, the kept length in 32 bits, and the kept bytes.
  case cut
  /// A 32-bit length and the bytes.
  case long

  /// Returns the first bytes of a UTF-8 text, at most `limit`, without splitting a character.
  package static func cut(_ bytes: UnsafeBufferPointer<UInt8>, to limit: Int) -> UnsafeRawBufferPointer {
    guard bytes.count > limit else { return .init(bytes) }
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return .init(rebasing: UnsafeRawBufferPointer(bytes)[..<end])
  }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to 64 bits (292 years).
  public var nanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
