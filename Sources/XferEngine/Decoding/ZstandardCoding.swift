internal import CZstd

/// A decoder for the content coding `zstd` (RFC 8878), with one or several frames.
struct ZstandardCoding: ContentCoding {
  private let decoder = Decoder()
  private(set) var isComplete = false

  private final class Decoder {
    let context = ZSTD_createDCtx()

    /// Limits the window, which the frame declares, to the 8 MiB that RFC 9659 allows.
    init() { ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23) }

    deinit { ZSTD_freeDCtx(context) }
  }

  mutating func step(
    _ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) throws(TransferError) -> (read: Int, written: Int) {
    if isComplete, bytes.isEmpty { return (0, 0) }
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var output = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
    let result = ZSTD_decompressStream(decoder.context, &output, &input)
    guard ZSTD_isError(result) == 0 else {
      throw .badContentCoding("the body is not valid zstd data: \(String(cString: ZSTD_getErrorName(result)))")
    }
    isComplete = result == 0
    return (input.pos, output.pos)
  }
}
