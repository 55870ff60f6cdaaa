internal import CZlib

/// A measurement of compressed data.
enum CompressedSize {
  /// Returns the size of bytes after compression with gzip at the usual level.
  static func gzip(_ bytes: UnsafeRawBufferPointer) -> Int {
    var size = compressBound(uLong(bytes.count))
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Int(clamping: size))
    defer { room.deallocate() }
    let result = compress2(
      room.baseAddress, &size, bytes.bindMemory(to: UInt8.self).baseAddress, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
    // Without a result, the data counts as uncompressed. The header and the trailer of gzip have 12 bytes more than those of zlib.
    return result == Z_OK ? Int(clamping: size) + 12 : bytes.count
  }
}
