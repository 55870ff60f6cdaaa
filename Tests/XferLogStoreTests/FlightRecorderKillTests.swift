import Foundation
import LogTestSupport
import Testing
import XferEvents

@testable import XferLogStore

/// Tests that the detail of an acknowledged failure survives the death of its process.
struct FlightRecorderKillTests {
  private static let threads = 3
  private static let steps = 30

  private func fails(_ task: Int) -> Bool { task % 5 == 2 }

  /// Checks that each acknowledged task has its detail if it failed, and no detail if it succeeded.
  private func check(_ read: LogContents, thread: Int, acknowledged: Int, _ trial: String) {
    let steps = read.steps()
    for number in 0..<acknowledged {
      let task = thread * 100_000 + number
      #expect(steps[task] ?? [] == (fails(number) ? Array(0..<Self.steps) : []), "\(trial), task \(task)")
    }
    #expect(read.unexplainedGaps == [], "\(trial)")
  }

  @Test(arguments: [false, true])
  func `A process killed at random leaves the detail of each acknowledged failure`(appends: Bool) throws {
    var failures = 0
    for seed in seeds(6, campaign: 300) {
      var random = SeededRandom(seed: seed)
      let test = TestLog()
      let acknowledged = Acknowledgements(path: test.path("ack"))
      let probe = ChildProcess(
        "log-writer-probe",
        ["detail", test.directory, "ack=\(test.path("ack"))", "threads=\(Self.threads)", "appending=\(appends ? 1 : 0)"])
      let target = UInt64.random(in: 1...120, using: &random)
      while acknowledged[0] < target, !probe.hasEnded { sched_yield() }
      probe.kill()
      #expect(probe.wait() == .signal(SIGKILL))
      let read = test.read()
      for thread in 0..<Self.threads {
        let count = Int(acknowledged[thread])
        failures += (0..<count).count(where: fails)
        check(read, thread: thread, acknowledged: count, "seed \(seed), appending \(appends)")
      }
    }
    print("kills at random, appending \(appends): \(failures) failures acknowledged, all with their detail")
  }

  @Test(arguments: ["before", "after-commit"], [false, true])
  func `A kill directly before or after the commit of a failure leaves the detail`(moment: String, appends: Bool) throws {
    for task in [2, 3] {
      let test = TestLog()
      let acknowledged = Acknowledgements(path: test.path("ack"))
      let probe = ChildProcess(
        "log-writer-probe",
        [
          "detail", test.directory, "ack=\(test.path("ack"))", "kill=2:\(task):\(moment)", "appending=\(appends ? 1 : 0)",
        ])
      #expect(probe.wait() == .signal(SIGKILL))
      #expect(acknowledged[0] == UInt64(task))
      let read = test.read()
      check(read, thread: 0, acknowledged: task, moment)
      // Either the task had not ended or its ring was not processed yet. Both cases leave the ring in the log.
      #expect(read.steps(of: task) == Array(0..<Self.steps))
      #expect(read.events(.taskCompleted).count == (moment == "before" ? task : task + 1))
      // The sealed form contains the detail as well.
      #expect(LogSealer(directory: test.directory).seal().allSatisfy { (try? $0.result.get()) != nil })
      #expect(test.read().steps(of: task) == Array(0..<Self.steps))
    }
  }

  @Test func `A forked child has its own rings`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["detail-fork", test.directory])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    // The steps before the fork, followed by those of the parent and of the child.
    #expect(read.steps(of: 1) == Array(0..<10) + Array(10..<20))
    #expect(read.steps(of: 2) == Array(20..<30))
    #expect(read.gaps.isEmpty && read.problems.isEmpty)
  }

  @Test func `When the log has no room for more rings, lost detail is counted and events continue`() throws {
    let test = TestLog()
    let probe = ChildProcess("log-writer-probe", ["detail-limit", test.directory, "limit=100000"])
    #expect(probe.wait() == .exit(0))
    let read = test.read()
    let said = 400 * Self.steps
    let present = read.steps().values.reduce(0) { $0 + $1.count }
    let dropped = read.events(.logDropped).filter { $0.family == "message" }.reduce(0) { $0 + ($1.count ?? 0) }
    #expect(present + Int(dropped) == said && dropped > 0 && present > 0, "\(present) and \(dropped) of \(said)")
    #expect(read.events(.deliveryEntered).count == 51)
    #expect(read.gaps.isEmpty)
  }
}
