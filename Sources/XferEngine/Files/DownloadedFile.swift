internal import CXferPlatform
internal import Synchronization
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A download's temporary file, on offer to the app for the length of one callback.
///
/// Whoever moves, copies or opens it claims it, and the log says so. When the callback returns, what is left of the
/// temporary file is removed; later claims fail with ENOENT, and the log says that too.
public final class DownloadedFile: Sendable {
  /// In the session's temporary directory.
  public let path: String
  public let size: Int64

  private let file: FinishedFile
  private let task: TaskIdentity
  private let delivery: DeliveryID
  private let sink: any EventSink
  /// Whether a file is on the disk, with its directory entry, when `move` or `copy` returns.
  private let synchronises: Bool
  private let state = Mutex(State())

  private struct State {
    var isOffered = true
    var isClaimed = false
    /// Where the file or a copy of it was put.
    var destinations: [String] = []
  }

  init(_ file: FinishedFile, task: TaskIdentity, delivery: DeliveryID, sink: any EventSink, synchronises: Bool = false) {
    (path, size, self.file) = (file.path, file.size, file)
    (self.task, self.delivery, self.sink, self.synchronises) = (task, delivery, sink, synchronises)
  }

  /// Says that the file is there, once its callback is queued.
  func offer() {
    sink.emit(
      FileOffered(
        task: task, delivery: delivery, file: path, inode: Int64(bitPattern: file.inode), size: size,
        exists: file.links > 0, content: file.content))
  }

  /// Renames the file, or copies it where the destination is on another file system; it appears there whole or not at all.
  ///
  /// - Parameter replacing: whether a file that is there already is replaced; otherwise it stays, and that is an error. A symbolic
  ///   link there is never followed.
  public func move(to destination: String, replacing: Bool = false) throws(TransferError) {
    _ = try move(to: destination, replacing ? .replaced : .kept, synchronisesDirectory: synchronises)
  }

  /// Moves the file to this name or, where something has it, to the first free one of `name.1` to `name.100`, as curl's `--no-clobber`
  /// does.
  ///
  /// - Returns: where the file is now.
  public func move(toFreeNameAt destination: String) throws(TransferError) -> String {
    try move(to: destination, .numbered, synchronisesDirectory: synchronises)
  }

  /// - Parameter synchronisesDirectory: `false` when the caller does that itself, for many files at once
  ///   (`DurableFile.syncDirectory(of:)`).
  /// - Returns: where the file is now.
  package func move(
    to destination: String, _ existing: FilePlacement.ExistingFile, synchronisesDirectory: Bool
  ) throws(TransferError) -> String {
    var placement = placement(destination, existing)
    try claim(.move, placement.destination) {
      let result = placement.move()
      return result == 0 && synchronisesDirectory ? Self.syncDirectory(of: placement.destination) : result
    }
    return placement.destination
  }

  private static func syncDirectory(of path: String) -> Int32 { xp_sync_directory(DurableFile.directory(of: path)) }

  /// Copies the file; the copy appears whole or not at all.
  public func copy(to destination: String, replacing: Bool = false) throws(TransferError) {
    var placement = placement(destination, replacing ? .replaced : .kept)
    try claim(.copy, placement.destination) {
      let result = placement.copy()
      return result == 0 && synchronises ? Self.syncDirectory(of: placement.destination) : result
    }
  }

  /// Opens the file for reading; the bytes stay readable through the descriptor, which the caller closes.
  public func open() throws(TransferError) -> Int32 {
    var descriptor: Int32 = -1
    try claim(.open, nil) {
      descriptor = xp_open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
      return descriptor >= 0 ? 0 : errno
    }
    return descriptor
  }

  private func placement(_ destination: String, _ existing: FilePlacement.ExistingFile) -> FilePlacement {
    FilePlacement(
      source: path, destination: destination, existing: existing, tag: "\(task.uid)", synchronises: synchronises)
  }

  /// - Parameter destination: asked once the file is there.
  private func claim(
    _ operation: ClaimOperation, _ destination: @autoclosure () -> String?, _ act: () -> Int32
  ) throws(TransferError) {
    // The lock is held while the file moves: otherwise the offer could end in between, and a claimed file be removed.
    let (result, inCallback) = state.withLock { state in
      // The path may name another file by now: after the callback has returned, or because somebody replaced the file.
      let result = state.isOffered && file.condition != .gone ? act() : ENOENT
      if result == 0 {
        state.isClaimed = true
        if let destination = destination() { state.destinations.append(destination) }
      }
      return (result, state.isOffered)
    }
    let destination = destination()
    if result == ENOSPC { sink.emit(DiskLook.look(at: destination ?? path)) }
    sink.emit(
      FileClaimed(
        task: task, delivery: delivery, operation: operation, destination: destination,
        osError: result == 0 ? nil : Int(result), inCallback: inCallback, size: size))
    guard result != 0 else { return }
    let place = destination.map { " to \($0)" } ?? ""
    let code: TransferError.Code = operation == .open ? .cannotOpenFile : .cannotMoveFile
    throw .file(code, result, "\(operation) of the downloaded file\(place) failed")
  }

  /// The callback has returned: whatever is left is removed.
  func endOffer() {
    let wasClaimed = state.withLock { state in
      state.isOffered = false
      return state.isClaimed
    }
    switch file.condition {
    case .gone where !wasClaimed: noteUnknownClaim(.unknown)
    case .gone: break
    case .inPlace(let links):
      if links > 1, !wasClaimed { noteUnknownClaim(.link) }
      unlink(path)
      sink.emit(FileReaped(task: task, inode: Int64(bitPattern: file.inode), size: size))
    }
  }

  /// Synchronises the claimed files and their names, so that a power cut cannot take back what is about to be acknowledged.
  func bringToDisk() {
    for destination in state.withLock({ $0.destinations }) {
      let descriptor = xp_open(destination, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
      // The app has moved or removed it since: what becomes of it is the app's to say.
      if descriptor < 0 { continue }
      defer { close(descriptor) }
      do throws(TransferError) {
        try DurableFile.sync(descriptor: descriptor, path: destination)
        try DurableFile.syncDirectory(of: destination)
      } catch {
        sink.emit(
          MessageFault(
            subsystem: "xfer", category: "file",
            eventMessage: "a downloaded file may not survive a power cut: \(error.problem, privacy: .private)"))
      }
    }
  }

  private func noteUnknownClaim(_ operation: ClaimOperation) {
    sink.emit(FileClaimed(task: task, delivery: delivery, operation: operation, inCallback: true, size: size))
  }
}
