import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A segment file mapped for reading. Mappings are never taken back while anything refers to this object, so events
/// that were read from it stay valid when the file has grown and was mapped anew.
final class SegmentBytes {
  /// -1 for bytes in memory.
  private let descriptor: Int32
  private var mappings: [UnsafeRawBufferPointer] = []

  /// What the file has now, as far as it was mapped.
  private(set) var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

  init(path: String) throws(SystemError) {
    descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    try refresh()
  }

  /// What was made in memory, as if it were a file.
  init(_ contents: [UInt8]) {
    descriptor = -1
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.count, alignment: 8)
    room.copyBytes(from: contents)
    bytes = .init(room)
  }

  /// The same in memory: for looking where nobody may have written, and where a writer may cut the file.
  func copied() -> SegmentBytes { SegmentBytes(contents()) }

  /// Maps the file again when it is longer than before. A file that was cut keeps its mapping: what lay behind the cut
  /// was never claimed.
  func refresh() throws(SystemError) {
    if descriptor < 0 { return }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(number: EISDIR) }
    let size = Int(status.st_size)
    guard size > bytes.count else { return }
    let address = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let address, address != MAP_FAILED else { throw SystemError(number: errno) }
    madvise(address, size, MADV_SEQUENTIAL)
    bytes = UnsafeRawBufferPointer(start: address, count: size)
    mappings.append(bytes)
  }

  /// Copies bytes where the file has them, without touching the mapping: what is mapped may have been cut since, and
  /// a load from there would kill.
  ///
  /// - Returns: whether there were as many.
  func copy(from offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    if descriptor < 0 {
      guard offset + bytes.count <= self.bytes.count else { return false }
      bytes.copyMemory(from: .init(rebasing: self.bytes[offset..<offset + bytes.count]))
      return true
    }
    return pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
  }

  /// All that the file has now, copied for the same reason.
  func contents() -> [UInt8] {
    if descriptor < 0 { return Array(bytes) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    return Array(unsafeUninitializedCapacity: Int(status.st_size)) { room, count in
      while count < room.count {
        let read = pread(descriptor, room.baseAddress! + count, room.count - count, off_t(count))
        if read < 0, errno == EINTR { continue }
        if read <= 0 { return }
        count += read
      }
    }
  }

  deinit {
    if descriptor < 0 { return bytes.deallocate() }
    for mapping in mappings { munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count) }
    close(descriptor)
  }
}
