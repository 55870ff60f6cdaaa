import CXferPlatform
import Crypto
import Dispatch
import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Brings bodies to the disk before the database says that their tasks have ended, and compares them with what is known of them later.
///
/// Works on queues of its own: a large body takes the disk seconds. Bodies that end while others are on their way to the disk share the
/// next synchronisation of the spool.
final class SpoolKeeper: Sendable {
  private let spool: String
  /// Told what was found; each element is stored as a whole or not at all.
  private let listener = Mutex<@Sendable ([[ServiceCore.Input]]) -> Void>({ _ in })
  /// Files as they were when they were last found right, by path.
  private let stamps = Mutex<[String: FileStamp]>([:])
  private let writing = DispatchQueue(label: "xferd.spool")
  private let reading = DispatchQueue(label: "xferd.spool.verify")
  private let waiting = Mutex<[FinishedTask]>([])

  init(spool: String) { self.spool = spool }

  func begin(_ listener: @escaping @Sendable ([[ServiceCore.Input]]) -> Void) { self.listener.withLock { $0 = listener } }

  private func report(_ inputs: [[ServiceCore.Input]]) { listener.withLock { $0 }(inputs) }

  /// Whether a file is as it was when it was last found right.
  ///
  /// - Parameter mayBeMissing: whether the app may have moved it away.
  func isUnchanged(_ path: String, mayBeMissing: Bool) -> Bool {
    guard let stamp = FileStamp(path) else { return mayBeMissing }
    return stamps.withLock { $0[path] } == stamp
  }

  func forget(_ path: String) { stamps.withLock { _ = $0.removeValue(forKey: path) } }

  private func note(_ stamp: FileStamp?, of path: String) { stamps.withLock { $0[path] = stamp } }

  // MARK: Bodies of tasks that have ended

  func keep(_ task: FinishedTask) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(task)
      return waiting.count == 1
    }
    if isFirst { writing.async { self.work() } }
  }

  /// Returns when what was to be kept is kept and reported.
  func finish() { writing.sync { work() } }

  /// Each task of a batch holds a descriptor, and an eighth of all descriptors is enough.
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
    // All are begun before the first is waited for, and read meanwhile.
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

  /// The kernel reports a failed write once and may forget the bytes: they are not tried again, and the task says what happened.
  private func fail(_ task: FinishedTask, _ error: TransferError) -> [ServiceCore.Input] {
    if let path = task.body?.path { unlink(path) }
    return task.failed(task.outcome.error?.transferError ?? error).inputs(nil)
  }

  // MARK: Partial downloads

  /// Brings what is there of a partial download to the disk, and says how much that is.
  func secure(_ uid: TaskUID, path: String, inode: UInt64) {
    writing.async { self.secureNow(uid, path: path, inode: inode) }
  }

  /// The same, and returns when it is done.
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

  // MARK: Bodies that wait

  /// Compares files with what is known of them, and reports what was found.
  ///
  /// - Parameter bodies: an app that was told of one may have moved it since.
  func verify(_ uid: TaskUID, _ bodies: [(record: BodyRecord, wasSent: Bool)]) {
    reading.async {
      var found: [BodyRecord] = []
      for (record, wasSent) in bodies {
        // Before the bytes are read: a change meanwhile is seen later.
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

/// A body that is being brought to the disk.
private final class OpenBody {
  private let path: String
  private let descriptor: Int32
  private let status: stat
  /// Whether the file is a whole body, which gets a digest, and not a partial download.
  private let isWhole: Bool

  /// - Returns: `nil` when the task left no file.
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
      // While the disk writes.
      guard let value = BodyDigest.ofFile(descriptor, size: Int64(status.st_size)) else {
        throw .spool(EIO, "\(path) cannot be read back whole")
      }
      digest = value
    }
    try DurableFile.sync(descriptor: descriptor, path: path)
    return BodyRecord(path: path, inode: UInt64(status.st_ino), size: Int64(status.st_size), digest: digest)
  }
}

extension FinishedTask {
  /// Whether it left anything in the spool.
  fileprivate var hasFile: Bool { body != nil || outcome.resumeData != nil }
}
