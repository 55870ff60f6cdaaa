import CXferPlatform
import Foundation
import LogTestSupport
import XferEngine

/// A fake daemon whose messages a test controls.
struct FakeDaemon {
  private let listener: Int32
  private let spool: String

  init(_ device: Device) throws {
    mkdir(device.path("run"), 0o700)
    spool = device.path("state/xferd/spool")
    try FileManager.default.createDirectory(
      atPath: spool, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    listener = xp_local_listen(device.path("run/socket"))
    guard listener >= 0 else { throw POSIXError(.EADDRINUSE) }
  }

  /// Accepts the app's next connection and reads its messages up to the opening of a session.
  func accept(generation: UInt64, _ inventory: (OpenedSession) -> SessionInventory) throws -> FakeLink {
    let link = FakeLink(socket: RawSocket(xp_local_accept(listener)))
    _ = try link.next { if case .hello = $0 { true } else { nil } }
    try link.send(.welcome(generation: generation, launch: "", spool: spool))
    let opened = try link.next { if case .openSession(let opened) = $0 { opened } else { nil } }
    try link.send(.sessionOpened(inventory(opened)))
    return link
  }
}

struct FakeLink {
  let socket: RawSocket

  struct Gone: Error {}

  func send(_ message: DaemonMessage) throws {
    socket.send(json: String(decoding: try JSONEncoder().encode(message), as: UTF8.self))
  }

  /// Returns the next message that a test is waiting for, and skips all others.
  func next<Wanted>(_ want: (AppMessage) -> Wanted?) throws -> Wanted {
    while let json = socket.receive() {
      if let wanted = want(try JSONDecoder().decode(AppMessage.self, from: Data(json.utf8))) { return wanted }
    }
    throw Gone()
  }

  func acknowledged() throws -> UInt64 { try next { if case .acknowledge(let id) = $0 { id } else { nil } } }
}
