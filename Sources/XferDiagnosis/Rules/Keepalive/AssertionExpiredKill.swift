import XferEvents
import XferLifecycle
import XferReplay

/// The app was killed because it did not end background time that had run out.
struct AssertionExpiredKill: AssertionRule {
  private static let id = CorrelationID(5)
  private static let begun = AssertionBegun(assertion: id, name: "upload", remaining: .seconds(30))
  private static let expired = AssertionExpired(assertion: id, name: "upload")
  private static let ended = AssertionEnded(assertion: id, name: "upload")
  private static let background: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(0.9, ProcessStateChanged(state: .background)),
  ]

  private static func exit(_ reason: ExitReason, signal: Int? = nil, code: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, code: code, signal: signal, exitReason: reason, by: .daemon)
  }

  static let description = RuleDescription(
    id: "assertion-expired-kill", severity: .error,
    summary: "The app's background time ran out, it did not end it, and it was killed.",
    explanation: """
      When background time runs out the expiration handler is called, and has seconds to end it. A handler that only starts \
      something, cancels tasks and waits for their callbacks, or forgets to end it, returns with the time still open: the \
      system kills the app (0x8badf00d, or a plain SIGKILL), with everything that it was about. No crash report is shown \
      to the user, and the next launch looks like any other.
      """,
    remedy: """
      End it in the expiration handler itself, synchronously and last; do not wait there for a callback. Leave what cannot be \
      finished to a background session, before the time runs out.
      """,
    sources: [
      "https://developer.apple.com/documentation/metrickit/mxbackgroundexitdata",
      "https://geek-is-stupid.github.io/2018-10-15-0x8badf00d-ate-bad-food/",
    ],
    consequenceOf: ["assertion-id-overwritten"],
    reports: [
      RuleExample(
        "the system says that it was for this", .certain, cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: background + [.at(1, begun), .at(31, expired), .at(36, exit(.assertionExpired, signal: 9), by: .daemon)]),
      RuleExample(
        "killed seconds later, and nobody says why", .certain,
        cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: background + [.at(1, begun), .at(31, expired), .at(36, exit(.signal, signal: 9), by: .daemon)]),
      RuleExample(
        "the log stops seconds later, and the next life found it dead", .probable,
        cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: background + [
          .at(1, begun), .at(31, expired), .at(34, AppNoted(intent: "still here")), .at(4000, exit(.missing), by: .nextLife),
        ]),
    ],
    staysSilent: [
      RuleExample(
        "it was ended in the handler, and the kill came for something else",
        steps: background + [
          .at(1, begun), .at(31, expired), .at(31.002, ended), .at(36, exit(.signal, signal: 9), by: .daemon),
        ]),
      RuleExample(
        "killed before it ran out",
        steps: background + [.at(1, begun), .at(20, exit(.signal, signal: 9), by: .daemon)]),
      RuleExample(
        "killed an hour later",
        steps: background + [.at(1, begun), .at(31, expired), .at(3600, exit(.signal, signal: 9), by: .daemon)]),
      RuleExample(
        "the system needed its memory",
        steps: background + [.at(1, begun), .at(31, expired), .at(33, exit(.memoryPressure, signal: 9), by: .daemon)]),
      RuleExample(
        "it ended itself, by exit()",
        steps: background + [.at(1, begun), .at(31, expired), .at(33, ProcessExited(code: 0, exitReason: .exitCall))]),
      RuleExample(
        "it crashed on its own",
        steps: background + [.at(1, begun), .at(31, expired), .at(33, exit(.signal, signal: 11), by: .daemon)]),
    ])

  static let watches: Set<EventKind> = []

  /// The system waits for a few seconds; what comes later came for something else.
  private static let patience: Duration = .seconds(30)
  private static let killed = 9
  /// “Ate bad food”: the code with which iOS ends who took too long.
  private static let ateBadFood: UInt32 = 0x8bad_f00d

  enum Kill {
    /// Whoever saw the end says so.
    case said
    case likely
    /// The log stops right then, and nobody saw how.
    case silent
  }

  /// Whether a process was killed for this; the same for all who have to know.
  static func kill(of process: ProcessLifecycle, for assertion: AssertionLifecycle) -> Kill? {
    guard let expired = assertion.expired, assertion.ended == nil, process.exited == nil, let exit = process.exitObserved,
      let start = expired.monotonic
    else { return nil }
    let stillWrote = process.coveredUntil.subtractingClamped(start) <= patience.nanoseconds
    let isSoon = expired.duration(to: exit).map { $0 <= patience } ?? false
    switch process.exitReason {
    case .assertionExpired: return .said
    case .signal, .watchdog:
      let isKill = process.exitSignal == killed || process.exitReason == .watchdog
      let isCoded = process.exitCode.map { UInt32(truncatingIfNeeded: $0) == ateBadFood } ?? false
      return isSoon && (isKill || isCoded) ? .likely : nil
    case .missing, .unknown, nil: return stillWrote ? .silent : nil
    default: return nil
    }
  }

  func verdict(on assertion: AssertionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if assertion.ended != nil { return .silent }
    let process = world.processes[assertion.process]
    guard let expired = assertion.expired, let exit = process.exitObserved,
      let kill = Self.kill(of: process, for: assertion)
    else { return process.endFact != nil || asked.isEndOfLog ? .silent : nil }
    let name = process.executable ?? "The app"
    let claim: Draft.Claim =
      switch kill {
      case .said: .presence
      case .likely: .absence(since: expired, shownBy: .end(exit))
      case .silent: .absence(since: expired, shownBy: .coverage)
      }
    return .finding(
      Draft(
        summary: "\(name) did not end “\(assertion.text)” when it ran out, and was killed.", claim: claim,
        evidence: expired, [assertion.begun, exit], missing: [.init(.assertionEnded, dueBy: exit.moment)]))
  }
}
