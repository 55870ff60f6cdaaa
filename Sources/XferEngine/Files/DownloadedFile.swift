internal import CXferPlatform
internal import Synchronization
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The temporary file of a finished download, which the app can move, copy or open during one callback.
///
/// Moving, copying or opening the file claims it. When the callback returns, a file that was not moved is removed. Later claims
/// fail with ENOENT. All claims are logged.
public final class DownloadedFile: Sendable {
  /// The path of the file in the session's temporary directory.
  public let path: String
  /// The size of the file, in bytes.
  public let size: Int64

  private let file: FinishedFile
  private let task: TaskIdentity
  private let delivery: DeliveryID
  private let sink: any EventSink
  /// Whether `move` and `copy` synchronise the file and its directory entry to the disk before they return.
  private let synchronises: Bool
  private let state = Mutex(State())

  private struct State {
    var isOffered = true
    /// Whether the app claimed the file, or the file was missing before the callback, so that nothing is left to claim.
    var isClaimed = false
    /// The paths to which the app moved or copied the file.
    var destinations: [String] = []
  }

  init(_ file: FinishedFile, task: TaskIdentity, delivery: DeliveryID, sink: any EventSink, synchronises: Bool = false) {
    (path, size, self.file) = (file.path, file.size, file)
    (self.task, self.delivery, self.sink, self.synchronises) = (task, delivery, sink, synchronises)
  }

  /// Logs that the file is offered to the app, and whether it still exists. Called right before the callback, because the file may be
  /// removed while the callback is queued.
  func offer() {
    let exists = file.condition != .gone
    state.withLock { $0.isClaimed = !exists }
    sink.emit(
      FileOffered(
        task: task, delivery: delivery, file: path, inode: Int64(bitPattern: file.inode), size: size, exists: exists,
        content: file.content))
  }

  /// Moves the file atomically. Copies it if the destination is on another file system.
  ///
  /// - Parameters:
  ///   - destination: The new path of the file. A symbolic link at this path is not followed.
  ///   - replacing: Whether an existing file is replaced. If `false`, an existing file is kept and an error is thrown.
  public func move(to destination: String, replacing: Bool = false) throws(TransferError) {
    _ = try move(to: destination, replacing ? .replaced : .kept, synchronisesDirectory: synchronises)
  }

  /// Moves the file to this path or, if it exists, to the first free one of `name.1` to `name.100`, as curl's `--no-clobber`
  /// does.
  ///
  /// - Returns: The new path of the file.
  public func move(toFreeNameAt destination: String) throws(TransferError) -> String {
    try move(to: destination, .numbered, synchronisesDirectory: synchronises)
  }

  /// Moves the file atomically.
  ///
  /// - Parameter synchronisesDirectory: Whether to synchronise the directory. A caller that moves many files passes `false` and
  ///   calls `DurableFile.syncDirectory(of:)` once.
  /// - Returns: The new path of the file.
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

  /// Copies the file. The copy appears at `destination` atomically, once it is complete.
  public func copy(to destination: String, replacing: Bool = false) throws(TransferError) {
    var placement = placement(destination, replacing ? .replaced : .kept)
    try claim(.copy, placement.destination) {
      let result = placement.copy()
      return result == 0 && synchronises ? Self.syncDirectory(of: placement.destination) : result
    }
  }

  /// Opens the file for reading and returns a descriptor, which the caller must close. The descriptor stays readable after the
  /// file is removed.
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

  /// Performs and logs an operation that claims the file.
  ///
  /// - Parameter destination: The path of the moved or copied file. Evaluated after `act`, because `act` may choose the path.
  private func claim(
    _ operation: ClaimOperation, _ destination: @autoclosure () -> String?, _ act: () -> Int32
  ) throws(TransferError) {
    // The lock is held during the operation, so that `endOffer` cannot remove the file meanwhile.
    let (result, inCallback) = state.withLock { state in
      // The path may name another file after the callback has returned, or if the file was replaced. The operation fails then.
      let result = state.isOffered && file.condition != .gone ? act() : ENOENT
      if result == 0 {
        state.isClaimed = true
        if let destination = destination() { state.destinations.append(destination) }
      }
      return (result, state.isOffered)
    }
    let destination = destination()
    if result == ENOSPC { sink.emit(DiskSpace.sample(at: destination ?? path)) }
    sink.emit(
      FileClaimed(
        task: task, delivery: delivery, operation: operation, destination: destination,
        osError: result == 0 ? nil : Int(result), inCallback: inCallback, size: size))
    guard result != 0 else { return }
    let place = destination.map { " to \($0)" } ?? ""
    let code: TransferError.Code = operation == .open ? .cannotOpenFile : .cannotMoveFile
    throw .file(code, result, "cannot \(operation) the downloaded file\(place)")
  }

  /// Removes the file if it was not moved. Called when the callback has returned.
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

  /// Synchronises the claimed files and their directory entries before the delivery is acknowledged, so that they survive a
  /// power failure.
  func bringToDisk() {
    for destination in state.withLock({ $0.destinations }) {
      let descriptor = xp_open(destination, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
      // The app has moved or removed the file after claiming it, so the file's durability is the app's responsibility.
      if descriptor < 0 { continue }
      defer { close(descriptor) }
      do throws(TransferError) {
        try DurableFile.sync(descriptor: descriptor, path: destination)
        try DurableFile.syncDirectory(of: destination)
      } catch {
        sink.emit(
          MessageFault(
            subsystem: "xfer", category: "file",
            eventMessage: "a downloaded file may not survive a power failure: \(error.problem, privacy: .private)"))
      }
    }
  }

  /// Logs that the app took the file without calling `move`, `copy` or `open`.
  private func noteUnknownClaim(_ operation: ClaimOperation) {
    sink.emit(FileClaimed(task: task, delivery: delivery, operation: operation, inCallback: true, size: size))
  }
}
