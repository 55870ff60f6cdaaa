import XferEvents
import XferLifecycle
import XferReplay

/// A second wake's completion handler took the place of the first one's, which is never called.
struct CompletionHandlerOverwritten: WakeRule {
  private static let (first, second) = (HandlerID(3), HandlerID(4))
  private static let (images, films) = ("com.example.img", "com.example.films")

  private static func delivered(_ session: String, _ handler: HandlerID) -> WakeDelivered {
    WakeDelivered(session: session, handler: handler)
  }
  private static func stored(_ session: String, _ handler: HandlerID, in slot: String) -> WakeHandlerStored {
    WakeHandlerStored(session: session, handler: handler, slot: slot)
  }
  private static func called(_ session: String, _ handler: HandlerID) -> WakeHandlerCalled {
    WakeHandlerCalled(session: session, handler: handler, onMainThread: true)
  }
  /// Both sessions are there, and all their events are delivered.
  private static let sessions: [RuleExample.Step] = [
    .event(ProcessStarted(startReason: .transfer, background: true), at: .zero),
    .event(SessionCreated(session: images, instance: CorrelationID(1), sessionKind: .background), at: .milliseconds(1)),
    .event(SessionCreated(session: films, instance: CorrelationID(2), sessionKind: .background), at: .milliseconds(2)),
  ]
  private static let finished: [RuleExample.Step] = [
    .event(SessionEventsFinished(session: images, instance: CorrelationID(1), handler: first), at: .seconds(1)),
    .event(SessionEventsFinished(session: films, instance: CorrelationID(2), handler: second), at: .seconds(2)),
  ]

  static let description = RuleDescription(
    id: "completion-handler-overwritten", severity: .error,
    summary: "A second wake's completion handler replaced the first one's, which was never called.",
    explanation: """
      An app with several background sessions is woken for each of them, and at times for two at once. Where one property \
      holds the handler, the second takes the first one's place, and only the second is ever called. For the first the app \
      counts as busy until its time is over; then it is ended.
      """,
    remedy: "Keep the handlers in a dictionary, by session identifier, and call each when its own session's events are finished.",
    sources: ["https://github.com/Automattic/pocket-casts-ios/pull/5002"],
    reports: [
      RuleExample(
        "one property for two sessions", certainty: .certain,
        steps: sessions + [
          .evidence(delivered(images, first), at: .milliseconds(10)),
          .event(stored(images, first, in: "handler"), at: .milliseconds(11)),
          .evidence(delivered(films, second), at: .milliseconds(20)),
          .event(stored(films, second, in: "handler"), at: .milliseconds(21)),
          .evidence(WakeHandlerReleased(session: images, handler: first), at: .milliseconds(22)),
        ] + finished + [.event(called(films, second), at: .seconds(3)), .event(LogClosed(), at: .seconds(60))]),
      RuleExample(
        "only the second is ever called", certainty: .probable,
        steps: sessions + [
          .evidence(delivered(images, first), at: .milliseconds(10)), .evidence(delivered(films, second), at: .milliseconds(20)),
        ] + finished + [.evidence(called(films, second), at: .seconds(3)), .event(LogHeartbeatWritten(), at: .seconds(45))]),
    ],
    staysSilent: [
      RuleExample(
        "the first was called between the two",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)), finished[0],
          .event(called(images, first), at: .milliseconds(1100)),
          .event(delivered(films, second), at: .milliseconds(1200)), finished[1], .event(called(films, second), at: .seconds(3)),
          .event(LogClosed(), at: .seconds(60)),
        ]),
      RuleExample(
        "both are called, each when its session is finished",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)), .event(delivered(films, second), at: .milliseconds(20)),
          finished[0], .event(called(images, first), at: .milliseconds(1100)), finished[1],
          .event(called(films, second), at: .seconds(3)), .event(LogClosed(), at: .seconds(60)),
        ]),
      RuleExample(
        "each is kept in a place of its own, and the first was forgotten there",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)),
          .event(stored(images, first, in: "handlers[img]"), at: .milliseconds(11)),
          .event(delivered(films, second), at: .milliseconds(20)),
          .event(stored(films, second, in: "handlers[films]"), at: .milliseconds(21)),
        ] + finished + [.event(called(films, second), at: .seconds(3)), .event(LogHeartbeatWritten(), at: .seconds(45))]),
      RuleExample(
        "the first one's session was never made, so that its events were never finished",
        .event(ProcessStarted(startReason: .transfer, background: true), at: .zero), sessions[2],
        .event(delivered(images, first), at: .milliseconds(10)), .event(delivered(films, second), at: .milliseconds(20)),
        finished[1], .event(called(films, second), at: .seconds(3)), .event(LogHeartbeatWritten(), at: .seconds(45))),
      RuleExample(
        "the first was not even kept, and let go before the second came",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)),
          .event(WakeHandlerReleased(session: images, handler: first), at: .milliseconds(11)),
          .event(delivered(films, second), at: .milliseconds(20)),
        ] + finished + [.event(called(films, second), at: .seconds(3)), .event(LogClosed(), at: .seconds(60))]),
      RuleExample(
        "the first is still kept when the process ends",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)),
          .event(WakeHandlerStored(session: images, handler: first), at: .milliseconds(11)),
          .event(delivered(films, second), at: .milliseconds(20)),
          .event(WakeHandlerStored(session: films, handler: second), at: .milliseconds(21)),
        ] + finished + [
          .event(called(films, second), at: .seconds(3)), .event(ProcessExited(code: 0, exitReason: .returned), at: .seconds(4)),
        ]),
      RuleExample(
        "neither is called, which is another problem",
        steps: sessions + [
          .event(delivered(images, first), at: .milliseconds(10)), .event(delivered(films, second), at: .milliseconds(20)),
        ] + finished + [.event(LogHeartbeatWritten(), at: .seconds(45))]),
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
      // Before its events are finished nobody would call it, wherever it is kept. What was let go before the second came was not
      // replaced, and who says what is kept would have said that it is no longer.
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
