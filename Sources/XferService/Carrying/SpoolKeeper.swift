import CXferPlatform
import Dispatch
import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Flushes bodies to disk before the database records the end of their tasks, and verifies stored bodies later.
///
/// The work runs on separate queues because a large body can occupy the disk for seconds. Bodies that finish while earlier ones
/// are being flushed share the next sync of the spool directory.
final class SpoolKeeper: Sendable {
  private let spool: String
  /// The function that receives results. The inputs of each inner array are stored atomically.
  private let listener = Mutex<@Sendable ([[ServiceCore.Input]]) -> Void>({ _ in })
  /// The stamps of files at their last successful verification, by path.
  private let stamps = Mutex<[String: FileStamp]>([:])
  private let writing = DispatchQueue(label: "xferd.spool")
  private let reading = DispatchQueue(label: "xferd.spool.verify")
  private let waiting = Mutex<[FinishedTask]>([])

  init(spool: String) { self.spool = spool }

  func begin(_ listener: @escaping @Sendable ([[ServiceCore.Input]]) -> Void) { self.listener.withLock { $0 = listener } }

  private func report(_ inputs: [[ServiceCore.Input]]) { listener.withLock { $0 }(inputs) }

  /// Returns whether a file is unchanged since its last successful verification.
  ///
  /// - Parameter mayBeMissing: The result for a missing file: `true` when the app may have moved it.
  func isUnchanged(_ path: String, mayBeMissing: Bool) -> Bool {
    guard let stamp = FileStamp(path) else { return mayBeMissing }
    return stamps.withLock { $0[path] } == stamp
  }

  func forget(_ path: String) { stamps.withLock { _ = $0.removeValue(forKey: path) } }

  private func note(_ stamp: FileStamp?, of path: String) { stamps.withLock { $0[path] = stamp } }

  // MARK: Bodies of finished tasks

  func keep(_ task: FinishedTask) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(task)
      return waiting.count == 1
    }
    if isFirst { writing.async { self.work() } }
  }

  /// Waits until all queued bodies are flushed and reported.
  func finish() { writing.sync { work() } }

  /// The maximum number of bodies that are flushed together. Each holds a descriptor, so a batch is limited to an eighth of the
  /// descriptor limit.
  private static let batch = min(64, max(1, Int(clamping: xp_descriptor_limit()) / 8))

  private func work() {
    while true {
      let tasks = waiting.withLock { waiting -> [FinishedTask] in
        let tasks = Array(waiting.prefix(Self.batch))
        waiting.removeFirst(tasks.count)
        return tasks
      }
      if tasks.isEmpty { return }
      report(bringToDisk(tasks))
    }
  }

  private func bringToDisk(_ tasks: [FinishedTask]) -> [[ServiceCore.Input]] {
    // Starts writing back all files before waiting for the first one, so that the disk works while digests are computed.
    let files = tasks.map { task in Result { () throws(TransferError) in try OpenBody(task) } }
    let kept = zip(tasks, files).map { task, file -> Result<(FinishedTask, BodyRecord?), TransferError> in
      Result { () throws(TransferError) in
        let file = try file.get()
        let record = try file?.bringToDisk()
        if let record { note(file?.stamp, of: record.path) }
        return (task, record)
      }
    }
    var problem: TransferError?
    do throws(TransferError) {
      try DurableFile.syncDirectory(of: "\(spool)/.")
    } catch {
      problem = error
    }
    return zip(tasks, kept).map { task, kept in
      switch kept {
      case .success(let (task, record)):
        guard let problem, task.hasFile else { return task.inputs(record) }
        return fail(task, problem)
      case .failure(let error): return fail(task, error)
      }
    }
  }

  /// Returns the inputs for a task whose body could not be flushed. The flush is not retried: the kernel reports a write error
  /// only once and may discard the data.
  private func fail(_ task: FinishedTask, _ error: TransferError) -> [ServiceCore.Input] {
    if let path = task.body?.path { unlink(path) }
    return task.failed(task.outcome.error?.transferError ?? error).inputs(nil)
  }

  // MARK: Partial downloads

  /// Flushes a partial download to disk in the background and reports its durable length.
  func secure(_ uid: TaskUID, path: String, inode: UInt64) {
    writing.async { self.secureNow(uid, path: path, inode: inode) }
  }

  /// Flushes a partial download to disk and reports its durable length before returning.
  func secureNow(_ uid: TaskUID, path: String, inode: UInt64) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, UInt64(status.st_ino) == inode, xp_sync(descriptor, nil, 0) == 0,
      xp_sync_directory(spool) == 0
    else { return }
    report([[.secured(uid, length: Int64(status.st_size))]])
  }

  // MARK: Verification

  /// Verifies the bodies of a task in the background and reports the result.
  ///
  /// - Parameter bodies: The recorded bodies. A body that was already sent may be missing, because the app may have moved it.
  func verify(_ uid: TaskUID, _ bodies: [(record: BodyRecord, wasSent: Bool)]) {
    reading.async {
      var found: [BodyRecord] = []
      for (record, wasSent) in bodies {
        // The stamp is taken before the bytes are read, so that a change during the read is detected later.
        let stamp = FileStamp(record.path)
        switch BodyCheck(record, mayBeMissing: wasSent) {
        case .intact(let record):
          self.note(stamp, of: record.path)
          found.append(record)
        case .spoiled(let problem): return self.report([[.spoiled(uid, problem: problem)]])
        }
      }
      self.report([[.verified(uid, found)]])
    }
  }
}

/// A spool file that is being flushed to disk.
private final class OpenBody {
  private let path: String
  private let descriptor: Int32
  private let status: stat
  /// Whether the file is a complete body, which gets a digest. `false` for a partial download.
  private let isWhole: Bool

  /// Opens the file of a task and starts writing its cached data to disk. The result is `nil` when the task left no file.
  init?(_ task: FinishedTask) throws(TransferError) {
    let partial = task.outcome.resumeData.flatMap(TransferSession.partialFile(ofResumeData:))
    guard let path = task.body?.path ?? partial?.path else { return nil }
    (self.path, isWhole) = (path, task.body != nil)
    descriptor = try SpooledFile.open(path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .spool(EINVAL, "\(path) is not a regular file")
    }
    self.status = status
    DurableFile.beginSync(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  var stamp: FileStamp { FileStamp(status) }

  func bringToDisk() throws(TransferError) -> BodyRecord {
    var digest: Data?
    if isWhole {
      // The digest is computed while the disk is still writing, before the wait for the disk.
      guard let value = BodyDigest.ofFile(descriptor, size: Int64(status.st_size)) else {
        throw .spool(EIO, "\(path) cannot be read back completely")
      }
      digest = value
    }
    try DurableFile.sync(descriptor: descriptor, path: path)
    return BodyRecord(path: path, inode: UInt64(status.st_ino), size: Int64(status.st_size), digest: digest)
  }
}

extension FinishedTask {
  /// Whether the task left a body or a partial download in the spool.
  fileprivate var hasFile: Bool { body != nil || outcome.resumeData != nil }
}
