internal import CBrotli

/// A decoder for the content coding `br` (RFC 7932).
struct BrotliCoding: ContentCoding {
  private let decoder = Decoder()
  private(set) var isComplete = false

  private final class Decoder {
    let state = BrotliDecoderCreateInstance(nil, nil, nil)

    deinit { BrotliDecoderDestroyInstance(state) }
  }

  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int) {
    guard !isComplete else {
      guard bytes.isEmpty else { throw .badContentCoding("extra data follows the end of the encoded body") }
      return (0, 0)
    }
    var (left, free) = (bytes.count, room.count)
    var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var target = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let result = BrotliDecoderDecompressStream(decoder.state, &left, &next, &free, &target, nil)
    guard result != BROTLI_DECODER_RESULT_ERROR else { throw .badContentCoding("the body is not valid br data") }
    isComplete = result == BROTLI_DECODER_RESULT_SUCCESS
    return (bytes.count - left, room.count - free)
  }
}
