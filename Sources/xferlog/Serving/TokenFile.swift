import CXferPlatform
import XferLogStore
import XferReading
import XferServing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file that keeps the token of a port, so that open pages connect again after the server was restarted on the same port.
struct TokenFile {
  let path: String
  private let directory: String

  init(port: Int, environment: [String: String]) {
    directory = LogDirectory.stateDirectory(environment: environment)
    path = "\(directory)/serve-\(port).token"
  }

  /// Returns the token in the file, or a new one, which it stores. Without a place to store it, the token is good for one run.
  func token() -> AccessToken {
    if let token = read() { return token }
    let token = AccessToken()
    try? LogDirectory.create(directory)
    // The draft is readable only by its owner, and replaces a file that others could have read or written.
    guard let draft = try? FileDraft(for: path) else { return token }
    try? draft.write(Array("\(token.text)\n".utf8))
    try? draft.place()
    return token
  }

  /// Returns the stored token; `nil` if there is none, or if another user may know it.
  private func read() -> AccessToken? {
    // `O_NONBLOCK` keeps a pipe of this name from blocking the open.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: AccessToken.length + 1)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == bytes.count, bytes.last == UInt8(ascii: "\n") else { return nil }
    return AccessToken(String(decoding: bytes.dropLast(), as: UTF8.self))
  }
}
