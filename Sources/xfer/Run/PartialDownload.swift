import Foundation
import Synchronization
import XferEngine

/// The partial file of a download and its sidecar `NAME.xfer`, which stands beside the file `NAME` that the download is to become.
///
/// The command that downloads to `NAME` holds a lock on the sidecar. Of several commands with the same target only the one with the lock
/// can be continued later; the others neither read nor change what it has.
///
/// The directory may be writable for other users. So a sidecar counts only if it is a regular file of the caller's that nobody else may
/// write, and the partial file only if it is private to the caller and in the same directory. Anything else is left as it is.
final class PartialDownload: Sendable {
  /// What the sidecar says when a download begins.
  enum Claim {
    case nothing
    /// The partial file is trusted.
    case left(SidecarRecord)
    /// The sidecar is the caller's and says nothing of use: unreadable, or its partial file is gone.
    case stale
    /// Another process is downloading to the same file.
    case busy
    /// The sidecar or the partial file cannot be trusted, for this reason.
    case refused(String)
  }

  private enum State {
    /// Nobody has a sidecar, as far as is known.
    case free
    /// The lock is held through this descriptor.
    case owned(Int32)
    /// Another process or user has the sidecar.
    case foreign

    mutating func release(as next: Self) {
      if case .owned(let descriptor) = self { close(descriptor) }
      self = next
    }
  }

  private let path: String
  private let directory: String
  private let state = Mutex(State.free)

  /// - Parameter destination: where the file is to go.
  init(of destination: String) {
    path = "\(destination).xfer"
    directory = DurableFile.directory(of: destination)
  }

  deinit { state.withLock { if case .owned(let descriptor) = $0 { close(descriptor) } } }

  /// Takes the lock of the sidecar, if there is one, and reads it.
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
      return .refused("it has \(sidecar.size) bytes, and at most \(SidecarRecord.sizeLimit) are read")
    }
    guard let record = sidecar.contents.flatMap(SidecarRecord.init) else { return .stale }
    switch PrivateFile.check("\(directory)/\(record.partial.name)", name: record.partial.name, inode: record.partial.inode) {
    case .missing: return .stale
    case .refused(let reason): return .refused("it names \(record.partial.name), and \(reason)")
    case .trusted: return .left(record)
    }
  }

  /// Resume data for a record of this sidecar; `nil` when it is of another URL.
  func resumeData(_ record: SidecarRecord, url: String) -> Data? {
    record.isOf(url) ? record.partial.resumeData(urlText: url, directory: directory) : nil
  }

  /// Writes what it takes to continue the download.
  ///
  /// - Returns: `false` when the sidecar is another process's, so that nothing was written.
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

  /// Removes the sidecar, if this process has its lock, and gives the lock back.
  func remove() {
    state.withLock { state in
      if case .owned(let descriptor) = state, LockedFile.isStill(descriptor, at: path) { unlink(path) }
      state.release(as: .free)
    }
  }

  /// Removes a partial file that was trusted, and the sidecar.
  func discard(_ record: SidecarRecord) {
    let partial = "\(directory)/\(record.partial.name)"
    if case .trusted = PrivateFile.check(partial, name: record.partial.name, inode: record.partial.inode) { unlink(partial) }
    remove()
  }
}
