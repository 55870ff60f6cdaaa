internal import CZlib

/// A zlib stream (RFC 1950) in memory, written a piece at a time.
package final class Deflater {
  /// The compressed bytes so far.
  package private(set) var bytes: [UInt8] = []
  // zlib keeps the address of the stream.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  package init() throws {
    stream.initialize(to: z_stream())
    guard deflateInit_(stream, 6, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw CommandExit(.failed, "zlib cannot allocate memory")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  package func append(_ input: UnsafeRawBufferPointer) { deflate(input, Z_NO_FLUSH) }

  /// Completes the stream. Nothing may be appended afterwards.
  package func finish() { deflate(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH) }

  private func deflate(_ input: UnsafeRawBufferPointer, _ flush: Int32) {
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(clamping: input.count)
    repeat {
      let count = piece.withUnsafeMutableBufferPointer { piece in
        stream.pointee.next_out = piece.baseAddress
        stream.pointee.avail_out = UInt32(clamping: piece.count)
        _ = CZlib.deflate(stream, flush)
        return piece.count - Int(stream.pointee.avail_out)
      }
      bytes += piece[..<count]
    } while stream.pointee.avail_out == 0
  }
}
