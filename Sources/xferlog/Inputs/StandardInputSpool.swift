import XferEvents
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input in a file: segments are read by position, and a pipe has none. The file goes with this object.
final class StandardInputSpool {
  let path: String
  private(set) var count = 0

  init() throws {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/xferlog-stdin-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard descriptor >= 0 else { throw Self.failure("a temporary file in \(directory) cannot be made") }
    defer { close(descriptor) }
    do {
      try fill(descriptor)
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit { unlink(path) }

  /// Ends early where what has come is no segment, or more than one: standard input need not end by itself.
  private func fill(_ descriptor: Int32) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      var filled = 0
      while true {
        try Interruption.check()
        let got = read(STDIN_FILENO, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
        if got < 0 {
          if errno == EINTR { continue }
          throw Self.failure("standard input cannot be read")
        }
        // The first bytes may come one by one.
        filled += got
        if count == 0, filled < 8, got > 0 { continue }
        let come = UnsafeRawBufferPointer(rebasing: bytes[..<filled])
        if count == 0, filled > 0 {
          guard LogRecognition.isSegment(beginningWith: come) else { throw NotASegment() }
        }
        guard count + filled <= LogRecognition.largestSegment else {
          let limit = ByteCount(Int64(LogRecognition.largestSegment))
          throw CommandExit(.failed, "standard input has more than \(limit), the largest size of a segment")
        }
        try put(come, to: descriptor)
        count += filled
        filled = 0
        if got == 0 { return }
      }
    }
  }

  /// What came first is not how a segment begins.
  struct NotASegment: Error {}

  private func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let put = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if put < 0, errno == EINTR { continue }
      if put < 0 { throw Self.failure("\(path) cannot be written") }
      offset += put
    }
  }

  private static func failure(_ problem: String) -> CommandExit {
    CommandExit(.failed, "\(problem): \(String(cString: strerror(errno)))")
  }
}
