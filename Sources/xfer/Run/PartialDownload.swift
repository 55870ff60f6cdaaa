import Foundation
import Synchronization
import XferEngine

/// The partial file of a download and its sidecar `NAME.xfer`, which is stored next to the final file `NAME`.
///
/// The command that downloads to `NAME` holds a lock on the sidecar. If several commands download to the same file, only
/// the one that holds the lock can be resumed later. The others neither read nor change the partial file and its sidecar.
///
/// The directory may be writable by other users. A sidecar is therefore trusted only if it is a regular file that belongs to
/// the current user and is not writable by others. The partial file must be private to the user and in the same directory.
/// An untrusted file is neither used nor changed.
final class PartialDownload: Sendable {
  /// The sidecar's state when a download begins.
  enum Claim {
    case nothing
    /// The partial file is trusted.
    case left(SidecarRecord)
    /// The sidecar belongs to the user but is useless: it is unreadable, or its partial file is missing.
    case stale
    /// Another process is downloading to the same file.
    case busy
    /// The sidecar or the partial file cannot be trusted. The text gives the reason.
    case refused(String)
  }

  private enum State {
    /// No sidecar is known.
    case free
    /// The lock is held through this descriptor.
    case owned(Int32)
    /// The sidecar belongs to another process or user.
    case foreign

    mutating func release(as next: Self) {
      if case .owned(let descriptor) = self { close(descriptor) }
      self = next
    }
  }

  private let path: String
  private let directory: String
  private let state = Mutex(State.free)

  /// - Parameter destination: The path of the final file.
  init(of destination: String) {
    path = "\(destination).xfer"
    directory = DurableFile.directory(of: destination)
  }

  /// Returns whether a file has a sidecar of any kind. Unlike `claim()`, this locks nothing.
  static func exists(for destination: String) -> Bool {
    var status = stat()
    return lstat("\(destination).xfer", &status) == 0
  }

  deinit { state.withLock { if case .owned(let descriptor) = $0 { close(descriptor) } } }

  /// Locks and reads the sidecar, if it exists.
  func claim() -> Claim {
    state.withLock { state in
      let claim = open(&state)
      switch claim {
      case .busy, .refused: state.release(as: .foreign)
      case .nothing, .left, .stale: break
      }
      return claim
    }
  }

  private func open(_ state: inout State) -> Claim {
    let sidecar: LockedFile
    switch LockedFile.open(path) {
    case .missing: return .nothing
    case .locked: return .busy
    case .refused(let reason): return .refused(reason)
    case .opened(let file): sidecar = file
    }
    state = .owned(sidecar.descriptor)
    guard sidecar.size <= SidecarRecord.sizeLimit else {
      return .refused("the sidecar has \(sidecar.size) bytes (limit: \(SidecarRecord.sizeLimit))")
    }
    guard let record = sidecar.contents.flatMap(SidecarRecord.init) else { return .stale }
    switch PrivateFile.check("\(directory)/\(record.partial.name)", name: record.partial.name, inode: record.partial.inode) {
    case .missing: return .stale
    case .refused(let reason): return .refused("the partial file \(record.partial.name) is not trusted: \(reason)")
    case .trusted: return .left(record)
    }
  }

  /// Returns resume data from a record of this sidecar, or `nil` when the record is for another URL.
  func resumeData(_ record: SidecarRecord, url: String) -> Data? {
    record.isOf(url) ? record.partial.resumeData(urlText: url, directory: directory) : nil
  }

  /// Writes the data needed to resume the download.
  ///
  /// - Returns: Whether the data was written. `false` when another process owns the sidecar.
  func keep(_ resumeData: Data, url: String) throws(TransferResult.Problem) -> Bool {
    guard let partial = PartialRecord(resumeData: resumeData) else { return false }
    let bytes = SidecarRecord(partial, of: url).data
    let result: Result<Bool, TransferResult.Problem> = state.withLock { state in
      if case .free = state { state = create() }
      guard case .owned(let descriptor) = state else { return .success(false) }
      let result = LockedFile.replaceContents(of: descriptor, by: bytes)
      return result == 0 ? .success(true) : .failure(.writing("\(path) cannot be written", result))
    }
    return try result.get()
  }

  private func create() -> State {
    let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return .foreign }
    if LockedFile.lock(descriptor) { return .owned(descriptor) }
    close(descriptor)
    return .foreign
  }

  /// Removes the sidecar if this process holds its lock, and releases the lock.
  func remove() {
    state.withLock { state in
      if case .owned(let descriptor) = state, LockedFile.isStill(descriptor, at: path) { unlink(path) }
      state.release(as: .free)
    }
  }

  /// Removes the sidecar and its partial file, if the partial file is trusted.
  func discard(_ record: SidecarRecord) {
    let partial = "\(directory)/\(record.partial.name)"
    if case .trusted = PrivateFile.check(partial, name: record.partial.name, inode: record.partial.inode) { unlink(partial) }
    remove()
  }
}
