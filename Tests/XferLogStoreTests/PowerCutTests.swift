import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that cut the power of a disk while threads write. Synced events must survive, and every event that is read must
/// have been written.
@Suite(.serialized, .enabled(if: CuttableDisk.obstacle == nil, "no disk for power cuts: \(CuttableDisk.obstacle ?? "")"))
struct PowerCutTests {
  @Test(arguments: ["2", "always", "process"])
  func `No synced event is lost in a power cut`(durability: String) throws {
    let disk = try CuttableDisk()
    var (lost, synchronised, shown) = (0, 0, 0)
    let trials = seeds(6, campaign: 200)
    for seed in trials {
      var random = SeededRandom(seed: seed)
      let threads = Int.random(in: 1...3, using: &random)
      let appends = Int.random(in: 0..<4, using: &random) == 0
      let burst = Int.random(in: 1...2000, using: &random)
      let target = UInt64.random(in: 1...(durability == "always" ? 400 : 9000), using: &random)
      let trial: Comment = "seed \(seed), \(durability), \(threads) threads, appending \(appends), at \(target)"
      let log = disk.path + "/\(seed).xlog"
      let counters = TemporaryDirectory()
      let acknowledged = Acknowledgements(path: counters.path("ack"))
      let probe = ChildProcess(
        "log-writer-probe",
        [
          "write", log, "ack=\(counters.path("ack"))", "threads=\(threads)", "durability=\(durability)", "burst=\(burst)",
          "appending=\(appends ? 1 : 0)",
        ])
      let watched = Int.random(in: 0..<threads, using: &random)
      while acknowledged[watched] < target, !probe.hasEnded { sched_yield() }
      // Read the acknowledgements before the cut: an event acknowledged here is on disk at that time.
      let onDisk = (0..<threads).map { Int(acknowledged[$0 + Acknowledgements.synchronised]) }
      let found = try disk.cut()
      let emitted = (0..<threads).map { Int(acknowledged[$0]) }
      probe.kill()
      #expect(probe.wait() == .signal(SIGKILL), trial)
      let read = LogContents([.directory("\(found.path)/\(seed).xlog")])
      for thread in 0..<threads {
        let numbers = read.numbers[thread] ?? []
        #expect(Array(numbers.prefix(onDisk[thread])) == Array(0..<onDisk[thread]), "\(trial), thread \(thread)")
        let isWhole = numbers == Array(0..<numbers.count)
        #expect(isWhole || !read.gaps.isEmpty, "\(trial), thread \(thread): missing events without a gap")
        lost += max(0, emitted[thread] - numbers.count)
        synchronised += onDisk[thread]
        shown += numbers.count
      }
      for event in read.events {
        guard let (thread, number) = Workload.place(of: event), number < onDisk[thread] else { continue }
        #expect(Workload.isWhole(event), "\(trial): \(event.reference)")
      }
      check(read, appends: appends, trial)
      found.unmount()
      try FileManager.default.removeItem(atPath: log)
    }
    print("\(trials.count) power cuts under \(durability): \(synchronised) events synchronised, \(shown) found, \(lost) not")
    #expect(synchronised > 0)
    // If no event was lost, the power was not cut during writing.
    if durability != "always", trials.count > 4 { #expect(lost > 0) }
  }

  private func check(_ read: LogContents, appends: Bool, _ trial: Comment) {
    // An unsynced record may be on disk without a name that it uses, which is then reported.
    #expect(read.wrong.allSatisfy { $0.contains("unreadable") }, "\(trial): \(read.wrong)")
    #expect(read.wrong.isEmpty || !read.gaps.isEmpty, "\(trial): names are lost without a gap")
    #expect(read.isOrdered, trial)
    // A segment may be incomplete if it was being created when the power failed.
    #expect(read.problems.allSatisfy { $0.error.code == .unfinished }, "\(trial): \(read.problems)")
    // An appended file may end before its last records. A reserved file keeps its size.
    #expect(!read.gaps.contains { $0.cause == .truncated && !appends || $0.cause == .missingHead }, "\(trial): \(read.gaps)")
  }
}
