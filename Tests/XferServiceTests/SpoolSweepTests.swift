import CXferPlatform
import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents

@testable import XferService

/// Tests of the cleanup of the spool at a daemon start.
struct SpoolSweepTests {
  private let directory = TemporaryDirectory()
  private let uid = TaskUID(high: 1, low: 2)

  /// Returns a task whose resume data refers to a file, in the engine's format.
  private func task(_ name: String, inode: UInt64, _ standing: KnownTask.Standing = .running) -> CarriedTask {
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    var task = CarriedTask(
      NewTask(uid: "\(uid)", session: "s", number: 1, kind: .download, request: request), app: "/bin/a")
    let json = Data(
      #"{"etag":"\"a\"","fields":[],"file":"\#(directory.path(name))","id":"1","inode":\#(inode),"method":"GET","url":"http://a/"}"#
        .utf8)
    task.resumeData = Data("xferlog.resume/1\n".utf8) + json + Data("\n\(crc32c(json))\n".utf8)
    task.standing = standing
    return task
  }

  private func inode(_ name: String) -> UInt64 {
    var status = stat()
    return lstat(directory.path(name), &status) == 0 ? UInt64(status.st_ino) : 0
  }

  private func sweep(_ tasks: [CarriedTask]) -> [String] {
    let sweep = SpoolSweep(of: directory.path, tasks: tasks)
    sweep.rename()
    sweep.remove()
    return ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
  }

  @Test func `A download that completed just before a crash is truncated by one byte and resumed`() throws {
    _ = try directory.write([1, 2, 3], to: "\(uid).body")
    _ = try directory.write([9], to: "orphan.part")
    #expect(sweep([task("xfer-\(uid).part", inode: inode("\(uid).body"))]) == ["xfer-\(uid).part"])
    #expect(FileManager.default.contents(atPath: directory.path("xfer-\(uid).part")) == Data([1, 2]))
  }

  @Test func `A file of another task with the same inode is not taken as the partial download`() throws {
    _ = try directory.write([1, 2, 3], to: "xfer-\(TaskUID(high: 3, low: 4)).part")
    #expect(sweep([task("xfer-\(uid).part", inode: inode("xfer-\(TaskUID(high: 3, low: 4)).part"))]) == [])
  }

  @Test func `A file of the same task with another inode is not taken as the partial download`() throws {
    _ = try directory.write([1, 2, 3], to: "\(uid).body")
    #expect(sweep([task("xfer-\(uid).part", inode: inode("\(uid).body") + 1)]) == [])
  }

  @Test func `A partial download at its recorded path is left unchanged`() throws {
    _ = try directory.write([1, 2, 3], to: "xfer-\(uid).part")
    #expect(sweep([task("xfer-\(uid).part", inode: inode("xfer-\(uid).part"))]) == ["xfer-\(uid).part"])
    #expect(FileManager.default.contents(atPath: directory.path("xfer-\(uid).part")) == Data([1, 2, 3]))
    #expect(sweep([]) == [])
  }
}

private func crc32c(_ bytes: Data) -> String {
  String(bytes.withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) }, radix: 16)
}
