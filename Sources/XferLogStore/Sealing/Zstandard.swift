import CZstd

/// zstd, with contexts that are kept from one block to the next.
struct Zstandard: ~Copyable {
  private let compressor = ZSTD_createCCtx()
  private var room: [UInt8] = []

  /// The level at which the mix of events is a twentieth of its size and compressing keeps up with any writer.
  private static let level: Int32 = 3

  /// - Returns: `nil` when compression does not make it smaller.
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

  /// Decompresses into exactly the room given.
  ///
  /// - Returns: whether it is what fills that room.
  static func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool {
    ZSTD_decompress(room.baseAddress, room.count, bytes.baseAddress, bytes.count) == room.count
  }
}
