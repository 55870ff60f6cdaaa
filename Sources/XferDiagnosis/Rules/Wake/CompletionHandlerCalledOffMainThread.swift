import XferEvents
import XferLifecycle
import XferReplay

/// The app called a wake's completion handler on a thread other than the main thread.
struct CompletionHandlerCalledOffMainThread: WakeRule {
  private static let wake = HandlerID(3)
  private static let session = "com.example.img"

  private static func story(contract: Bool? = true, onMainThread: Bool?) -> [RuleExample.Step] {
    let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: onMainThread, threadName: "delegate queue")
    return [
      .at(0, ProcessStarted(startReason: .transfer, background: true, mainThreadContract: contract)),
      .at(0.01, WakeDelivered(session: session, handler: wake)),
      .at(0.02, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(1, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)), .at(2, called),
      .at(9, LogClosed()),
    ]
  }

  static let description = RuleDescription(
    id: "completion-handler-called-off-main-thread", severity: .warning,
    summary: "The completion handler was called on a thread other than the main thread.",
    explanation: """
      The handler belongs to the user interface framework, which takes a snapshot of the app when the handler is called and \
      requires the call on the main thread. urlSessionDidFinishEvents is called on the session's delegate queue, which is the \
      main queue only if the app chooses it. The rule applies only to processes that declare at their start that callbacks \
      must run on the main thread.
      """,
    remedy: "Dispatch the call to the main queue (DispatchQueue.main.async).",
    sources: [
      "https://github.com/AFNetworking/AFNetworking/pull/2076", "https://github.com/Alamofire/Alamofire/issues/728",
    ],
    reports: [
      RuleExample(
        "the handler was called on the delegate queue", .certain, cites: [.wakeHandlerCalled],
        steps: story(onMainThread: false))
    ],
    staysSilent: [
      RuleExample("the handler was called on the main thread", steps: story(onMainThread: true)),
      RuleExample("the program has no user interface", steps: story(contract: nil, onMainThread: false)),
      RuleExample("the thread is unknown", steps: story(onMainThread: nil)),
    ])

  static let watches: Set<EventKind> = [.wakeHandlerCalled]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let called = wake.called, let caller = wake.calledBy else { return asked.isEndOfLog ? .silent : nil }
    guard world.processes[caller].mainThreadContract else { return .silent }
    guard let isMain = wake.calledOnMainThread else { return .undecidable(needs: "onMainThread of wake.handlerCalled") }
    if isMain { return .silent }
    return .finding(
      Draft(
        summary: "The completion handler of \(wake.session ?? "a session") was called off the main thread.",
        claim: .presence, evidence: called))
  }
}
