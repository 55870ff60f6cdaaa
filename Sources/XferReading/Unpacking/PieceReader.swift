#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a file in pieces.
package struct PieceReader {
  private let path: String
  private static let size = 1 << 20

  package init(_ path: String) { self.path = path }

  package func each(_ body: ([UInt8]) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    while true {
      try Interruption.check()
      var piece = [UInt8](repeating: 0, count: Self.size)
      let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { return }
      piece.removeLast(piece.count - count)
      try body(piece)
    }
  }

  private func failure() -> CommandExit {
    CommandExit(.failed, "the temporary file \(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
