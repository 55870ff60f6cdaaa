extension EventView {
  /// Writes the event's fields as they are stored, in the layout that they were read with. Only symbols change, because each source
  /// has its own.
  ///
  /// A symbol or task whose definition is lost is left out. If the room is too small, the encoder sets `overflowed`.
  package func copy(into encoder: inout FieldEncoder) {
    let layout = layout
    let table = layout.table.pointee
    let present = presentPlaces
    // A lost symbol leaves out its field, so the fields may take less than this.
    encoder.begin(
      presenceSize: table.presenceSize, fixedSize: present.reduce(0) { $0 + (layout.fields[$1].type.storedSize ?? 0) })
    for place in present { copy(layout.fields[place].type, at: place, into: &encoder) }
    encoder.finish(presenceSize: table.presenceSize)
  }

  private func copy(_ type: FieldType, at place: Int, into encoder: inout FieldEncoder) {
    guard let bytes = storedBytes(at: place) else { return }
    func number<Number: FixedWidthInteger>(_: Number.Type, _ offset: Int = 0) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
    let bit = UInt64(place)
    switch type {
    case .launch, .boot: encoder.put(high: number(UInt64.self), low: number(UInt64.self, 8), at: bit)
    case .delivery, .handler, .correlation, .digest, .bytes, .count, .duration, .wallTime:
      encoder.put(number(UInt64.self), at: bit)
    case .number: encoder.put(number(UInt32.self), at: bit)
    case .flag, .choice: encoder.put(number(UInt8.self), at: bit)
    case .task: if let task = source.task(number(UInt32.self)) { encoder.put(task, at: bit) }
    case .symbol: if let text = source.string(number(UInt32.self)) { encoder.put(symbol: text, at: bit) }
    case .tasks:
      encoder.put(stride(from: 4, to: bytes.count, by: 4).compactMap { source.task(number(UInt32.self, $0)) }, at: bit)
    case .text: encoder.put(stored: bytes, at: bit)
    case .message:
      guard let format = source.string(number(UInt32.self)) else { return }
      encoder.put(message: format, arguments: UnsafeRawBufferPointer(rebasing: bytes[8...]), at: bit)
    }
  }
}

extension FieldEncoder {
  /// Writes the bytes of a field of varying size as another log has stored them.
  fileprivate mutating func put(stored bytes: UnsafeRawBufferPointer, at place: UInt64) {
    if overflowed { return }
    guard end - cursor >= bytes.count else {
      overflowed = true
      return
    }
    if let base = bytes.baseAddress { cursor.copyMemory(from: base, byteCount: bytes.count) }
    cursor += bytes.count
    presence |= 1 << place
  }

  /// Writes a message whose arguments another log has stored.
  ///
  /// - Parameters:
  ///   - format: the literal text with its marks.
  ///   - arguments: the stored arguments.
  package mutating func put(message format: String, arguments: UnsafeRawBufferPointer, at place: UInt64) {
    if overflowed { return }
    guard end - cursor >= 8 + arguments.count else {
      overflowed = true
      return
    }
    put(symbol: format, at: place)
    put(UInt32(truncatingIfNeeded: arguments.count), at: place)
    put(stored: arguments, at: place)
  }
}
