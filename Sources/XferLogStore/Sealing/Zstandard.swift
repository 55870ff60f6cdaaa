#if canImport(CZstd)
  import CZstd
  import Synchronization
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

    /// Compresses parts, each as a frame of its own.
    ///
    /// - Returns: The frames and their sizes; `nil` if compression is not available.
    mutating func compress(_ parts: [UnsafeRawBufferPointer]) -> (bytes: [UInt8], sizes: [Int])? {
      let bound = parts.reduce(0) { $0 + ZSTD_compressBound($1.count) }
      if room.count < bound { room = [UInt8](repeating: 0, count: bound) }
      var (end, sizes): (Int, [Int]) = (0, [])
      for part in parts {
        let size = room.withUnsafeMutableBytes { room in
          let target = UnsafeMutableRawBufferPointer(rebasing: room[end...])
          return ZSTD_compressCCtx(compressor, target.baseAddress, target.count, part.baseAddress, part.count, Self.level)
        }
        guard ZSTD_isError(size) == 0 else { return nil }
        end += size
        sizes.append(size)
      }
      return (Array(room[..<end]), sizes)
    }

    deinit { ZSTD_freeCCtx(compressor) }

    /// Decompresses bytes into a buffer of the exact decompressed size.
    ///
    /// - Returns: Whether the result fills the buffer exactly.
    static func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool {
      Decompressor().decompress(bytes, into: room)
    }

    /// Returns the sizes of the first frames of some bytes; `nil` if there are no such frames.
    static func sizes(ofFirst count: Int, in bytes: UnsafeRawBufferPointer) -> [Int]? {
      var (sizes, end): ([Int], Int) = ([], 0)
      for _ in 0..<count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[end...])
        let size = ZSTD_findFrameCompressedSize(rest.baseAddress, rest.count)
        guard ZSTD_isError(size) == 0, size <= rest.count else { return nil }
        end += size
        sizes.append(size)
      }
      return sizes
    }

    /// A decompressor whose context is used again by later ones.
    ///
    /// `ZSTD_createDCtx` executes the instruction `cpuid` twice, which takes some 10 µs on a virtual machine: longer than a small block takes.
    struct Decompressor: ~Copyable {
      private let context: OpaquePointer?

      /// The bit patterns of the contexts that no decompressor uses.
      private static let idle = Mutex<[UInt]>([])
      private static let maximumIdle = 8

      init() { context = Self.idle.withLock { $0.popLast() }.flatMap(OpaquePointer.init(bitPattern:)) ?? ZSTD_createDCtx() }

      /// Decompresses bytes into a buffer of the exact decompressed size.
      ///
      /// - Returns: Whether the result fills the buffer exactly.
      func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool {
        ZSTD_decompressDCtx(context, room.baseAddress, room.count, bytes.baseAddress, bytes.count) == room.count
      }

      deinit {
        let word = UInt(bitPattern: context)
        let isKept = Self.idle.withLock { idle in
          guard word != 0, idle.count < Self.maximumIdle else { return false }
          idle.append(word)
          return true
        }
        if !isKept { ZSTD_freeDCtx(context) }
      }
    }
  #else
    static let isAvailable = false
    mutating func compress(_ bytes: [UInt8]) -> [UInt8]? { nil }
    mutating func compress(_ parts: [UnsafeRawBufferPointer]) -> (bytes: [UInt8], sizes: [Int])? { nil }
    static func sizes(ofFirst count: Int, in bytes: UnsafeRawBufferPointer) -> [Int]? { nil }
    struct Decompressor: ~Copyable {
      func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool { false }
    }
    static func decompress(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Bool { false }
  #endif
}
