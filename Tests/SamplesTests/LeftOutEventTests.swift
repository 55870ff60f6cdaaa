import Testing
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReplay

/// Tests that remove one event, or the rest of a delivery, from the clean sample and check which removals are detected.
///
/// The events are removed from the replay's input and not from the file, so no sequence gap reveals them.
struct LeftOutEventTests {
  /// The task numbers in the clean sample: a data task and three downloads, the last one with a redirect.
  static let tasks = [1, 2, 3, 4] as [UInt32]

  /// An event of a task's delivery, and the finding that its absence must produce.
  struct Step: Sendable, CustomTestStringConvertible {
    let kind: EventKind
    var callback: Callback?
    /// The variant of `lost-completion`. `nil` means no finding.
    let variant: String?
    var testDescription: String { "\(callback.map { "\($0.name) " } ?? "")\(kind.name)" }
  }

  /// The steps of a delivery. The replay requires evidence that the app's code was called and returned, and that the task was
  /// completed. Earlier events are implied by these.
  static let steps: [Step] = [
    Step(kind: .taskTransferred, variant: nil),
    Step(kind: .deliverySent, callback: .didComplete, variant: nil),
    Step(kind: .deliveryReceived, callback: .didComplete, variant: nil),
    Step(kind: .deliveryEntered, callback: .didComplete, variant: "received, not entered"),
    Step(kind: .deliveryLeft, callback: .didComplete, variant: "entered, not left"),
    Step(kind: .taskCompleted, variant: "left, not completed"),
    Step(kind: .taskAcknowledged, variant: nil),
    // Losing a callback other than the completion is not a lost completion.
    Step(kind: .deliverySent, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryReceived, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryEntered, callback: .didFinishCollectingMetrics, variant: nil),
    Step(kind: .deliveryLeft, callback: .didFinishCollectingMetrics, variant: nil),
  ]

  /// The points at which a delivery breaks off. The given event and all later ones are missing.
  static let breaks: [Step] = [
    Step(kind: .deliverySent, callback: .didComplete, variant: "never sent"),
    Step(kind: .deliveryReceived, callback: .didComplete, variant: "sent, not received"),
    Step(kind: .deliveryEntered, callback: .didComplete, variant: "received, not entered"),
    Step(kind: .deliveryLeft, callback: .didComplete, variant: "entered, not left"),
    Step(kind: .taskCompleted, variant: "left, not completed"),
  ]

  @Test(arguments: tasks, steps)
  func `A removed event is reported if no other event implies it`(_ task: UInt32, _ step: Step) throws {
    try Self.check(task, step) { $0 == step.kind && $1 == step.callback }
  }

  @Test(arguments: tasks, breaks)
  func `An interrupted delivery is reported as a lost completion at its step`(_ task: UInt32, _ step: Step) throws {
    let way: [EventKind] = [.deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft]
    // The events after the break. The app's own events occur between the call and the return of the callback.
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
  func `The complete sample has no findings`() throws {
    let (findings, left) = try Self.diagnose { _ in false }
    #expect(findings.isEmpty && left == 0)
  }

  // MARK: Removing events

  private static func check(_ task: UInt32, _ step: Step, without isLeftOut: @escaping (EventKind, Callback?) -> Bool) throws {
    let (findings, left) = try diagnose { event in
      guard event.task?.number == task, let kind = event.kind else { return false }
      return isLeftOut(kind, event.callback)
    }
    #expect(left > 0, "the sample contains the event to remove")
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
