import Foundation
import LogTestSupport
import Synchronization
import Testing

@testable import XferLogStore

struct MaskKeyTests {
  private let directory = TemporaryDirectory()
  private var state: String { directory.path("state/xferlog") }
  private var path: String { state + "/mask.key" }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `A new key is private to its owner and is reused`() throws {
    let first = try MaskKey.load(stateDirectory: state)
    #expect(mode(path) == 0o600)
    #expect(mode(state) == 0o700)
    #expect(try contents(of: path).count == 16)
    #expect(try MaskKey.load(stateDirectory: state) == first)
    #expect(first.0 != first.1)
    #expect(LogDirectory.names(in: state) == ["mask.key"])
    let other = TemporaryDirectory()
    #expect(try MaskKey.load(stateDirectory: other.path) != first)
  }

  @Test func `A key has the same bytes on every machine`() throws {
    let words = Mutex<[UInt64]>([0xAAAA, 0x0102_0304_0506_0708, 0x1112_1314_1516_1718])
    let key = try MaskKey.load(stateDirectory: state) { words.withLock { $0.removeFirst() } }
    #expect(key == (0x0102_0304_0506_0708, 0x1112_1314_1516_1718))
    let bytes: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]
    #expect(try contents(of: path) == bytes)
  }

  @Test func `Threads that create a key at the same time use one key`() throws {
    for round in 0..<20 {
      let state = directory.path("race \(round)")
      let keys = Mutex<[String]>([])
      SystemThread.run(6) { _ in
        let key = (try? MaskKey.load(stateDirectory: state)).map { "\($0.0) \($0.1)" } ?? "none"
        keys.withLock { $0.append(key) }
      }
      let distinct = Set(keys.withLock { $0 })
      #expect(distinct.count == 1, "round \(round)")
      #expect(!distinct.contains("none"))
      #expect(LogDirectory.names(in: state) == ["mask.key"])
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4096])
  func `An invalid key file is replaced by a new key, with a remark`(size: Int) throws {
    let before = try MaskKey.load(stateDirectory: state)
    // A power loss can leave a file that is too short or contains only zeroes.
    try write([UInt8](repeating: size == 16 ? 0 : 7, count: size), to: path)
    chmod(path, 0o600)
    let remarks = Mutex<[String]>([])
    let key = try MaskKey.load(stateDirectory: state, remade: { remark in remarks.withLock { $0.append(remark) } })
    #expect(key != before && key != (0, 0))
    let said = remarks.withLock { $0 }
    #expect(said.count == 1 && said.first?.contains("no longer match") == true, "\(said)")
    #expect(mode(path) == 0o600)
    #expect(try contents(of: path).count == 16)
    #expect(try MaskKey.load(stateDirectory: state, remade: { Issue.record("\($0)") }) == key)
    #expect(LogDirectory.names(in: state) == ["mask.key"])
  }

  @Test func `Threads that replace a broken key at the same time use one key`() throws {
    for round in 0..<20 {
      let state = directory.path("broken \(round)")
      _ = try MaskKey.load(stateDirectory: state)
      try write([], to: state + "/mask.key")
      chmod(state + "/mask.key", 0o600)
      let keys = Mutex<[String]>([])
      let remarks = Mutex(0)
      SystemThread.run(6) { _ in
        let key = try? MaskKey.load(stateDirectory: state, remade: { _ in remarks.withLock { $0 += 1 } })
        keys.withLock { $0.append(key.map { "\($0.0) \($0.1)" } ?? "none") }
      }
      #expect(Set(keys.withLock { $0 }).count == 1 && keys.withLock { !$0.contains("none") }, "round \(round)")
      #expect(remarks.withLock { $0 } == 1, "round \(round)")
      #expect(LogDirectory.names(in: state) == ["mask.key"])
    }
  }

  @Test(arguments: [0o640, 0o604, 0o620, 0o777] as [mode_t])
  func `A key that other users can read is rejected`(mode: mode_t) throws {
    let key = try MaskKey.load(stateDirectory: state)
    chmod(path, mode)
    let error = #expect(throws: LogError.self) { _ = try MaskKey.load(stateDirectory: state) }
    #expect(
      error?.description == """
        \(path): other users may have read the key for private values (owner \(geteuid()), mode \(String(mode, radix: 8)); expected owner \(geteuid()), mode 600).
        If no one has read it, fix it with `chown` and `chmod 600`; otherwise remove it to have a new key created.
        """)
    chmod(path, 0o400)
    #expect(try MaskKey.load(stateDirectory: state) == key)
  }

  @Test func `A pipe in place of the key does not block`() throws {
    mkdir(directory.path("state"), 0o700)
    mkdir(state, 0o700)
    mkfifo(path, 0o600)
    let error = #expect(throws: LogError.self) { _ = try MaskKey.load(stateDirectory: state) }
    #expect(error?.problem == "the key for private values is not a regular file")
  }

  @Test func `A symbolic link in place of the key is not followed`() throws {
    _ = try MaskKey.load(stateDirectory: state)
    rename(path, directory.path("elsewhere"))
    symlink(directory.path("elsewhere"), path)
    let error = #expect(throws: LogError.self) { _ = try MaskKey.load(stateDirectory: state) }
    #expect(error?.osError == ELOOP)
    #expect(error?.problem.hasPrefix("the key for private values is a symbolic link, which is not followed") == true)
  }

  @Test func `An error names the directory that cannot be created`() throws {
    try write([1], to: directory.path("file"))
    let error = #expect(throws: LogError.self) { _ = try MaskKey.load(stateDirectory: directory.path("file/x")) }
    #expect(error?.place.hasPrefix(directory.path("file/x")) == true)
  }

  @Test func `The environment determines the locations of logs and keys`() {
    #expect(LogDirectory.standard(environment: ["XFERLOG_DIR": "/x/y.xlog", "HOME": "/h"]) == "/x/y.xlog")
    #expect(LogDirectory.standard(environment: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/xferlog/log.xlog")
    #expect(LogDirectory.standard(environment: ["XFERLOG_DIR": "", "HOME": "/h"]) == "/h/.local/state/xferlog/log.xlog")
    // The XDG specification requires that relative paths are ignored.
    #expect(LogDirectory.stateDirectory(environment: ["XDG_STATE_HOME": "", "HOME": "/h"]) == "/h/.local/state/xferlog")
    #expect(LogDirectory.stateDirectory(environment: ["HOME": ""]) == LogDirectory.stateDirectory(environment: [:]))
    #expect(LogDirectory.stateDirectory(environment: ["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/xferlog")
  }

  @Test func `Segments are files whose names are numbers`() throws {
    for name in ["000002.seg", "000010.seg", "1000000.seg", "x.seg", "000003.seg.tmp", "000004.observed", "-1.seg"] {
      try write([1], to: directory.path(name))
    }
    #expect(LogDirectory.segments(in: directory.path).map(\.number) == [2, 10, 1_000_000])
    #expect(LogDirectory.name(of: 7) == "000007.seg")
    #expect(LogDirectory.name(of: 12_345_678) == "12345678.seg")
  }

  @Test func `A log and its segments are private to their owner`() throws {
    let test = TestLog()
    let log = try test.open()
    log.close()
    #expect(mode(test.directory) == 0o700)
    #expect(mode(test.segment(1)) == 0o600)
  }
}
