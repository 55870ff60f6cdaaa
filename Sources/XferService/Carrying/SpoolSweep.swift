import CXferPlatform
import Foundation
import XferEngine
import XferEvents

/// What is in the spool when the daemon begins, and what becomes of it: files that nobody waits for go, and one that a daemon had renamed
/// when it died gets the name back by which it is known.
struct SpoolSweep: Equatable {
  private(set) var removed: [String] = []
  private(set) var renamed: [Renaming] = []

  struct Renaming: Equatable {
    let from: String
    let to: String
  }

  /// - Parameter inodes: of the files that are there, by path.
  init(_ inodes: [String: UInt64], spool: String, tasks: [CarriedTask]) {
    var wanted: Set<String> = []
    for task in tasks {
      for data in [task.resumeData, task.new.resumeData] {
        guard let partial = data.flatMap(TransferSession.partialFile(ofResumeData:)) else { continue }
        // Another file of that name, as a backup restores it, has bytes that nobody vouches for: the download begins again.
        if inodes[partial.path].map({ $0 == partial.inode }) ?? true { wanted.insert(partial.path) }
        // What is whole counts as begun until its end is stored.
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

  /// Under which a task's own file can be, when it is not where its resume data says: an inode alone may be another file's by now.
  private static func names(of task: String, _ spool: String) -> [String] {
    [SpooledFile.body(task, in: spool), SpooledFile.partial(task, in: spool)]
  }

  /// Cuts partial downloads to what was brought to the disk, after a stop of the machine that may have taken the rest: a file may have its
  /// length and not its bytes.
  ///
  /// - Returns: what was cut, in words.
  static func cutToDurable(_ tasks: [CarriedTask], in spool: String) -> [String] {
    tasks.flatMap { task -> [String] in
      guard task.standing != .ended else { return [] }
      return [task.resumeData, task.new.resumeData].compactMap { data in
        guard let partial = data.flatMap(TransferSession.partialFile(ofResumeData:)), partial.path.hasPrefix("\(spool)/") else {
          return nil
        }
        // What an earlier task left was brought to the disk with its end.
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
      return "\(path): of \(size) bytes \(length) are certain to be on the disk; the rest is fetched again"
    }
    unlink(path)
    return "\(path): its \(size) bytes may not have reached the disk; the download begins again"
  }

  /// Looks what is there.
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
      // A server is only asked whether it is still the same resource where something of it is to be had.
      var status = stat()
      if stat(renaming.to, &status) == 0, status.st_size > 0 { truncate(renaming.to, status.st_size - 1) }
    }
  }

  func remove() { for path in removed { unlink(path) } }

  /// What is to be removed, as the log has it.
  func leftOvers(now: Date = Date()) -> [DiskLeftOverFound] {
    removed.compactMap { path in
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      let age = now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec)
      return DiskLeftOverFound(
        file: path, inode: Int64(bitPattern: UInt64(status.st_ino)), size: Int64(status.st_size),
        age: .milliseconds(Int64(max(0, min(age, 1e12)) * 1000)), owner: SpooledFile.task(of: path))
    }
  }
}

/// Names in the spool.
enum SpooledFile {
  /// A download that is whole.
  static func body(_ task: String, in spool: String) -> String { "\(spool)/\(task).body" }
  /// The body of the response to an upload.
  static func response(_ task: String, in spool: String) -> String { "\(spool)/\(task).response" }

  /// A download that is under way, as the engine names it.
  static func partial(_ task: String, in spool: String) -> String { "\(spool)/xfer-\(task).part" }

  /// Opens a file for reading. A descriptor that is free soon is waited for: that there is none now says nothing of the file.
  static func open(_ path: String) throws(TransferError) -> Int32 {
    for _ in 0..<100 {
      let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
      if descriptor >= 0 { return descriptor }
      guard [EMFILE, ENFILE, ENOMEM].contains(errno) else { break }
      usleep(50_000)
    }
    throw .spool(errno, "\(path) cannot be opened")
  }

  /// The uid of the task that a file was made for; `nil` when its name is none of these.
  static func task(of path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let uid = stem.hasPrefix("xfer-") ? String(stem.dropFirst(5)) : stem
    return TaskUID(uid).map { "\($0)" }
  }
}
