import Foundation

/// Writes complete buffers to file descriptors.
enum Descriptor {
  /// - Returns: 0, or an errno value.
  static func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        return errno
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return 0
  }

  static func put(_ data: Data, to descriptor: Int32) throws(TransferResult.Problem) {
    let result = data.withUnsafeBytes { put($0, to: descriptor) }
    guard result == 0 else {
      throw .writing(
        descriptor == STDOUT_FILENO ? "standard output cannot be written" : "the output cannot be written", result)
    }
  }
}

extension TransferResult.Problem {
  /// Returns a write error with curl's exit code for it.
  static func writing(_ problem: String, _ number: Int32) -> Self {
    Self(exitCode: 23, text: "\(problem): \(String(cString: strerror(number)))", osError: number)
  }
}
