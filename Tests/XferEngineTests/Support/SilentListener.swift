import Foundation

/// A TCP port whose listener accepts no connection.
///
/// The kernel completes the connections that its backlog holds. Once the backlog is full, it drops further requests for a
/// connection, so that these neither succeed nor fail.
final class SilentListener {
  let port: Int
  private let listener: Int32
  private var connections: [Int32] = []

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  /// - Parameter fills: Whether the backlog is filled.
  init(fills: Bool) throws {
    listener = socket(AF_INET, Self.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, size, backlog) = (listener, length, Int32(fills ? 0 : 16))
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, backlog) == 0 && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(in_port_t(bigEndian: address.sin_port))
    for _ in 0..<(fills ? 16 : 0) {
      let connection = socket(AF_INET, Self.stream, 0)
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in _ = connect(connection, address, size) }
      }
      connections.append(connection)
    }
  }

  deinit { for descriptor in connections + [listener] { close(descriptor) } }
}
