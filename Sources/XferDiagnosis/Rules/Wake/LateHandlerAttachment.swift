import XferEvents
import XferLifecycle
import XferReplay

/// Completions were dropped because the app had not attached a listener yet.
struct LateHandlerAttachment: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)
  private static let delivery = DeliveryID(1)
  private static let dropped: RuleExample.Step = .at(
    0.006, DeliveryDropped(task: task, delivery: delivery, callback: .didComplete, why: .noConsumer))
  private static let listener: RuleExample.Step = .at(1, AppListenerAttached(session: session, name: "DownloadsModel"))
  private static let entered = DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)

  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
      .at(0.001, TaskAdopted(task: task)), .at(0.005, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
    ] + steps
  }

  static let description = RuleDescription(
    id: "late-handler-attachment", severity: .critical,
    summary: "Completions were dropped because the app attached its listener too late.",
    explanation: """
      A background session begins to deliver events as soon as it is created. It has to be created early; the part of the app \
      that handles the completions is often set up later, or on the other side of a bridge to another language. Completions \
      that arrive in between are lost. The error does not show while transfers end with the app in the foreground.
      """,
    remedy: """
      Pass a delegate when you create the session, and let the delegate buffer completions until a listener is attached. Never \
      drop a completion.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/2386",
      "https://github.com/781flyingdutchman/background_downloader/issues/309",
    ],
    needsWholeLog: true,
    untriggerable: "The engine has no event for a callback that no code takes; only recordings of URLSession write it.",
    reports: [
      RuleExample(
        "a completion was dropped a second before the listener was attached", .certain,
        cites: [.deliveryDropped, .appListenerAttached], steps: story(dropped, listener))
    ],
    staysSilent: [
      RuleExample(
        "the completion was buffered until the listener was attached",
        steps: story(
          listener, .at(1, entered), .at(1, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)))),
      RuleExample("the completion was dropped and delivered again", steps: story(dropped, .at(0.9, entered), listener)),
      RuleExample("the app never attached a listener", steps: story(dropped)),
    ])

  static let watches: Set<EventKind> = [.appListenerAttached]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let late = session.surroundings.lateListener else { return asked.isEndOfLog ? .silent : nil }
    let what = late.count == 1 ? "A completion" : "\(late.count) completions"
    return .finding(
      Draft(
        summary:
          "\(what) of session \(session.identifier) \(late.count == 1 ? "was" : "were") dropped before a listener was attached.",
        claim: .presence, evidence: late.dropped, [late.attached]))
  }
}
