import XferEvents
import XferLifecycle
import XferReplay

extension World {
  private typealias Kind = StateDocument.Kind

  func entity(_ task: TaskLifecycle) -> StateDocument.Entity {
    let isOver = task.result != .open || task.acknowledged != nil || task.forgotten != nil
    return entity(
      Kind.taskFields, task, id: "\(task.identity.uid)", name: task.identity.label, state: standing(of: task), isOver: isOver,
      session: task.identity.session, tasks: [task.identity])
  }

  private func standing(of task: TaskLifecycle) -> String {
    if task.forgotten != nil, task.completed == nil { return "forgotten" }
    if task.completed == nil, task.result == .lost { return "lost with its process" }
    if task.result == .resumed { return "lost with its process, resumed later" }
    switch task.state {
    case .held:
      guard let hold = task.hold else { return "held" }
      return "held: \(hold.name)"
    case .running: return task.attempt.map { standing(of: $0) } ?? "sharing a transfer"
    case .completed, .acknowledged: return "\(task.state.rawValue), \(task.result.rawValue)"
    case .created, .queued, .suspended, .transferred, .failed, .cancelled, .delivered: return task.state.rawValue
    }
  }

  private func standing(of attempt: AttemptLifecycle) -> String {
    if attempt.ended != nil { return "waiting to retry" }
    if attempt.challengeOpen != nil { return "challenged" }
    if attempt.networkAwaited != nil { return "waiting for the network" }
    if attempt.responseReceived != nil { return "receiving" }
    if attempt.requestSent != nil { return "request sent" }
    return attempt.connectionAcquired == nil ? "connecting" : "connected"
  }

  // MARK: Deliveries, files, uploads and intents

  func deliveries(of task: TaskLifecycle) -> [StateDocument.Entity] {
    var found = [task.fileDelivery, task.completionDelivery].compactMap { $0 }.filter { $0.left == nil && $0.dropped == nil }
      .map { entity($0, of: task) }
    if let running = task.runningCallback, !found.contains(where: { $0.id == id(running.delivery, task) }) {
      found.append(entity(Kind.callbackFields, running, running.delivery, running.callback, "entered", of: task))
    }
    return found
  }

  private func entity(_ delivery: DeliveryLifecycle, of task: TaskLifecycle) -> StateDocument.Entity {
    let stage = delivery.entered != nil ? "entered" : delivery.received != nil ? "received" : "sent"
    return entity(Kind.deliveryFields, delivery, delivery.id, delivery.callback, stage, of: task)
  }

  private func entity<Subject>(
    _ fields: StateFields<Subject>, _ subject: Subject, _ delivery: DeliveryID, _ callback: Callback, _ stage: String,
    of task: TaskLifecycle
  ) -> StateDocument.Entity {
    entity(
      fields, subject, id: id(delivery, task), name: "\(callback.name) of \(task.identity.label)", state: stage,
      session: task.identity.session,
      tasks: [task.identity])
  }

  private func id(_ delivery: DeliveryID, _ task: TaskLifecycle) -> String { "\(delivery.rawValue) \(task.identity.uid)" }

  func file(of task: TaskLifecycle) -> StateDocument.Entity? {
    let file = task.file
    guard file.offered != nil, file.claimed == nil, file.reaped == nil, file.deleted == nil else { return nil }
    return entity(
      Kind.fileFields, file, id: "\(task.identity.uid)", name: "file of \(task.identity.label)",
      state: file.unclaimed == nil ? "offered" : "unclaimed",
      session: task.identity.session, tasks: [task.identity])
  }

  func entity(_ upload: MultipartLifecycle, id: String) -> StateDocument.Entity {
    let state = upload.completed != nil ? "completed" : upload.aborted != nil ? "aborted" : "open"
    return entity(
      Kind.uploadFields, upload, id: id, name: "upload \(upload.id.rawValue)", state: state, isOver: !upload.isOpen,
      session: upload.task?.session,
      tasks: upload.task.map { [$0] } ?? [])
  }

  func entity(_ intent: IntentLifecycle, id: String) -> StateDocument.Entity {
    let bound = intent.boundTasks
    let state = intent.outcome?.name ?? (bound.isEmpty ? "open, without a task" : "open")
    return entity(
      Kind.intentFields, intent, id: id, name: intent.key, state: state, isOver: !intent.isOpen, session: bound.first?.session,
      tasks: bound)
  }

  // MARK: Background time, alarms, beats and handoffs

  func assertion(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .assertion(let assertion) = keepalive else { return nil }
    let state = assertion.ended != nil ? "ended" : assertion.expired != nil ? "expired" : "open"
    return entity(
      Kind.assertionFields, assertion, id: "\(place)", name: assertion.text, state: state,
      isOver: assertion.ended != nil || processes[assertion.process].endFact != nil)
  }

  func alarm(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .alarm(let alarm) = keepalive else { return nil }
    let state = alarm.disarmed != nil ? "disarmed" : alarm.fired != nil ? "fired" : "armed"
    return entity(
      Kind.alarmFields, alarm, id: "\(place)", name: alarm.text, state: state,
      isOver: alarm.disarmed != nil || alarm.answered != nil)
  }

  func beat(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .beat(let beat) = keepalive else { return nil }
    let isExpected = beat.expected != nil
    return entity(
      Kind.beatFields, beat, id: "\(place)", name: beat.name, state: isExpected ? "expected" : "not expected",
      isOver: !isExpected || processes[beat.process].endFact != nil)
  }

  func handoff(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .handoff(let handoff) = keepalive else { return nil }
    let state =
      handoff.successorCreated != nil ? "handed over" : handoff.announced != nil ? "announced" : "waiting for a successor"
    return entity(
      Kind.handoffFields, handoff, id: "\(place)", name: "\(handoff.first.label) → \(handoff.successor?.label ?? "?")",
      state: state,
      isOver: handoff.successorSucceeded != nil || handoff.firstSucceeded != nil || handoff.isGivenUp,
      session: handoff.first.session, tasks: [handoff.first] + (handoff.successor.map { [$0] } ?? []))
  }
}

extension TaskLifecycle.ErrorFacts {
  /// A description of the error, such as `operationTimedOut (curl 28)`.
  package var text: String {
    // Importers write -1 for an error that has only a name.
    if domain == .other, number == -1, let name { return name }
    let number = "\(domain.map { "\($0.name) " } ?? "")\(self.number)"
    return name.map { "\($0) (\(number))" } ?? number
  }
}
