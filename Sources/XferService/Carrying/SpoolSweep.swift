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
        wanted.insert(partial.path)
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
    [SpooledFile.body(task, in: spool), "\(spool)/xfer-\(task).part"]
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

  /// The uid of the task that a file was made for; `nil` when its name is none of these.
  static func task(of path: String) -> String? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    let uid = stem.hasPrefix("xfer-") ? String(stem.dropFirst(5)) : stem
    return TaskUID(uid).map { "\($0)" }
  }
}
