extension RecordedEvent {
  /// Returns the event's presence word and fields as a log stores them, with masked private values.
  ///
  /// A field that exceeds the record or cannot be decoded is left out.
  package func payload(masking mask: ValueMask) -> [UInt8] { view.payload(masking: mask) }

  /// Returns a copy of the event with masked private values.
  package func masked(by mask: ValueMask) -> RecordedEvent {
    let memory = MaskedPayload(view.payload(masking: mask))
    let page = RecordPage(source: source, bytes: memory)
    let common = view.common.pointee
    let origin = page.origin(lane: common.lane, thread: common.thread, clocks: common.clocks)
    let masked = RecordedEvent(
      page: page, origin: origin, table: view.shape.pointee.table, position: view.position, time: view.time, payload: memory.bytes
    )
    guard let masked else { preconditionFailure("an event that was just encoded decodes") }
    return masked
  }
}

/// The memory of one masked event.
private final class MaskedPayload {
  let bytes: UnsafeRawBufferPointer

  init(_ payload: [UInt8]) {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: payload.count, alignment: 8)
    room.copyBytes(from: payload)
    bytes = UnsafeRawBufferPointer(room)
  }

  deinit { bytes.deallocate() }
}

extension EventView {
  fileprivate func payload(masking mask: ValueMask) -> [UInt8] {
    let layout = layout
    let table = layout.table.pointee
    var (presence, fixed, varying): (UInt64, [UInt8], [UInt8]) = (0, [], [])
    for place in presentPlaces {
      let field = layout.fields[place]
      guard let stored = storedBytes(at: place) else { continue }
      switch (field.type, value(at: place)) {
      case (.text(let privacy), .text(let text)?):
        let masked = mask.masked(text, privacy, in: field.id)
        if masked == text { varying += stored } else { Self.append(masked, to: &varying) }
      case (.message, .message(let message)?):
        let arguments = mask.masked(message).storedArguments
        varying += stored.prefix(4)
        Self.append(UInt32(truncatingIfNeeded: arguments.count), to: &varying)
        varying += arguments
      case (.text, _), (.message, _): continue
      case (.tasks, _): varying += stored
      default: fixed += stored
      }
      presence |= 1 << UInt64(place)
    }
    var payload: [UInt8] = []
    Self.append(presence, size: table.presenceSize, to: &payload)
    payload += fixed
    payload += varying
    // Records are stored in units of four bytes.
    while payload.count % 4 != 0 { payload.append(0) }
    return payload
  }

  /// Appends a text whose value is not stored.
  private static func append(_ text: RecordedText, to bytes: inout [UInt8]) {
    guard case .hashed(let hash) = text else { return bytes.append(TextForm.redacted.rawValue) }
    bytes.append(TextForm.hashed.rawValue)
    append(hash, to: &bytes)
  }

  private static func append(_ number: some FixedWidthInteger, size: Int? = nil, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0.prefix(size ?? $0.count) }
  }
}
