import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of paths at which a log cannot be written, or can no longer be.
struct LogPlaceTests {
  private static let isRoot = geteuid() == 0
  private static let ext4Obstacle = LoopDisk.obstacle(to: "ext4")
  private static let btrfsObstacle = LoopDisk.obstacle(to: "btrfs")

  private func refusal(_ directory: String) -> LogError? {
    #expect(throws: LogError.self) {
      _ = try EventLog(
        directory: directory, configuration: LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false))
    }
  }

  @Test(.enabled(if: isRoot, "switching users requires root"), arguments: [true, false])
  func `A log that the user may not write is rejected with a reason`(exists: Bool) throws {
    let test = TestLog()
    let acknowledged = test.path("ack")
    _ = Acknowledgements(path: acknowledged)
    chmod(acknowledged, 0o666)
    if exists { mkdir(test.directory, 0o755) }
    let run = try ToolRun("log-writer-probe", ["write", test.directory, "ack=\(acknowledged)", "user=65534", "count=10"])
    #expect(run.status == 3)
    let (problem, advice) =
      exists
      ? ("no segment can be created in it", "Make the directory writable, or choose another one")
      : ("the directory cannot be created", "Choose another place")
    #expect(run.text == "\(test.directory): \(problem) (Permission denied).\n\(advice) with $XFERLOG_DIR or --log.\n")
  }

  @Test func `A file name that is too long is rejected with a reason`() {
    let test = TestLog()
    let error = refusal(test.path(String(repeating: "n", count: 300) + ".xlog"))
    #expect(error?.code == .cannotCreate)
    #expect(error?.osError == ENAMETOOLONG)
    #expect(error?.problem == "the directory cannot be created (File name too long)")
  }

  @Test(.enabled(if: ext4Obstacle == nil, "cannot mount an ext4 image: \(ext4Obstacle ?? "")"))
  func `A read-only file system is rejected with a reason`() throws {
    let test = TestLog()
    let disk = try LoopDisk(image: test.path("image"), type: "ext4", megabytes: 16, at: test.path("disk"))
    mkdir(disk.path + "/there.xlog", 0o700)
    try disk.makeReadOnly()
    #expect(refusal(disk.path + "/there.xlog")?.problem == "no segment can be created in it (Read-only file system)")
    #expect(refusal(disk.path + "/new.xlog")?.problem == "the directory cannot be created (Read-only file system)")
  }

  @Test(.enabled(if: ext4Obstacle == nil, "cannot mount an ext4 image: \(ext4Obstacle ?? "")"))
  func `When the file system fails during writing, events are dropped and counted`() throws {
    let test = TestLog()
    let disk = try LoopDisk(
      image: test.path("image"), type: "ext4", megabytes: 64, at: test.path("disk"), options: "loop,errors=remount-ro")
    let acknowledged = Acknowledgements(path: test.path("ack"))
    let directory = disk.path + "/test.xlog"
    // Limit the rate, so that the log cannot fill the file system before it fails.
    let probe = ChildProcess("log-writer-probe", ["write", directory, "ack=\(test.path("ack"))", "threads=2", "rate=100000"])
    while acknowledged[0] < 1000, !probe.hasEnded { sched_yield() }
    try disk.fail()
    // These events need more space than any segment that was created before the fault.
    let enough = acknowledged[0] + acknowledged[1] + 60_000
    while acknowledged[0] + acknowledged[1] < enough, !probe.hasEnded { sched_yield() }
    acknowledged[Acknowledgements.stop] = 1
    #expect(probe.wait() == .exit(0))
    let emitted = [0, 1].map { Int(acknowledged[$0]) }
    checkHeader(LogContents([.directory(directory)]), of: directory, emitted: [0: emitted[0], 1: emitted[1]])
  }

  @Test func `With too many open files, the log stays in its segment and counts the dropped events`() throws {
    let test = TestLog()
    let run = try ToolRun(
      "log-writer-probe", ["write", test.directory, "ack=\(test.path("ack"))", "count=20000", "files=4"])
    #expect(run.status == 0, "\(run.text) \(run.standardError)")
    #expect(test.segments.count == 1)
    checkHeader(test.read(), of: test.directory, emitted: [0: 20_000])
  }

  /// Checks a log that could not open a second segment. The number of dropped events must be in the log's own events and in
  /// the header.
  private func checkHeader(_ read: LogContents, of directory: String, emitted: [Int: Int]) {
    #expect(read.wrong == [])
    #expect(read.gaps.isEmpty)
    DropCount(read).check(emitted: emitted)
    let missing = DropCount(read).missing(emitted: emitted).values.reduce(0, +)
    #expect(missing > 0, "the injected fault did not occur")
    guard let last = LogDirectory.segments(in: directory).last, let bytes = try? contents(of: last.path) else {
      Issue.record("the log has no segment")
      return
    }
    let place = SegmentHeader.droppedEvents
    let counted = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int64($1) }
    #expect(counted == missing)
  }

  @Test(.enabled(if: btrfsObstacle == nil, "cannot mount a btrfs image: \(btrfsObstacle ?? "")"))
  func `On a copy-on-write file system, records are appended`() throws {
    let test = TestLog()
    let disk = try LoopDisk(image: test.path("image"), type: "btrfs", megabytes: 128, at: test.path("disk"))
    let directory = disk.path + "/test.xlog"
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy, maintains: false)
    configuration.durability = .interval(.milliseconds(1))
    let log = try EventLog(directory: directory, configuration: configuration)
    SystemThread.run(2) { thread in Workload.emit(thread, numbers: 0..<4000, to: log) }
    try log.sync()
    log.close()
    let read = LogContents([.directory(directory)])
    #expect(read.gaps.isEmpty)
    for thread in 0..<2 { #expect(read.numbers[thread] == Array(0..<4000)) }
    for segment in LogDirectory.segments(in: directory) {
      let header = try SegmentReader.open(number: 1, path: segment.path, name: "", index: 0).segment.header
      #expect(header.compatible.contains(.appended))
    }
  }
}
