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
    .at(0, ProcessStarted(startReason: .transfer, background: true)),
    .at(0.001, SessionCreated(session: images, instance: CorrelationID(1), sessionKind: .background)),
    .at(0.002, SessionCreated(session: films, instance: CorrelationID(2), sessionKind: .background)),
  ]
  private static let finished: [RuleExample.Step] = [
    .at(1, SessionEventsFinished(session: images, instance: CorrelationID(1), handler: first)),
    .at(2, SessionEventsFinished(session: films, instance: CorrelationID(2), handler: second)),
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
        "one property for two sessions", .certain, cites: [.wakeDelivered, .wakeHandlerReleased],
        steps: sessions + [
          .at(0.01, delivered(images, first)),
          .at(0.011, stored(images, first, in: "handler")),
          .at(0.02, delivered(films, second)),
          .at(0.021, stored(films, second, in: "handler")),
          .at(0.022, WakeHandlerReleased(session: images, handler: first)),
        ] + finished + [.at(3, called(films, second)), .at(60, LogClosed())]),
      RuleExample(
        "only the second is ever called", .probable, cites: [.wakeDelivered, .wakeHandlerCalled],
        steps: sessions + [
          .at(0.01, delivered(images, first)), .at(0.02, delivered(films, second)),
        ] + finished + [.at(3, called(films, second)), .at(45, LogHeartbeatWritten())]),
    ],
    staysSilent: [
      RuleExample(
        "the first was called between the two",
        steps: sessions + [
          .at(0.01, delivered(images, first)), finished[0], .at(1.1, called(images, first)), .at(1.2, delivered(films, second)),
          finished[1], .at(3, called(films, second)), .at(60, LogClosed()),
        ]),
      RuleExample(
        "both are called, each when its session is finished",
        steps: sessions + [
          .at(0.01, delivered(images, first)), .at(0.02, delivered(films, second)), finished[0],
          .at(1.1, called(images, first)), finished[1], .at(3, called(films, second)), .at(60, LogClosed()),
        ]),
      RuleExample(
        "each is kept in a place of its own, and the first was forgotten there",
        steps: sessions + [
          .at(0.01, delivered(images, first)),
          .at(0.011, stored(images, first, in: "handlers[img]")),
          .at(0.02, delivered(films, second)),
          .at(0.021, stored(films, second, in: "handlers[films]")),
        ] + finished + [.at(3, called(films, second)), .at(45, LogHeartbeatWritten())]),
      RuleExample(
        "the first one's session was never made, so that its events were never finished",
        .at(0, ProcessStarted(startReason: .transfer, background: true)), sessions[2], .at(0.01, delivered(images, first)),
        .at(0.02, delivered(films, second)), finished[1], .at(3, called(films, second)), .at(45, LogHeartbeatWritten())),
      RuleExample(
        "the first was not even kept, and let go before the second came",
        steps: sessions + [
          .at(0.01, delivered(images, first)),
          .at(0.011, WakeHandlerReleased(session: images, handler: first)),
          .at(0.02, delivered(films, second)),
        ] + finished + [.at(3, called(films, second)), .at(60, LogClosed())]),
      RuleExample(
        "the first is still kept when the process ends",
        steps: sessions + [
          .at(0.01, delivered(images, first)),
          .at(0.011, WakeHandlerStored(session: images, handler: first)),
          .at(0.02, delivered(films, second)),
          .at(0.021, WakeHandlerStored(session: films, handler: second)),
        ] + finished + [
          .at(3, called(films, second)), .at(4, ProcessExited(code: 0, exitReason: .returned)),
        ]),
      RuleExample(
        "neither is called, which is another problem",
        steps: sessions + [
          .at(0.01, delivered(images, first)), .at(0.02, delivered(films, second)),
        ] + finished + [.at(45, LogHeartbeatWritten())]),
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
