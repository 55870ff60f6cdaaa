import Testing
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReplay

/// The clean sample without one of its events, or without the rest of a delivery: which of them are missed.
///
/// The events are left out of what the replay is given, not out of the file, so no gap in a sequence tells of it.
struct LeftOutEventTests {
  /// One of the clean sample's tasks: a data task and three downloads, the last one redirected.
  static let tasks = [1, 2, 3, 4] as [UInt32]

  /// An event of a task's way to the app, and what its absence has to give.
  struct Step: Sendable, CustomTestStringConvertible {
    let kind: EventKind
    var callback: Callback?
    /// Of `lost-completion`; `nil` where nothing is to be found.
    let variant: String?
    var testDescription: String { "\(callback.map { "\($0.name) " } ?? "")\(kind.name)" }
  }

  /// Decided beforehand: that the app's code was called and returned, and that the task was completed, has to be there.
  /// What only leads to these is proved by them.
  static let steps: [Step] = [
    Step(kind: .taskTransferred, variant: nil),
    Step(kind: .deliverySent, callback: .didComplete, variant: nil),
    Step(kind: .deliveryReceived, callback: .didComplete, variant: nil),
    Step(kind: .deliveryEntered, callback: .didComplete, variant: "received, not entered"),
    Step(kind: .deliveryLeft, callback: .didComplete, variant: "entered, not left"),
    Step(kind: .taskCompleted, variant: "left, not completed"),
    Step(kind: .taskAcknowledged, variant: nil),
    // Callbacks on the way are no completions.
    Step(kind: .deliverySent, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryReceived, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryEntered, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryLeft, callback: .didFinishCollectingMetrics, variant: nil),
  ]

  /// Where a delivery broke off: this event and all that would have followed it are missing.
  static let breaks: [Step] = [
    Step(kind: .deliverySent, callback: .didComplete, variant: "never sent"),
    Step(kind: .deliveryReceived, callback: .didComplete, variant: "sent, not received"),
    Step(kind: .deliveryEntered, callback: .didComplete, variant: "received, not entered"),
    Step(kind: .deliveryLeft, callback: .didComplete, variant: "entered, not left"),
    Step(kind: .taskCompleted, variant: "left, not completed"),
  ]

  @Test(arguments: tasks, steps)
  func `A single event that is left out is missed when nothing else proves it`(_ task: UInt32, _ step: Step) throws {
    try Self.check(task, step) { $0 == step.kind && $1 == step.callback }
  }

  @Test(arguments: tasks, breaks)
  func `A delivery that breaks off is a lost completion, named by its step`(_ task: UInt32, _ step: Step) throws {
    let way: [EventKind] = [.deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft]
    // What follows the break; the app's own words are said between the call and the return.
    let lost = Set(way[(way.firstIndex(of: step.kind) ?? way.count)...])
    try Self.check(task, step) { kind, callback in
      switch kind {
      case .taskCompleted, .taskAcknowledged: true
      case .appOutcomeRecorded: lost.contains(.deliveryEntered)
      default: callback == .didComplete && lost.contains(kind)
      }
    }
  }

  @Test
  func `With nothing left out there is nothing to be found`() throws {
    let (findings, left) = try Self.diagnose { _ in false }
    #expect(findings.isEmpty && left == 0)
  }

  // MARK: Leaving out

  private static func check(_ task: UInt32, _ step: Step, without isLeftOut: @escaping (EventKind, Callback?) -> Bool) throws {
    let (findings, left) = try diagnose { event in
      guard event.task?.number == task, let kind = event.kind else { return false }
      return isLeftOut(kind, event.callback)
    }
    #expect(left > 0, "the sample has the event that is to be left out")
    guard let variant = step.variant else {
      #expect(findings.map(\.summary) == [])
      return
    }
    #expect(findings.map(\.rule) == ["lost-completion"])
    #expect(findings.first?.variant == variant)
    #expect(findings.first?.certainty == .certain, "\(findings.first?.lowered ?? [])")
    #expect(findings.first?.task?.number == task)
    #expect(findings.first?.missing.map(\.event) == [step.kind])
  }

  private static func diagnose(without isLeftOut: @escaping (RecordedEvent) -> Bool) throws -> (findings: [Finding], left: Int) {
    let reader = LogReader([.directory(Sample(name: "clean-run").log)])
    var left = 0
    var ordered = OrderedMembers {
      while let member = reader.next() {
        guard case .event(let event) = member, isLeftOut(event) else { return member }
        left += 1
      }
      return nil
    }
    var diagnosis = Diagnosis()
    while let member = ordered() { diagnosis.apply(member) }
    diagnosis.finish()
    return (diagnosis.findings, left)
  }
}
