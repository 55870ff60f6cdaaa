import CXferPlatform
import Foundation
import XferEngine
import XferEvents

/// The cleanup of the spool when the daemon starts: files that belong to no task are removed, and a file that the previous
/// daemon was renaming when it was killed gets its old name back.
struct SpoolSweep: Equatable {
  private(set) var removed: [String] = []
  private(set) var renamed: [Renaming] = []

  struct Renaming: Equatable {
    let from: String
    let to: String
  }

  /// Decides what to do with the files in the spool.
  ///
  /// - Parameter inodes: The inodes of all files in the spool, by path.
  init(_ inodes: [String: UInt64], spool: String, tasks: [CarriedTask]) {
    var wanted: Set<String> = []
    for task in tasks {
      for data in [task.resumeData, task.new.resumeData] {
        guard let partial = data.flatMap(TransferSession.partialFile(ofResumeData:)) else { continue }
        // A file with the same name but another inode (for example from a backup) has unverified contents: the download
        // restarts.
        if inodes[partial.path].map({ $0 == partial.inode }) ?? true { wanted.insert(partial.path) }
        // The previous daemon may have renamed the file, for example to a complete body, before it stored the new state of the
        // task. The stored state refers to the old name, so the file gets that name back.
        if task.standing != .ended, inodes[partial.path] == nil,
          let from = Self.names(of: task.new.uid, spool).first(where: { inodes[$0] == partial.inode })
        {
          renamed.append(Renaming(from: from, to: partial.path))
          wanted.insert(from)
        }
      }
      for pending in task.pending {
        switch pending.content {
        case .file(let path, _, _, _), .body(let path): wanted.insert(path)
        case .completion(let outcome):
          if let partial = outcome.resumeData.flatMap(TransferSession.partialFile(ofResumeData:)) { wanted.insert(partial.path) }
        }
      }
    }
    removed = inodes.keys.filter { !wanted.contains($0) }.sorted()
  }

  /// Returns the paths where a task's file may be when it is not at the path in the resume data. Searching by inode alone is
  /// unsafe because the inode may have been reused.
  private static func names(of task: String, _ spool: String) -> [String] {
    [SpooledFile.body(task, in: spool), SpooledFile.partial(task, in: spool)]
  }

  /// Truncates partial downloads to their durable length after a reboot. A power loss can leave a file with its full length but
  /// without its last bytes.
  ///
  /// - Returns: Log messages that describe each change.
  static func cutToDurable(_ tasks: [CarriedTask], in spool: String) -> [String] {
    tasks.flatMap { task -> [String] in
      guard task.standing != .ended else { return [] }
      return [task.resumeData, task.new.resumeData].compactMap { data in
        guard let partial = data.flatMap(TransferSession.partialFile(ofResumeData:)), partial.path.hasPrefix("\(spool)/") else {
          return nil
        }
        // Data up to the offset in the resume data is durable: the task that made the resume data flushed its file when it ended.
        return cut(partial.path, inode: partial.inode, to: max(task.durable ?? 0, partial.offset ?? 0))
      }
    }
  }

  private static func cut(_ path: String, inode: UInt64, to length: Int64) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, UInt64(status.st_ino) == inode, status.st_mode & S_IFMT == S_IFREG,
      Int64(status.st_size) != length
    else { return nil }
    let size = Int64(status.st_size)
    if length > 0, size > length, truncate(path, off_t(length)) == 0 {
      return "\(path): only \(length) of \(size) bytes are known to be on disk; the rest is downloaded again"
    }
    unlink(path)
    return "\(path): its \(size) bytes may not have reached the disk; the download restarts"
  }

  /// Reads the contents of the spool directory and decides what to do with each file.
  init(of spool: String, tasks: [CarriedTask]) {
    var inodes: [String: UInt64] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: spool)) ?? [] {
      var status = stat()
      if lstat("\(spool)/\(name)", &status) == 0 { inodes["\(spool)/\(name)"] = UInt64(status.st_ino) }
    }
    self.init(inodes, spool: spool, tasks: tasks)
  }

  func rename() {
    for renaming in renamed {
      Foundation.rename(renaming.from, renaming.to)
      // Drops the last byte so that a range remains to be requested. The response then shows whether the resource is unchanged.
      var status = stat()
      if stat(renaming.to, &status) == 0, status.st_size > 0 { truncate(renaming.to, status.st_size - 1) }
    }
  }

  func remove() { for path in removed { unlink(path) } }

  /// Returns one event for each file that will be removed.
  func leftOvers(now: Date = Date()) -> [DiskLeftOverFound] {
    removed.compactMap { path in
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      let age = now.timeIntervalSince1970 - Double(time.tv_sec)
      return DiskLeftOverFound(
        file: path, inode: Int64(bitPattern: UInt64(status.st_ino)), size: Int64(status.st_size),
        age: .milliseconds(Int64(max(0, min(age, 1e12)) * 1000)), owner: SpooledFile.task(of: path))
    }
  }
}

/// The paths of files in the spool.
enum SpooledFile {
  /// Returns the path of a completed download.
  static func body(_ task: String, in spool: String) -> String { "\(spool)/\(task).body" }
  /// Returns the path of an upload's response body.
  static func response(_ task: String, in spool: String) -> String { "\(spool)/\(task).response" }

  /// Returns the path that the engine uses for a download in progress.
  static func partial(_ task: String, in spool: String) -> String { "\(spool)/xfer-\(task).part" }

  /// Opens a file for reading. When no descriptor is available, the open is retried for five seconds.
  static func open(_ path: String) throws(TransferError) -> Int32 {
    for _ in 0..<100 {
      let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
      if descriptor >= 0 { return descriptor }
      guard [EMFILE, ENFILE, ENOMEM].contains(errno) else { break }
      usleep(50_000)
    }
    throw .spool(errno, "cannot open \(path)")
  }

  /// Returns the uid of the task that a spool file belongs to, or `nil` when the name is not a spool file's name.
  static func task(of path: String) -> String? {
    let name = path.fileName ?? path
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let uid = stem.hasPrefix("xfer-") ? String(stem.dropFirst(5)) : stem
    return TaskUID(uid).map { "\($0)" }
  }
}
