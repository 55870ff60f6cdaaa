import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests of linking a finding to the finding that explains it.
struct CauseTests {
  private static func diagnose(_ steps: [RuleExample.Step]) -> Diagnosis {
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps.sorted { $0.offset < $1.offset }).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  private static func transferred(_ task: TaskIdentity, _ delivery: UInt64, at time: Duration) -> [RuleExample.Step] {
    [
      .at(time, TaskCreated(task: task, type: .data)), .at(time, TaskResumed(task: task)),
      .at(time, TaskTransferred(task: task, received: 10, status: 200)),
      .at(time, DeliverySent(task: task, delivery: DeliveryID(delivery), callback: .didComplete)),
      .at(time, DeliveryReceived(task: task, delivery: DeliveryID(delivery), callback: .didComplete)),
    ]
  }

  @Test func `A blocking callback explains only the lost completions that were queued behind it`() throws {
    let other = TaskIdentity(uid: TaskUID(high: 0xE1, low: 99), session: "default-2", number: 1)
    let diagnosis = Self.diagnose(
      [.at(0, ProcessStarted(executable: "app"))]
        + Self.transferred(.example(1), 1, at: .seconds(1))
        + [.at(1, DeliveryEntered(task: .example(1), delivery: DeliveryID(1), callback: .didComplete))]
        + Self.transferred(.example(2), 2, at: .seconds(8)) + Self.transferred(.example(3), 3, at: .seconds(9))
        + Self.transferred(other, 4, at: .seconds(9))
        + [
          .at(20, ProcessExitObserved(launch: ExampleProcess.app.launch, signal: 9, exitReason: .signal), by: .daemon)
        ])
    let root = try #require(diagnosis.findings.firstIndex { $0.rule == "callback-thread-blocked" })
    #expect(diagnosis.findings[root].tasks == [.example(1), .example(2), .example(3)])
    let lost = diagnosis.findings.filter { $0.rule == "lost-completion" }
    #expect(lost.count == 4)
    for finding in lost { #expect(finding.causedBy == (finding.task == other ? nil : root), "\(finding.summary)") }
  }

  @Test func `A stall explains the resource timeout of the same task only`() throws {
    func stalled(_ task: TaskIdentity, bytes: Bool) -> [RuleExample.Step] {
      var steps: [RuleExample.Step] = [
        .at(0, TaskCreated(task: task, type: .download, resourceTimeout: .seconds(600))),
        .at(0, TaskResumed(task: task)), .at(0.001, AttemptStarted(task: task, attempt: 1)),
        .at(0.002, AttemptConnectionAcquired(task: task, attempt: 1)),
        .at(600, AttemptEnded(task: task, attempt: 1, end: .timeout, domain: .curl, error: 28)),
        .at(600, TaskCompleted(task: task, domain: .curl, error: 28)),
      ]
      // Without response bytes, the server is still preparing its response, which is not a stall.
      if bytes {
        steps.append(.at(0.003, AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 10)))
      }
      return steps
    }
    let diagnosis = Self.diagnose(stalled(.example(1), bytes: true) + stalled(.example(2), bytes: false))
    let root = try #require(diagnosis.findings.firstIndex { $0.rule == "stalled-transfer" })
    let timeouts = diagnosis.findings.filter { $0.rule == "resource-timeout" }
    #expect(timeouts.map(\.task?.number) == [7, 8])
    #expect(timeouts.map(\.causedBy) == [root, nil])
  }

  @Test func `A finding that is only possible does not explain a more certain one`() {
    let diagnosis = Self.diagnose(
      [.at(0, ProcessStarted(executable: "app"))] + Self.transferred(.example(2), 2, at: .seconds(1))
        + [
          .at(50, DeliverySent(task: .example, delivery: DeliveryID(1), callback: .didReceiveResponse)),
          .at(50, DeliveryReceived(task: .example, delivery: DeliveryID(1), callback: .didReceiveResponse)),
          .at(50, DeliveryEntered(task: .example, delivery: DeliveryID(1), callback: .didReceiveResponse)),
          .at(70, LogHeartbeatWritten()),
        ])
    let findings = diagnosis.findings
    #expect(findings.map(\.rule).sorted() == ["callback-thread-blocked", "lost-completion"])
    #expect(findings.first { $0.rule == "callback-thread-blocked" }?.certainty == .possible)
    #expect(findings.first { $0.rule == "lost-completion" }?.counts == true)
  }

  @Test func `No rule is directly or indirectly a consequence of itself`() {
    let causes = Dictionary(uniqueKeysWithValues: RuleCatalogue.descriptions.map { ($0.id, $0.consequenceOf) })
    for rule in causes.keys.sorted() {
      var (open, seen) = (causes[rule]!, Set<String>())
      while let cause = open.popLast() {
        #expect(causes[cause] != nil, "\(rule) follows from \(cause), which is no rule")
        if seen.insert(cause).inserted { open += causes[cause] ?? [] }
      }
      #expect(!seen.contains(rule), "\(rule)")
    }
  }
}
