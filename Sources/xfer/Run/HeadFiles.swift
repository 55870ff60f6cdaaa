import Foundation
import Synchronization

/// The files of `--dump-header`. Each group of options truncates its file once and then appends every response head.
final class HeadFiles: Sendable {
  private let descriptors = Mutex<[Place: Int32]>([:])

  private struct Place: Hashable {
    let path: String
    let group: Int
  }

  /// Creates or truncates the file.
  func open(_ path: String, group: Int) throws(TransferResult.Problem) { _ = try descriptor(path, group) }

  func write(_ lines: Data, to path: String, group: Int) throws(TransferResult.Problem) {
    let descriptor = try descriptor(path, group)
    try Descriptor.put(lines, to: descriptor)
  }

  private func descriptor(_ path: String, _ group: Int) throws(TransferResult.Problem) -> Int32 {
    if path == "-" { return STDOUT_FILENO }
    let descriptor = descriptors.withLock { descriptors in
      let place = Place(path: path, group: group)
      if let open = descriptors[place] { return open }
      let opened = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
      if opened >= 0 { descriptors[place] = opened }
      return opened
    }
    guard descriptor >= 0 else { throw .writing("\(path) cannot be written", errno) }
    return descriptor
  }

  deinit { descriptors.withLock { for descriptor in $0.values { close(descriptor) } } }
}
