import Foundation
import Synchronization

/// The files that heads go to; each is begun once, and all heads of a command follow one another there.
final class HeadFiles: Sendable {
  private let descriptors = Mutex<[String: Int32]>([:])

  func write(_ lines: Data, to path: String) throws(TransferResult.Problem) {
    let descriptor = try descriptor(path)
    try Descriptor.put(lines, to: descriptor)
  }

  private func descriptor(_ path: String) throws(TransferResult.Problem) -> Int32 {
    if path == "-" { return STDOUT_FILENO }
    let descriptor = descriptors.withLock { descriptors in
      if let open = descriptors[path] { return open }
      let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      if opened >= 0 { descriptors[path] = opened }
      return opened
    }
    guard descriptor >= 0 else { throw .writing("\(path) cannot be written", errno) }
    return descriptor
  }

  deinit { descriptors.withLock { for descriptor in $0.values { close(descriptor) } } }
}
