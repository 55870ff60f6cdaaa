import XferEvents

/// The payload of a record that defines what a task's symbol stands for.
struct TaskDefinition {
  let symbol: UInt32
  let uid: TaskUID
  /// The symbol of the session's identifier.
  let session: UInt32
  let number: UInt32

  /// - Returns: `nil` if the payload is too short.
  init?(_ payload: UnsafeRawBufferPointer) {
    var reader = FixedReader(payload)
    symbol = reader.take(UInt32.self)
    uid = TaskUID(high: reader.take(UInt64.self), low: reader.take(UInt64.self))
    session = reader.take(UInt32.self)
    number = reader.take(UInt32.self)
    if reader.failed { return nil }
  }

  /// Returns only the task's symbol from a payload; `nil` if the payload is too short.
  @inline(__always)
  static func symbol(in payload: UnsafeRawBufferPointer) -> UInt32? {
    payload.count < 4 ? nil : UInt32(littleEndian: payload.loadUnaligned(as: UInt32.self))
  }

  /// Returns only the task's number from a payload; `nil` if the payload is too short.
  @inline(__always)
  static func number(in payload: UnsafeRawBufferPointer) -> UInt32? {
    guard payload.count >= numberOffset + 4 else { return nil }
    return UInt32(littleEndian: payload.loadUnaligned(fromByteOffset: numberOffset, as: UInt32.self))
  }

  /// The offset of the number, after the symbol, the uid and the session.
  private static let numberOffset = 24
}
