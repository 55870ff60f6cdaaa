import Foundation
import Synchronization

/// A server that answers each connection with bytes chosen by the request's path, and then closes it.
final class RawServer: Sendable {
  let port: Int
  private let listener: Int32
  private let answer: @Sendable (String) -> [UInt8]
  private let isStopped = Atomic<Bool>(false)

  /// - Parameter answer: Returns the response bytes. It is called on a separate thread for each connection.
  init(_ answer: @escaping @Sendable (String) -> [UInt8]) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (listener, length) = (listener, size)
    let result = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, address, &size) == 0
      }
    }
    guard result else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(in_port_t(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in accept() }
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func accept() {
    while !isStopped.load(ordering: .sequentiallyConsistent) {
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else { return }
      Thread.detachNewThread { [self] in serve(connection) }
    }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var head: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    // The request's body may arrive together with its head.
    while head.firstRange(of: Array("\r\n\r\n".utf8)) == nil, head.count < 1 << 16 {
      let count = recv(connection, &part, part.count, 0)
      if count <= 0 { return }
      head += part[..<count]
    }
    let path = String(decoding: head, as: UTF8.self).split(separator: " ").dropFirst().first.map(String.init) ?? ""
    var rest = answer(path)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if sent <= 0 { return }
      rest = rest.dropFirst(sent)
    }
    // Closing with unread bytes would send a reset, which discards bytes that the client has not read yet.
    shutdown(connection, Int32(SHUT_WR))
    while recv(connection, &part, part.count, 0) > 0 {}
  }
}
