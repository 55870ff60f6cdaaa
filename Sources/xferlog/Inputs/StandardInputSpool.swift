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

  private func fill(_ descriptor: Int32) throws {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      while true {
        try Interruption.check()
        let got = read(STDIN_FILENO, bytes.baseAddress, bytes.count)
        if got == 0 { return }
        if got < 0 {
          if errno == EINTR { continue }
          throw Self.failure("standard input cannot be read")
        }
        var offset = 0
        while offset < got {
          let put = write(descriptor, bytes.baseAddress! + offset, got - offset)
          if put < 0 { throw Self.failure("\(path) cannot be written") }
          offset += put
        }
        count += got
      }
    }
  }

  private static func failure(_ problem: String) -> CommandExit {
    CommandExit(.failed, "\(problem): \(String(cString: strerror(errno)))")
  }
}
