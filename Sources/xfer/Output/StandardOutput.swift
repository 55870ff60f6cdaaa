import Foundation

/// Files that go to standard output: whole ones, one after the other.
enum StandardOutput {
  /// Writes all that the descriptor has, and closes it.
  static func copy(from descriptor: Int32) throws(TransferResult.Problem) {
    defer { close(descriptor) }
    let size = 1 << 18
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(descriptor, buffer.baseAddress, size)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .writing("the downloaded file cannot be read back", errno)
      }
      try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) throws(TransferResult.Problem) {
    var rest = bytes
    while !rest.isEmpty {
      let written = Foundation.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw .writing("standard output cannot be written", errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }
}

extension TransferResult.Problem {
  fileprivate static func writing(_ problem: String, _ number: Int32) -> Self {
    Self(exitCode: 23, text: "\(problem): \(String(cString: strerror(number)))")
  }
}
