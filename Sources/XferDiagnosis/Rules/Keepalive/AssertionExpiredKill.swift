import XferEvents
import XferLifecycle
import XferReplay

/// Reports an app that did not end an expired background assertion and was killed.
struct AssertionExpiredKill: AssertionRule {
  private static let begun: [RuleExample.Step] = [
    .at(0, ProcessStarted(executable: "app")), .at(0.9, ProcessStateChanged(state: .background)),
    .at(1, AssertionBegun(assertion: CorrelationID(5), name: "upload", remaining: .seconds(30))),
  ]

  private static func exit(_ reason: ExitReason, signal: Int? = nil) -> ProcessExitObserved {
    ProcessExitObserved(launch: ExampleProcess.app.launch, signal: signal, exitReason: reason, by: .daemon)
  }

  /// The steps of an example: a background assertion expires; then `rest` follows.
  private static func expired(_ rest: RuleExample.Step...) -> [RuleExample.Step] {
    begun + [.at(31, AssertionExpired(assertion: CorrelationID(5), name: "upload"))] + rest
  }

  static let description = RuleDescription(
    id: "assertion-expired-kill", severity: .error,
    summary: "The app did not end a background assertion when it expired, and was killed.",
    explanation: """
      When a background assertion (beginBackgroundTask) expires, the system calls its expiration handler, which has some \
      seconds to end it. A handler that only starts work, that cancels tasks and waits for their callbacks, or that never calls \
      endBackgroundTask leaves the assertion held. The system then kills the app (0x8badf00d, or a plain SIGKILL) with all its \
      work in progress. The user sees no crash report, and the next launch looks normal.
      """,
    remedy: """
      Call endBackgroundTask in the expiration handler itself, synchronously, as its last statement; do not wait there for a \
      callback. Hand work that cannot finish in time to a background session before the assertion expires.
      """,
    sources: [
      "https://developer.apple.com/documentation/metrickit/mxbackgroundexitdata",
      "https://geek-is-stupid.github.io/2018-10-15-0x8badf00d-ate-bad-food/",
    ],
    consequenceOf: ["assertion-id-overwritten"],
    reports: [
      RuleExample(
        "the recorded exit reason is the expired assertion", .certain,
        cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: expired(.at(36, exit(.assertionExpired, signal: 9), by: .daemon))),
      RuleExample(
        "the app was killed five seconds later for an unknown reason", .certain,
        cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: expired(.at(36, exit(.signal, signal: 9), by: .daemon))),
      RuleExample(
        "the log stops three seconds later, and the next launch finds the process terminated", .probable,
        cites: [.assertionBegun, .assertionExpired, .processExitObserved],
        steps: expired(.at(34, AppNoted(intent: "still here")), .at(4000, exit(.missing), by: .nextLife))),
    ],
    staysSilent: [
      RuleExample(
        "the handler ended the assertion, and the kill had another reason",
        steps: expired(
          .at(31.002, AssertionEnded(assertion: CorrelationID(5), name: "upload")),
          .at(36, exit(.signal, signal: 9), by: .daemon))),
      RuleExample(
        "the app was killed before the expiry", steps: begun + [.at(20, exit(.signal, signal: 9), by: .daemon)]),
      RuleExample("the app was killed an hour later", steps: expired(.at(3600, exit(.signal, signal: 9), by: .daemon))),
      RuleExample(
        "the system reclaimed the app's memory", steps: expired(.at(33, exit(.memoryPressure, signal: 9), by: .daemon))),
      RuleExample("the app called exit()", steps: expired(.at(33, ProcessExited(code: 0, exitReason: .exitCall)))),
      RuleExample("the app crashed by itself", steps: expired(.at(33, exit(.signal, signal: 11), by: .daemon))),
    ])

  static let watches: Set<EventKind> = []

  /// The longest time between the expiry and a kill that counts as its consequence; a later kill has another reason.
  private static let patience: Duration = .seconds(30)
  private static let killed = 9
  /// The exit code of processes that iOS kills for a missed deadline (“ate bad food”).
  private static let ateBadFood: UInt32 = 0x8bad_f00d

  enum Kill {
    /// The recorded exit reason names the expired assertion.
    case stated
    /// The process was killed shortly after the expiry, and the exit reason does not name the assertion.
    case likely
    /// The log stops shortly after the expiry, and the exit reason is unknown.
    case silent
  }

  /// Returns how the log shows that a process was killed for an expired assertion; `nil` if it was not. Also used by other rules.
  static func kill(of process: ProcessLifecycle, for assertion: AssertionLifecycle) -> Kill? {
    guard let expired = assertion.expired, assertion.ended == nil, process.exited == nil, let exit = process.exitObserved,
      let start = expired.monotonic
    else { return nil }
    let stillWrote = process.coveredUntil.subtractingClamped(start) <= patience.nanoseconds
    let isSoon = expired.duration(to: exit).map { $0 <= patience } ?? false
    switch process.exitReason {
    case .assertionExpired: return .stated
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
      case .stated: .presence
      case .likely: .absence(since: expired, shownBy: .end(exit))
      case .silent: .absence(since: expired, shownBy: .coverage)
      }
    return .finding(
      Draft(
        summary: "\(name) did not end the background assertion “\(assertion.text)” when it expired, and was killed.",
        claim: claim,
        evidence: expired, [assertion.begun, exit], missing: [.init(.assertionEnded, dueBy: exit.moment)]))
  }
}
