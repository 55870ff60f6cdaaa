import Foundation

/// A TCP port of 127.0.0.1.
package enum LoopbackPort {
  /// Returns a port for a server that the test starts next.
  ///
  /// It is below the ports that the system gives to clients and to servers without a port of their own, where tests that run at the same
  /// time could get it before the server does.
  package static func free() throws -> Int {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let port = UInt16.random(in: 10_000..<32_768, using: &random)
      if let socket = BoundSocket(port: port) {
        withExtendedLifetime(socket) {}
        return Int(port)
      }
    }
    throw POSIXError(.EADDRINUSE)
  }
}

/// A port that refuses every connection: bound as long as this object exists, so that no other program listens on it.
package final class RefusingPort: Sendable {
  private let socket: BoundSocket
  package var number: Int { Int(socket.port) }

  package init() throws {
    guard let socket = BoundSocket(port: 0) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE) }
    self.socket = socket
  }
}

/// A TCP socket that is bound to a port of 127.0.0.1 and does not listen.
private final class BoundSocket: Sendable {
  private let descriptor: CInt
  let port: UInt16

  /// - Parameter port: 0 lets the system choose.
  init?(port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(descriptor) }
}
