import CXferPlatform
import Foundation
import XferEngine

/// A raw connection to the daemon, for sending arbitrary frames.
final class RawSocket {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  func send(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(json: String) {
    send(bytes: withUnsafeBytes(of: UInt32(json.utf8.count).littleEndian) { Array($0) } + Array(json.utf8))
  }

  func send(_ hello: Hello) { send(json: String(decoding: try! JSONEncoder().encode(AppMessage.hello(hello)), as: UTF8.self)) }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var part = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &part, part.count, 0)
      guard got > 0 else { return nil }
      bytes += part[..<got]
    }
    return bytes
  }

  /// Returns the JSON of the next frame, or `nil` at the end of the connection.
  func receive() -> String? {
    guard let length = read(4) else { return nil }
    let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
    return read(count).map { String(decoding: $0, as: UTF8.self) }
  }

  func receiveAll() -> [String] {
    var all: [String] = []
    while let next = receive() { all.append(next) }
    return all
  }
}
