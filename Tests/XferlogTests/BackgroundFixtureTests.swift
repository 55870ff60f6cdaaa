import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Logs of common misuses of background sessions. Each misuse is reported by a replay, and its corrected twin is not.
@Suite(.timeLimit(.minutes(2))) struct BackgroundFixtureTests {
  private static let session = "com.example.img"
  private static let wake = HandlerID(3)
  private static let task = TaskIdentity(uid: TaskUID(high: 1, low: 1), session: session, number: 1)

  private typealias Step = (milliseconds: Int64, event: any TransferEvent)

  /// A process life of the app, with its number and events.
  private struct Life {
    let number: Int32
    let events: [Step]
  }

  /// Returns the findings of a replay, as `rule certainty`, or as `rule < cause` if another finding explains them.
  private static func found(in lives: [Life]) throws -> [String] {
    let directory = TemporaryDirectory()
    for life in lives {
      let log = try RecordedLog(in: directory, seed: UInt64(life.number), pid: 4000 + life.number, role: .app)
      for (milliseconds, event) in life.events { Self.emit(event, at: milliseconds, to: log) }
      log.close()
    }
    let text = try ToolRun.xferlog("replay", "-o", "json", "\(directory.path)/run.xlog").text
    let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    return document.findings.map { finding in
      guard let cause = finding.causedBy else { return "\(finding.rule) \(finding.certainty)" }
      return "\(finding.rule) < \(document.findings[cause].rule)"
    }
  }

  private static func emit(_ event: some TransferEvent, at milliseconds: Int64, to log: RecordedLog) {
    log.emit(at: milliseconds, event)
  }

  private struct Document: Decodable {
    let findings: [Finding]

    struct Finding: Decodable {
      let rule: String
      let certainty: String
      let causedBy: Int?
    }
  }

  private static func created(
    _ identifier: String = session, _ instance: UInt64 = 1, kind: SessionKind = .background, cellular: Bool? = nil
  ) -> SessionCreated {
    SessionCreated(
      session: identifier, instance: CorrelationID(instance), sessionKind: kind, delegate: CorrelationID(0xD1),
      allowsCellular: cellular)
  }

  /// All steps of a successful transfer within the app, beginning at `start` milliseconds.
  private static func transfer(_ task: TaskIdentity, at start: Int64, type: TaskType = .download, owned: Bool? = nil)
    -> [Step]
  {
    let delivery = DeliveryID(task.uid.low * 10)
    return [
      (start, TaskCreated(task: task, type: type, completion: .closure, sourceOwned: owned)),
      (start + 1, TaskResumed(task: task, by: .app)), (start + 2, AttemptStarted(task: task, attempt: 1)),
      (start + 50, AttemptEnded(task: task, attempt: 1, end: .finished, received: 10)),
      (start + 50, TaskTransferred(task: task, received: 10, status: 200)),
      (start + 51, DeliverySent(task: task, delivery: delivery, callback: .didComplete)),
      (start + 52, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
      (start + 53, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
      (start + 54, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      (start + 55, TaskCompleted(task: task, delivery: delivery, received: 10, status: 200)),
      (start + 56, TaskAcknowledged(task: task, delivery: delivery)),
    ]
  }

  // MARK: Wakes

  /// A wake whose completion handler is called too early, from the last task's completion, or after the session's events finished.
  private static func completion(isEarly: Bool) -> Life {
    let delivery = DeliveryID(7)
    let called = WakeHandlerCalled(session: session, handler: wake, onMainThread: true)
    var events: [Step] = [
      (1, created()), (10, WakeDelivered(session: session, handler: wake)), (20, TaskAdopted(task: task)),
      (30, DeliveryReceived(task: task, delivery: delivery, callback: .didComplete)),
      (31, DeliveryEntered(task: task, delivery: delivery, callback: .didComplete)),
    ]
    if isEarly { events.append((32, called)) }
    events += [
      (33, DeliveryLeft(task: task, delivery: delivery, callback: .didComplete)),
      (34, TaskCompleted(task: task, delivery: delivery, received: 10, status: 200)),
      (35, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)),
    ]
    if !isEarly { events.append((36, called)) }
    return Life(number: 1, events: events)
  }

  @Test func `Fixture 2: the wake's handler is called before the session's events finished`() throws {
    #expect(try Self.found(in: [Self.completion(isEarly: true)]) == ["completion-handler-called-too-early certain"])
    #expect(try Self.found(in: [Self.completion(isEarly: false)]) == [])
  }

  /// A life of a woken app, which creates the sessions with `identifiers` and may call the completion handler.
  private static func woken(makes identifiers: [String], callsHandler: Bool = false) -> Life {
    var events: [Step] = [(10, WakeDelivered(session: session, handler: wake))]
    for (place, identifier) in identifiers.enumerated() {
      events.append((20 + Int64(place), created(identifier, UInt64(place + 1))))
    }
    if callsHandler {
      events.append((900, SessionEventsFinished(session: session, instance: CorrelationID(1), handler: wake)))
      events.append((1000, WakeHandlerCalled(session: session, handler: wake, onMainThread: true)))
    }
    events.append((90_000, LogHeartbeatWritten()))
    return Life(number: 1, events: events)
  }

  @Test func `Fixture 3: a woken app does not recreate its session`() throws {
    #expect(
      try Self.found(in: [Self.woken(makes: [])]) == [
        "missed-completion-handler < session-not-recreated-after-relaunch", "session-not-recreated-after-relaunch certain",
      ])
    #expect(try Self.found(in: [Self.woken(makes: [Self.session], callsHandler: true)]) == [])
  }

  @Test func `A session recreated with a wrong identifier explains a missed completion handler`() throws {
    #expect(
      try Self.found(in: [Self.woken(makes: ["com.example.main"])]) == [
        "missed-completion-handler < wrong-identifier-recreated", "wrong-identifier-recreated certain",
      ])
  }

  @Test func `The fault of one wake does not explain the missed handler of another`() throws {
    let other = HandlerID(4)
    var events: [Step] = Self.woken(makes: ["com.example.films"]).events.dropLast()
    events += [
      (100, WakeDelivered(session: "com.example.films", handler: other)),
      (110, SessionEventsFinished(session: "com.example.films", instance: CorrelationID(1), handler: other)),
      (90_000, LogHeartbeatWritten()),
    ]
    let found = try Self.found(in: [Life(number: 1, events: events)])
    #expect(
      found.filter { $0.hasPrefix("missed") } == [
        "missed-completion-handler < wrong-identifier-recreated", "missed-completion-handler certain",
      ])
  }

  @Test func `Fixture 4: each launch uses a new session identifier`() throws {
    let names = ["8A6E0804-2BD0-4672-B79D-D97027F9071A", "1B4E28BA-2FA1-41D2-883F-0016D3CCA427"]
    func lives(second: String) -> [Life] {
      let task = TaskIdentity(uid: TaskUID(high: 1, low: 1), session: names[0], number: 1)
      return [
        Life(
          number: 1,
          events: [
            (1, Self.created(names[0])), (2, TaskCreated(task: task, type: .download)), (3, TaskResumed(task: task)),
            (4, ProcessExited(code: 0, exitReason: .exitCall)),
          ]),
        Life(number: 2, events: [(10_000, Self.created(second, 2)), (50_000, LogHeartbeatWritten())]),
      ]
    }
    #expect(try Self.found(in: lives(second: names[1])) == ["ephemeral-identifier certain"])
    #expect(try Self.found(in: lives(second: names[0])) == [])
  }

  // MARK: Sessions and files

  @Test func `Fixture 5: a task is created in the shared session instead of the background session`() throws {
    func life(_ session: String) -> Life {
      let task = TaskIdentity(uid: TaskUID(high: 1, low: 1), session: session, number: 1)
      let made: [Step] = [(1, Self.created("shared", 9, kind: .shared)), (100, Self.created())]
      return Life(number: 1, events: made + Self.transfer(task, at: 101) + [(70_000, LogHeartbeatWritten())] as [Step])
    }
    #expect(try Self.found(in: [life("shared")]) == ["task-on-unintended-session probable"])
    #expect(try Self.found(in: [life(Self.session)]) == [])
  }

  @Test func `Fixture 12: two sessions each have a task with the number 1`() throws {
    func life(key: String) -> Life {
      let tasks = ["films", "images"].enumerated().map { place, name in
        TaskIdentity(uid: TaskUID(high: 1, low: UInt64(place + 1)), session: name, number: 1)
      }
      var events: [Step] = [
        (1, Self.created("films", 1, kind: .default)), (1, Self.created("images", 2, kind: .default)),
      ]
      let transfers = tasks.enumerated().map { Self.transfer($1, at: 10 + Int64($0)) }
      events += transfers.flatMap { $0 }
      events += tasks.map { (12, AppIntentBound(intent: $0.session, task: $0, key: key)) }
      // A lookup by the number alone returns the last record for both tasks.
      events += tasks.map {
        (70, AppOutcomeRecorded(intent: key == "number" ? "images" : $0.session, task: $0, outcome: .success))
      }
      return Life(number: 1, events: events.sorted { $0.milliseconds < $1.milliseconds })
    }
    #expect(try Self.found(in: [life(key: "number")]) == ["task-id-collision-across-sessions certain"])
    #expect(try Self.found(in: [life(key: "session+number")]) == [])
  }

  @Test func `Fixture 13: the temporary file of an upload is never deleted`() throws {
    func lives(deletes: Bool) -> [Life] {
      var events: [Step] = [(1, Self.created())]
      events += Self.transfer(Self.task, at: 10, type: .upload, owned: true)
      if deletes { events.append((80, FileDeleted(task: Self.task, by: .app))) }
      events.append((100, ProcessExited(code: 0, exitReason: .returned)))
      return [
        Life(number: 1, events: events),
        Life(number: 2, events: [(10_000, Self.created(Self.session, 2)), (90_000, LogHeartbeatWritten())]),
      ]
    }
    #expect(try Self.found(in: lives(deletes: false)) == ["leaked-upload-temp-file probable"])
    #expect(try Self.found(in: [lives(deletes: false)[0]]) == ["leaked-upload-temp-file possible"])
    #expect(try Self.found(in: lives(deletes: true)) == [])
  }

  @Test func `Fixture 14: an unanswered task query is only a possible finding, an answered one none`() throws {
    func life(answers: Bool) -> Life {
      var events: [Step] = [
        (1, Self.created()), (2, SessionTasksQueried(session: Self.session, instance: CorrelationID(1), query: CorrelationID(5))),
      ]
      if answers {
        events.append(
          (3, SessionTasksAnswered(session: Self.session, instance: CorrelationID(1), query: CorrelationID(5), count: 0)))
      }
      events.append((30_000, LogHeartbeatWritten()))
      return Life(number: 1, events: events)
    }
    #expect(try Self.found(in: [life(answers: false)]) == ["tasks-query-unanswered possible"])
    #expect(try Self.found(in: [life(answers: true)]) == [])
  }
}
