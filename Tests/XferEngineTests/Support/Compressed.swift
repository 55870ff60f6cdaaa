import CZlib
import CZstd

/// Functions that encode bodies in content codings.
enum Compressed {
  /// - Parameters:
  ///   - windowBits: 31 for gzip, 15 for zlib, -15 for raw deflate.
  ///   - flush: The flush mode. With `Z_FULL_FLUSH`, the output can be repeated to form a longer stream.
  static func deflate(_ bytes: [UInt8], windowBits: Int32, flush: Int32 = Z_FINISH) -> [UInt8] {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(started == Z_OK)
    defer { deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    var input = bytes
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        _ = CZlib.deflate(&stream, flush)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<count])
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] { deflate(bytes, windowBits: 31) }

  static func zstandard(_ bytes: [UInt8]) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = ZSTD_compress(&output, output.count, bytes, bytes.count, 3)
    return Array(output[..<count])
  }

  /// The text `hello` in Brotli coding. A constant, because the tests have no Brotli encoder.
  static let brotliHello: [UInt8] = [0x0B, 0x02, 0x80] + Array("hello".utf8) + [0x03]

  /// Returns a gzip member of zeros without its trailer, in which each 16 KiB decode to 16 MiB. Readers fail before they reach
  /// its end.
  static func gzipBomb(gibibytes: Int) -> [UInt8] {
    let part = deflate([UInt8](repeating: 0, count: 16 << 20), windowBits: -15, flush: Z_FULL_FLUSH)
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    return head + repeatElement(part, count: gibibytes * 64).joined()
  }
}
