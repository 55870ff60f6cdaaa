internal import CZlib

/// A zlib decoder.
private final class Inflation {
  private var stream = z_stream()
  private(set) var isAtEnd = false

  /// - Parameter windowBits: the format: 31 for gzip, 15 for zlib, -15 for raw deflate.
  init(windowBits: Int32) {
    let result = inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(result == Z_OK, "zlib cannot allocate memory")
  }

  deinit { inflateEnd(&stream) }

  /// Prepares for decoding another stream that follows the stream that has ended.
  func restart() {
    inflateReset(&stream)
    isAtEnd = false
  }

  func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int) {
    let count = min(bytes.count, Int(Int32.max))
    stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(count)
    stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(room.count)
    let result = inflate(&stream, Z_NO_FLUSH)
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(result) else {
      throw .badContentCoding("the body is not valid zlib data: \(stream.msg.map { String(cString: $0) } ?? "\(result)")")
    }
    isAtEnd = result == Z_STREAM_END
    return (count - Int(stream.avail_in), room.count - Int(stream.avail_out))
  }
}

/// A decoder for the content coding `gzip` (RFC 1952), with one or several members.
struct GzipCoding: ContentCoding {
  private let inflation = Inflation(windowBits: 31)

  var isComplete: Bool { inflation.isAtEnd }

  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int) {
    if inflation.isAtEnd {
      guard !bytes.isEmpty else { return (0, 0) }
      inflation.restart()
    }
    return try inflation.step(bytes, into: room)
  }
}

/// A decoder for the content coding `deflate` (RFC 9110 §8.4.1.2): the zlib format, or raw deflate as some servers send it.
struct DeflateCoding: ContentCoding {
  private var inflation: Inflation?
  /// The first two bytes, which distinguish the zlib format from raw deflate.
  private var head: [UInt8] = []

  var isComplete: Bool { inflation?.isAtEnd ?? false }

  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int) {
    if let inflation {
      guard !inflation.isAtEnd else {
        guard bytes.isEmpty else { throw .badContentCoding("extra data follows the end of the encoded body") }
        return (0, 0)
      }
      return try inflation.step(bytes, into: room)
    }
    let new = bytes.prefix(2 - head.count)
    head += new
    guard head.count == 2 else { return (new.count, 0) }
    let hasHead = head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
    let inflation = Inflation(windowBits: hasHead ? 15 : -15)
    self.inflation = inflation
    do {
      let written = try head.withUnsafeBytes { try inflation.step($0, into: room) }.written
      return (new.count, written)
    } catch {
      throw error as? TransferError ?? .badContentCoding("\(error)")
    }
  }
}
