import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that events which cannot be written are counted, without any other effect on the app.
struct DropTests {
  /// Returns the numbers in all log.dropped events by event family.
  private func drops(_ read: LogContents) -> [String: Int64] {
    read.events(.logDropped).reduce(into: [:]) { $0[$1.family ?? "?", default: 0] += $1.count ?? 0 }
  }

  /// Checks that every number is either in the log or counted as dropped.
  private func checkCounts(_ read: LogContents, written: Int, thread: Int = 0, _ comment: Comment) {
    let present = Set(read.numbers[thread] ?? [])
    let missing = (0..<written).filter { !present.contains($0) }
    var expected: [String: Int64] = [:]
    for number in missing { expected[["attempt", "attempt", "delivery", "app"][number & 3], default: 0] += 1 }
    #expect(drops(read) == expected, comment)
    #expect(!missing.isEmpty, "the injected fault did not occur: \(comment)")
    #expect(read.wrong == [], comment)
    #expect(read.gaps.isEmpty, comment)
    #expect(read.events(.logClosed).first?.dropped == Int64(missing.count), comment)
  }

  @Test(arguments: [0, 100_000])
  func `At the file size limit, the app continues and the drop counts are exact`(limit: Int) throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["limit", test.directory, "count=24000", "limit=\(limit)"])
    // Exceeding the limit would have raised SIGXFSZ.
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    checkCounts(read, written: 24_000, "limit \(limit)")
    #expect(Set(read.events(.logDropped).map(\.why)) == [.ioError])
    #expect(Set(read.events(.logDropped).map(\.osError)) == [Int(EFBIG)])
  }

  @Test func `A file size limit that allows small segments drops no events`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["limit", test.directory, "count=24000", "limit=300000"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    #expect(read.numbers[0] == Array(0..<24_000))
    #expect(read.gaps.isEmpty)
    #expect(read.events(.logDropped).isEmpty)
  }

  @Test func `When its directory is renamed, the writer fills its segment and then counts drops`() throws {
    let test = TestLog()
    let clock = TestClock()
    let log = try test.open { $0.clock = clock.clock }
    Workload.emit(0, numbers: 0..<100, to: log)
    rename(test.directory, test.path("away"))
    Workload.emit(0, numbers: 100..<20_000, to: log)
    rename(test.path("away"), test.directory)
    clock.advance(by: 1_000_000_000)
    Workload.emit(0, numbers: 20_000..<20_100, to: log)
    log.close()
    let read = test.read()
    checkCounts(read, written: 20_100, "directory renamed")
    #expect(Set(read.events(.logDropped).compactMap(\.osError)) == [Int(ENOENT)])
    #expect(read.numbers[0]?.suffix(100) == Array(20_000..<20_100)[...])
  }

  @Test func `Drops of several lanes are reported exactly once, by any lane`() throws {
    let test = TestLog()
    let clock = TestClock(step: 1)
    let log = try test.open { $0.clock = clock.clock }
    rename(test.directory, test.path("away"))
    let count = 12_000
    SystemThread.run(3) { thread in Workload.emit(thread, numbers: 0..<count, to: log) }
    rename(test.path("away"), test.directory)
    clock.advance(by: 1_000_000_000)
    log.emit(thread: 9, number: 0)
    log.close()
    let read = test.read()
    let present = (0..<3).reduce(0) { $0 + (read.numbers[$1]?.count ?? 0) }
    #expect(drops(read).values.reduce(0, +) == Int64(3 * count - present))
    #expect(present < 3 * count)
    #expect(read.events(.logClosed).first?.dropped == Int64(3 * count - present))
  }

  @Test func `A log whose first segment cannot be created counts events until it can`() throws {
    let test = TestLog()
    let clock = TestClock()
    // The directory exists when it is checked, but is missing when the first segment is created.
    try LogDirectory.create(test.directory)
    let writer = LogWriter(
      directory: test.path("missing"),
      configuration: {
        var configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
        configuration.clock = clock.clock
        return configuration
      }())
    for _ in 0..<5 { #expect(!writer.emit(TaskResumed(task: Workload.task(0)))) }
    #expect(writer.dropped == 5)
    mkdir(test.path("missing"), 0o700)
    #expect(!writer.emit(TaskResumed(task: Workload.task(0))), "creating a segment is not retried at each event")
    clock.advance(by: 1_000_000_000)
    #expect(writer.emit(TaskResumed(task: Workload.task(0))))
    writer.close()
    let read = LogContents([.directory(test.path("missing"))])
    #expect(drops(read) == ["task": 6])
    #expect(read.events(.taskResumed).count == 1)
  }

  @Test func `A path where no log can be created is rejected with a reason`() throws {
    let test = TestLog()
    try write([1], to: test.path("file"))
    let configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
    let error = #expect(throws: LogError.self) {
      _ = try EventLog(directory: test.path("file"), configuration: configuration)
    }
    #expect(
      error?.description
        == "\(test.path("file")): it is not a directory.\n"
        + "A log is a directory; choose another place with $XFERLOG_DIR or --log.")
    let below = #expect(throws: LogError.self) {
      _ = try EventLog(directory: test.path("file/log.xlog"), configuration: configuration)
    }
    #expect(
      below?.description
        == "\(test.path("file/log.xlog")): the directory cannot be created (Not a directory).\n"
        + "Choose another place with $XFERLOG_DIR or --log.")
    #expect(below?.code.rawValue == "cannot-create")
    #expect(below?.osError == ENOTDIR)
  }

  /// A file system of one MiB, if the user is allowed to mount one.
  private final class SmallDisk {
    let path: String
    private let temporary = TemporaryDirectory()

    init?() {
      path = temporary.path("disk")
      mkdir(path, 0o700)
      guard Self.mount(path, size: "1m", remounts: false) else { return nil }
    }

    func grow() -> Bool { Self.mount(path, size: "16m", remounts: true) }

    private static func mount(_ path: String, size: String, remounts: Bool) -> Bool {
      #if os(Linux)
        let flags = remounts ? UInt(32) : 0  // MS_REMOUNT
        return Glibc.mount("tmpfs", path, "tmpfs", flags, "size=\(size)") == 0
      #else
        return false
      #endif
    }

    deinit {
      #if os(Linux)
        umount2(path, 2)  // MNT_DETACH
      #endif
    }

    static let isPossible = SmallDisk() != nil
  }

  @Test(.enabled(if: SmallDisk.isPossible, "the user may not mount a small file system"), arguments: [false, true])
  func `On a full disk, the app continues and dropped events are counted`(appends: Bool) throws {
    let disk = try #require(SmallDisk())
    let clock = TestClock()
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
    configuration.clock = clock.clock
    configuration.forcesAppending = appends
    let log = try EventLog(directory: disk.path + "/log.xlog", configuration: configuration)
    Workload.emit(0, numbers: 0..<40_000, to: log)
    #expect(disk.grow())
    clock.advance(by: 1_000_000_000)
    Workload.emit(0, numbers: 40_000..<41_000, to: log)
    log.close()
    let read = LogContents([.directory(disk.path + "/log.xlog")])
    checkCounts(read, written: 41_000, "appending \(appends)")
    #expect(Set(read.events(.logDropped).map(\.why)) == [.diskFull])
    #expect(Set(read.events(.logDropped).map(\.osError)) == [Int(ENOSPC)])
    #expect(read.numbers[0]?.suffix(1000) == Array(40_000..<41_000)[...])
  }
}
