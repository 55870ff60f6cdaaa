import XferEvents
import XferLifecycle
import XferReplay

/// Completions came before anybody in the app listened for them, and were dropped.
struct LateHandlerAttachment: SessionRule {
  private static let session = "com.example.img"
  private static let task = TaskIdentity(uid: TaskUID(high: 0xE1, low: 1), session: session, number: 1)
  private static let delivery = DeliveryID(1)
  private static let dropped = DeliveryDropped(task: task, delivery: delivery, callback: .didComplete, why: .noConsumer)
  private static let listener = AppListenerAttached(session: session, name: "DownloadsModel")
  private static let entered = DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)
  private static let received: [RuleExample.Step] = [
    .at(0, SessionCreated(session: session, instance: CorrelationID(1), sessionKind: .background)),
    .at(0.001, TaskAdopted(task: task)), .at(0.005, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
  ]

  static let description = RuleDescription(
    id: "late-handler-attachment", severity: .critical,
    summary: "Completions were dropped because nobody in the app listened yet; a moment later somebody did.",
    explanation: """
      A background session begins to deliver as soon as it is made. Where it is made early, as it has to be, and the part of \
      the app that wants the completions is set up later, or in another language on the other side of a bridge, what comes \
      in between reaches nobody. It works as long as the transfers end while the app is in front.
      """,
    remedy: """
      Give the session a delegate when it is made, and let that keep what comes until somebody asks for it; never let it \
      drop a completion.
      """,
    sources: [
      "https://github.com/AFNetworking/AFNetworking/issues/2386",
      "https://github.com/781flyingdutchman/background_downloader/issues/309",
    ],
    needsWholeLog: true,
    reports: [
      RuleExample(
        "dropped, and a second later somebody listens", .certain, cites: [.deliveryDropped, .appListenerAttached],
        steps: received + [.at(0.006, dropped), .at(1, listener)])
    ],
    staysSilent: [
      RuleExample(
        "kept, and given to the listener when it came",
        steps: received + [
          .at(1, listener), .at(1, entered), .at(1, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
        ]),
      RuleExample(
        "dropped, and delivered again to the listener",
        steps: received + [.at(0.006, dropped), .at(0.9, entered), .at(1, listener)]),
      RuleExample("dropped, and nobody ever listens", steps: received + [.at(0.006, dropped)]),
    ])

  static let watches: Set<EventKind> = [.appListenerAttached]

  func verdict(on session: SessionLifecycle, in world: World, asked: Occasion) -> Verdict? {
    guard let late = session.surroundings.lateListener else { return asked.isEndOfLog ? .silent : nil }
    let what = late.count == 1 ? "A completion" : "\(late.count) completions"
    return .finding(
      Draft(
        summary:
          "\(what) of session \(session.identifier) came before anybody listened, and \(late.count == 1 ? "was" : "were") dropped.",
        claim: .presence, evidence: late.dropped, [late.attached]))
  }
}
