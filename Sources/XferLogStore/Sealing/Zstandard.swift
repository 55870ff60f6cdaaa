#if canImport(CZstd)
  import CZstd
#endif

/// A zstd compressor that reuses its context and buffer between blocks.
///
/// iOS has no zstd library. There, sealed segments are stored uncompressed, and compressed segments cannot be read.
struct Zstandard: ~Copyable {
  #if canImport(CZstd)
    static let isAvailable = true
    private let compressor = ZSTD_createCCtx()
    private var room: [UInt8] = []

    /// The compression level. At level 3, typical events shrink to about a twentieth, faster than any writer produces them.
    private static let level: Int32 = 3

    /// Compresses bytes.
    ///
    /// - Returns: `nil` if compression does not reduce the size or is not available.
    mutating func compress(_ bytes: [UInt8]) -> [UInt8]? {
      let bound = ZSTD_compressBound(bytes.count)
      if room.count < bound { room = [UInt8](repeating: 0, count: bound) }
      let size = bytes.withUnsafeBytes { source in
        room.withUnsafeMutableBytes { target in
          ZSTD_compressCCtx(compressor, target.baseAddress, target.count, source.baseAddress, source.count, Self.level)
        }
      }
      guard ZSTD_isError(size) == 0, size < bytes.count else { return nil }
      return Array(room[..<size])
    }

    deinit { ZSTD_freeCCtx(compressor) }

    /// Decompresses bytes into a buffer of the exact decompressed size.
    ///
    /// - Returns: Whether the result fills the buffer exactly.
    static func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool {
      ZSTD_decompress(room.baseAddress, room.count, bytes.baseAddress, bytes.count) == room.count
    }
  #else
    static let isAvailable = false
    mutating func compress(_ bytes: [UInt8]) -> [UInt8]? { nil }
    static func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool { false }
  #endif
}
