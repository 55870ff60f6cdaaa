import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests of real processes with several threads for which system calls fail: no thread may block or die, and each event is
/// in the log or counted.
@Suite(.serialized)
struct RobustWritingTests {
  /// Checks the log of a writer with three threads that ran to its end.
  private func check(_ read: LogContents, emitted: [Int: Int], _ trial: Comment) {
    #expect(read.wrong == [], trial)
    #expect(read.problems.allSatisfy { $0.error.code == .unfinished }, "\(trial): \(read.problems)")
    DropCount(read).check(emitted: emitted, trial)
  }

  // MARK: Full disk

  /// A file system of two MiB in memory.
  private final class SmallDisk {
    let path: String
    private let temporary = TemporaryDirectory()

    init() throws {
      path = temporary.path("disk")
      mkdir(path, 0o700)
      try LoopDisk.run("/bin/mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path])
    }

    /// Fills all remaining space.
    func fill() { Self.fill(path + "/filler") }

    private static func fill(_ path: String) {
      let block = [UInt8](repeating: 1, count: 4096)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      while write(descriptor, block, block.count) == block.count {}
      close(descriptor)
    }

    func empty() { unlink(path + "/filler") }

    func grow(to megabytes: Int) throws { try LoopDisk.run("/bin/mount", ["-o", "remount,size=\(megabytes)m", path]) }

    deinit {
      #if os(Linux)
        umount2(path, 2)  // MNT_DETACH
      #endif
    }

    static let isPossible = (try? SmallDisk()) != nil
  }

  @Test(.enabled(if: SmallDisk.isPossible, "the user may not mount a small file system"), arguments: [false, true])
  func `On a disk that is repeatedly full, all dropped events are counted and no thread stops`(appends: Bool) throws {
    for seed in seeds(2, campaign: 30) {
      var random = SeededRandom(seed: seed)
      let trial: Comment = "seed \(seed), appending \(appends)"
      let disk = try SmallDisk()
      let counters = TemporaryDirectory()
      let acknowledged = Acknowledgements(path: counters.path("ack"))
      let probe = ChildProcess(
        "log-writer-probe",
        [
          "write", disk.path + "/log.xlog", "ack=\(counters.path("ack"))", "threads=3", "appending=\(appends ? 1 : 0)",
          "durability=\(["process", "1"].randomElement(using: &random)!)",
        ])
      // Wait until every thread has emitted more events. A thread that blocks on disk space would hang the test.
      func letAllEmit(_ count: UInt64) {
        let goals = (0..<3).map { acknowledged[$0] + count }
        for (thread, goal) in goals.enumerated() {
          while acknowledged[thread] < goal, !probe.hasEnded { sched_yield() }
        }
      }
      for cycle in 0..<3 {
        letAllEmit(.random(in: 1...3000, using: &random))
        disk.fill()
        // Emit more events than the disk could ever hold.
        letAllEmit(20_000)
        let before = LogDirectory.segments(in: disk.path + "/log.xlog").count
        disk.empty()
        try disk.grow(to: 4 + 2 * cycle)
        while LogDirectory.segments(in: disk.path + "/log.xlog").count == before, !probe.hasEnded { sched_yield() }
      }
      try disk.grow(to: 64)
      acknowledged[Acknowledgements.stop] = 1
      #expect(probe.wait() == .exit(0), trial)
      let emitted = Dictionary(uniqueKeysWithValues: (0..<3).map { ($0, Int(acknowledged[$0])) })
      let read = LogContents([.directory(disk.path + "/log.xlog")])
      check(read, emitted: emitted, trial)
      let drops = read.events(.logDropped)
      #expect(drops.contains { $0.why == .diskFull && $0.osError == Int(ENOSPC) }, "the injected fault did not occur: \(trial)")
    }
  }

  // MARK: System errors and short writes

  private static let faults: [String] = {
    let some = [
      "openat:error=ENOSPC:when=4+2", "openat:error=EMFILE:when=5", "fallocate:error=EDQUOT:when=1+2",
      "fallocate:error=EIO:when=1", "fallocate:error=EOPNOTSUPP:when=1+2", "mmap:error=ENOMEM:when=1+2",
      "pwrite64:error=EIO:when=40+97", "pwrite64:error=ENOSPC:when=200+3", "pwrite64:error=EDQUOT:when=3+1000",
      "ftruncate:error=EIO:when=1+1", "fdatasync:error=ENOSPC:when=2+5", "fsync:error=EIO:when=1",
    ]
    guard isCampaign else { return some }
    return some
      + ["openat", "fallocate", "pwrite64", "ftruncate", "fdatasync", "fsync"].flatMap { call in
        (1...20).map { "\(call):error=\(["EIO", "ENOSPC", "EDQUOT", "EMFILE"][$0 % 4]):when=\($0)+\($0 % 3 + 1)" }
      }
  }()

  @Test(.enabled(if: Strace.isPossible, "strace is missing or not permitted"), arguments: Self.faults)
  func `Whichever system call fails, each event is in the log or counted`(fault: String) throws {
    let test = TestLog()
    let appends = fault.hasPrefix("pwrite") || fault.hasSuffix("when=5")
    let count = appends ? 3000 : 9000
    let run = try Strace.run(
      inject: fault, in: test.directory, trace: test.path("trace"),
      [
        "write", test.directory, "ack=\(test.path("ack"))", "threads=3", "count=\(count)", "appending=\(appends ? 1 : 0)",
        "durability=\(fault.contains("sync") ? "1" : "process")",
      ])
    #expect(run.status == 0, "\(fault): \(run.text) \(run.standardError)")
    let trace = try String(contentsOfFile: test.path("trace"), encoding: .utf8)
    #expect(trace.contains("INJECTED") || isCampaign, "the injected fault did not occur: \(fault)")
    check(test.read(), emitted: [0: count, 1: count, 2: count], "\(fault)")
  }

  @Test(arguments: seeds(3, campaign: 200))
  func `Short and interrupted writes leave complete records`(seed: UInt64) throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["short", test.directory, "appending=1", "count=3000", "seed=\(seed)"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    #expect(read.gaps.isEmpty)
    check(read, emitted: [0: 3000, 1: 3000, 2: 3000], "seed \(seed)")
    #expect(DropCount(read).counted.isEmpty)
  }

  // MARK: Stopped writers

  @Test func `A stopped writer blocks no other writer and continues where it stopped`() throws {
    let test = TestLog()
    let acknowledged = Acknowledgements(path: test.path("ack"))
    func probe(_ first: Int, _ count: Int) -> ChildProcess {
      ChildProcess(
        "log-writer-probe", ["write", test.directory, "ack=\(test.path("ack"))", "threads=2", "first=\(first)", "count=\(count)"])
    }
    let stopped = probe(0, 12_000)
    while acknowledged[0] < 2000, !stopped.hasEnded { sched_yield() }
    kill(stopped.pid, SIGSTOP)
    // The signal may take effect a moment later. The counters stand still only once the process has stopped.
    stopped.waitForStop()
    let before = (acknowledged[0], acknowledged[1])
    let other = probe(2, 4000)
    #expect(other.wait() == .exit(0))
    #expect(acknowledged[2] == 4000 && acknowledged[3] == 4000)
    let follower = LogReader([.directory(test.directory)], isFollowing: true)
    var meanwhile = LogContents()
    while let member = follower.next() { meanwhile.add(member) }
    #expect(meanwhile.gaps.isEmpty, "\(meanwhile.gaps)")
    #expect(meanwhile.numbers[2]?.count == 4000)
    #expect(UInt64(meanwhile.numbers[0]?.count ?? 0) >= before.0)
    #expect((acknowledged[0], acknowledged[1]) == before)
    // Opening the log does not record the stopped writer as dead.
    try test.open().close()
    #expect(test.read().events(.processExitObserved).isEmpty)
    // A stopped writer looks like a killed one. It may just have created a segment.
    #expect(test.read().unexplainedGaps == [])
    kill(stopped.pid, SIGCONT)
    #expect(stopped.wait() == .exit(0))
    let read = test.read()
    #expect(read.gaps.isEmpty)
    for (thread, count) in [12_000, 12_000, 4000, 4000].enumerated() { #expect(read.numbers[thread] == Array(0..<count)) }
  }
}
