import XferEvents
import XferLifecycle
import XferReplay

/// A second wake's completion handler replaced the first one, which was never called.
struct CompletionHandlerOverwritten: WakeRule {
  private static let (first, second) = (HandlerID(3), HandlerID(4))
  private static let (images, films) = ("com.example.img", "com.example.films")

  private static let started: RuleExample.Step = .at(0, ProcessStarted(startReason: .transfer, background: true))
  private static let filmsCreated: RuleExample.Step = .at(
    0.002, SessionCreated(session: films, instance: CorrelationID(2), sessionKind: .background))
  private static let imagesDelivered: RuleExample.Step = .at(0.01, WakeDelivered(session: images, handler: first))
  private static func filmsDelivered(at seconds: Double = 0.02) -> RuleExample.Step {
    .at(seconds, WakeDelivered(session: films, handler: second))
  }
  private static let imagesFinished: RuleExample.Step = .at(
    1, SessionEventsFinished(session: images, instance: CorrelationID(1), handler: first))
  private static let filmsFinished: RuleExample.Step = .at(
    2, SessionEventsFinished(session: films, instance: CorrelationID(2), handler: second))
  private static let imagesCalled: RuleExample.Step = .at(
    1.1, WakeHandlerCalled(session: images, handler: first, onMainThread: true))
  private static let filmsCalled: RuleExample.Step = .at(
    3, WakeHandlerCalled(session: films, handler: second, onMainThread: true))
  private static let later: RuleExample.Step = .at(45, LogHeartbeatWritten())

  private static func imagesStored(in slot: String? = nil) -> RuleExample.Step {
    .at(0.011, WakeHandlerStored(session: images, handler: first, slot: slot))
  }
  private static func filmsStored(in slot: String? = nil) -> RuleExample.Step {
    .at(0.021, WakeHandlerStored(session: films, handler: second, slot: slot))
  }
  private static func imagesReleased(at seconds: Double) -> RuleExample.Step {
    .at(seconds, WakeHandlerReleased(session: images, handler: first))
  }
  /// The steps of an example: the app has two sessions and is woken for the first one; then `steps` follow.
  private static func story(_ steps: RuleExample.Step...) -> [RuleExample.Step] {
    [
      started, .at(0.001, SessionCreated(session: images, instance: CorrelationID(1), sessionKind: .background)), filmsCreated,
      imagesDelivered,
    ] + steps
  }

  static let description = RuleDescription(
    id: "completion-handler-overwritten", severity: .error,
    summary: "A second wake's completion handler replaced the first one, which was never called.",
    explanation: """
      An app with several background sessions is woken for each of them, sometimes for two at once. If one property holds the \
      handler, the second handler overwrites the first, and only the second is called. The system considers the first wake \
      unfinished until its time runs out, and then kills the app.
      """,
    remedy: "Store the handlers in a dictionary by session identifier, and call each when its own session's events are finished.",
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    consequenceOf: ["wake-window-expired"],
    reports: [
      RuleExample(
        "one property holds the handlers of two sessions", .certain, cites: [.wakeDelivered, .wakeHandlerReleased],
        steps: story(
          imagesStored(in: "handler"), filmsDelivered(), filmsStored(in: "handler"), imagesReleased(at: 0.022), imagesFinished,
          filmsFinished, filmsCalled, .at(60, LogClosed()))),
      RuleExample(
        "only the second handler was called", .probable, cites: [.wakeDelivered, .wakeHandlerCalled],
        steps: story(filmsDelivered(), imagesFinished, filmsFinished, filmsCalled, later)),
    ],
    staysSilent: [
      RuleExample(
        "the first handler was called before the second wake",
        steps: story(imagesFinished, imagesCalled, filmsDelivered(at: 1.2), filmsFinished, filmsCalled, .at(60, LogClosed()))),
      RuleExample(
        "each handler was called when its session's events were finished",
        steps: story(filmsDelivered(), imagesFinished, imagesCalled, filmsFinished, filmsCalled, .at(60, LogClosed()))),
      RuleExample(
        "each handler has its own storage, and the first one was never called",
        steps: story(
          imagesStored(in: "handlers[img]"), filmsDelivered(), filmsStored(in: "handlers[films]"), imagesFinished,
          filmsFinished, filmsCalled, later)),
      RuleExample(
        "the first session was never created, so its events were never finished",
        started, filmsCreated, imagesDelivered, filmsDelivered(), filmsFinished, filmsCalled, later),
      RuleExample(
        "the first handler was released before the second wake",
        steps: story(
          imagesReleased(at: 0.011), filmsDelivered(), imagesFinished, filmsFinished, filmsCalled, .at(60, LogClosed()))),
      RuleExample(
        "the first handler was still stored when the process ended",
        steps: story(
          imagesStored(), filmsDelivered(), filmsStored(), imagesFinished, filmsFinished, filmsCalled,
          .at(4, ProcessExited(code: 0, exitReason: .returned)))),
      RuleExample(
        "neither handler was called, which another rule reports",
        steps: story(filmsDelivered(), imagesFinished, filmsFinished, later)),
    ])

  static let watches: Set<EventKind> = [.wakeDelivered, .wakeHandlerCalled, .wakeHandlerReleased]

  func verdict(on wake: WakeLifecycle, in world: World, asked: Occasion) -> Verdict? {
    if wake.called != nil { return .silent }
    guard let delivered = wake.delivered, let place = wake.process else { return asked.isEndOfLog ? .silent : nil }
    let process = world.processes[place]
    if let next = wake.next {
      let second = world.wakes[next.wake]
      if let slot = wake.slot, let other = second.slot, slot != other { return .silent }
      if let released = wake.released, (next.delivered.duration(to: released) ?? .zero) >= .zero {
        return .finding(
          draft(
            wake, second, claim: .absence(since: delivered, shownBy: .overtaken(by: released)), delivered,
            [next.delivered, released]))
      }
      // A handler is not due before its session's events are finished. A handler that was released before the second wake was not
      // replaced, and an app that logs where it stores handlers would have logged the release.
      if wake.eventsFinished != nil, wake.released == nil, wake.stored == nil, let called = second.called,
        let proof = asked.proofOfAbsence(since: delivered, within: wake.time, by: process)
      {
        return .finding(
          draft(wake, second, claim: .absence(since: delivered, shownBy: proof), delivered, [next.delivered, called]))
      }
    }
    return asked.isEndOfLog ? .silent : .wait(wake.time, after: delivered)
  }

  private func draft(
    _ wake: WakeLifecycle, _ second: WakeLifecycle, claim: Draft.Claim, _ delivered: Fact, _ rest: [Fact?]
  ) -> Draft {
    let isAbsent = if case .absence = claim { true } else { false }
    return Draft(
      summary: """
        The completion handler of \(wake.session ?? "a session") was replaced by that of \
        \(second.session ?? "another wake") before it was called.
        """,
      claim: claim, evidence: delivered, rest, missing: isAbsent ? [.init(.wakeHandlerCalled)] : [])
  }
}
