import XferEvents
import XferLifecycle
import XferReplay

extension World {
  func entity(_ task: TaskLifecycle) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("uid", "\(task.identity.uid)")
    fields.add("type", task.type?.name)
    fields.add("intent", task.intent)
    fields.add("method", task.method)
    fields.add("host", task.host)
    fields.add("outcome", task.result.rawValue)
    fields.add("process", label(ofProcess: task.process))
    fields.add("owner", label(ofProcess: task.owner))
    fields.add("carrier", label(ofProcess: task.carrier))
    addSteps(task, to: &fields)
    addHold(task, to: &fields)
    addAttempt(task, to: &fields)
    addEnd(task, to: &fields)
    let isOver = task.result != .open || task.acknowledged != nil || task.forgotten != nil
    return fields.entity(
      id: "\(task.identity.uid)", name: task.identity.label, state: standing(of: task), isOver: isOver,
      session: task.identity.session, tasks: [task.identity])
  }

  private func standing(of task: TaskLifecycle) -> String {
    if task.forgotten != nil, task.completed == nil { return "forgotten" }
    if task.completed == nil, task.result == .lost { return "lost with its process" }
    switch task.state {
    case .held:
      guard let hold = task.hold else { return "held" }
      return "held: \(hold.name)"
    case .running: return task.attempt.map { standing(of: $0) } ?? "shares a transfer"
    case .completed, .acknowledged: return "\(task.state.rawValue), \(task.result.rawValue)"
    case .created, .queued, .suspended, .transferred, .delivered: return task.state.rawValue
    }
  }

  private func standing(of attempt: AttemptLifecycle) -> String {
    if attempt.ended != nil { return "between attempts" }
    if attempt.challengeOpen != nil { return "challenged" }
    if attempt.networkAwaited != nil { return "waits for the network" }
    if attempt.responseReceived != nil { return "receiving" }
    if attempt.requestSent != nil { return "request sent" }
    return attempt.connectionAcquired == nil ? "connecting" : "connected"
  }

  private func addSteps(_ task: TaskLifecycle, to fields: inout StateFields) {
    fields.add("created", task.created)
    fields.add("listed", task.listed)
    fields.add("resumed", task.resumed)
    fields.add("suspended", task.suspended)
    fields.add("adopted", task.adopted)
    fields.add("coalesced", task.coalesced)
    fields.add("delayAsked", task.delayAsked)
    fields.add("cancelRequested", task.cancelRequested)
    fields.add("cancelledBy", task.cancelledBy?.name)
    fields.add("cancelReason", task.cancelReason?.name)
  }

  private func addHold(_ task: TaskLifecycle, to fields: inout StateFields) {
    let isHeld = task.held != nil
    fields.add("hold", task.hold?.name)
    fields.add("heldSince", task.held)
    fields.add("holdHost", isHeld ? task.holdHost : nil)
    fields.add("slotsUsed", isHeld ? task.holdTerms?.slotsUsed : nil)
    fields.add("slots", isHeld ? task.slots : nil)
    fields.add("holdDelay", isHeld ? task.holdTerms?.delay : nil)
    fields.add("holdUntil", isHeld ? task.holdTerms?.until.map { .time($0) } : nil)
  }

  private func addAttempt(_ task: TaskLifecycle, to fields: inout StateFields) {
    let attempt = task.attempt
    fields.add("attempt", attempt?.number)
    fields.add("attempts", task.attemptCount)
    fields.add("offset", bytes: attempt.flatMap { $0.offset == 0 ? nil : $0.offset })
    fields.add("started", attempt?.started)
    fields.add("connectionAcquired", attempt?.connectionAcquired)
    fields.add("requestSent", attempt?.requestSent)
    fields.add("responseReceived", attempt?.responseReceived)
    fields.add("status", task.status ?? attempt?.status)
    fields.add("expected", bytes: attempt?.expected)
    fields.add("received", bytes: task.bytesReceived)
    fields.add("sent", bytes: task.bytesSent)
    fields.add("lastByte", attempt?.lastByte)
    fields.add("networkAwaited", attempt?.networkAwaited)
    fields.add("challengeOpen", attempt?.challengeOpen)
    fields.add("redirects", attempt.flatMap { $0.redirects.count == 0 ? nil : $0.redirects.count })
    fields.add("attemptEnded", attempt?.ended)
    fields.add("attemptEnd", attempt?.end?.name)
    fields.add("attemptError", attempt?.error.map(\.text))
    fields.add("retryIn", attempt?.retryIn)
  }

  private func addEnd(_ task: TaskLifecycle, to fields: inout StateFields) {
    fields.add("transferred", task.transferred)
    fields.add("completed", task.completed)
    fields.add("error", task.error.map(\.text))
    fields.add("acknowledged", task.acknowledged)
    fields.add("handedOff", task.handedOff)
    fields.add("forgotten", task.forgotten)
    fields.add("forgetReason", task.forgetReason?.name)
    fields.add("processEnd", task.processEnd)
    fields.add("appOutcome", task.outcome?.name)
    fields.add("outcomeRecorded", task.outcomeRecorded)
    fields.add("appWork", task.appWork)
    fields.add("otherDeliveries", task.otherDeliveries == 0 ? nil : task.otherDeliveries)
    fields.add("unexpected", task.unexpected.isEmpty ? nil : task.unexpected.count)
  }

  // MARK: What is on its way to the app

  func deliveries(of task: TaskLifecycle) -> [StateDocument.Entity] {
    var found = [task.fileDelivery, task.completionDelivery].compactMap { $0 }.filter { $0.left == nil && $0.dropped == nil }
      .map { entity($0, of: task) }
    if let running = task.runningCallback, !found.contains(where: { $0.id == id(running.delivery, task) }) {
      var fields = StateFields()
      fields.add("callback", running.callback.name)
      fields.add("entered", running.entered)
      found.append(entity(fields, running.delivery, running.callback, "entered", of: task))
    }
    return found
  }

  private func entity(_ delivery: DeliveryLifecycle, of task: TaskLifecycle) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("callback", delivery.callback.name)
    fields.add("sent", delivery.sent)
    fields.add("received", delivery.received)
    fields.add("entered", delivery.entered)
    fields.add("acknowledged", delivery.acknowledged)
    fields.add("lives", delivery.arrivals.compactMap { label(ofProcess: $0.process) })
    let stage = delivery.entered != nil ? "entered" : delivery.received != nil ? "received" : "sent"
    return entity(fields, delivery.id, delivery.callback, stage, of: task)
  }

  private func entity(
    _ fields: StateFields, _ delivery: DeliveryID, _ callback: Callback, _ stage: String, of task: TaskLifecycle
  ) -> StateDocument.Entity {
    fields.entity(
      id: id(delivery, task), name: "\(callback.name) of \(task.identity.label)", state: stage, session: task.identity.session,
      tasks: [task.identity])
  }

  private func id(_ delivery: DeliveryID, _ task: TaskLifecycle) -> String { "\(delivery.rawValue) \(task.identity.uid)" }

  func file(of task: TaskLifecycle) -> StateDocument.Entity? {
    let file = task.file
    guard let offered = file.offered, file.claimed == nil, file.reaped == nil, file.deleted == nil else { return nil }
    var fields = StateFields()
    fields.add("offered", offered)
    fields.add("size", bytes: file.size)
    fields.add("claimFailed", file.claimFailed)
    fields.add("claimError", file.claimError)
    fields.add("unclaimed", file.unclaimed)
    return fields.entity(
      id: "\(task.identity.uid)", name: "file of \(task.identity.label)", state: file.unclaimed == nil ? "offered" : "unclaimed",
      session: task.identity.session, tasks: [task.identity])
  }

  func entity(_ upload: MultipartLifecycle, id: String) -> StateDocument.Entity {
    var fields = StateFields()
    fields.add("task", upload.task?.label)
    fields.add("started", upload.started)
    fields.add("parts", upload.parts)
    fields.add("lastPart", upload.lastPart)
    fields.add("completed", upload.completed)
    fields.add("aborted", upload.aborted)
    let state = upload.completed != nil ? "completed" : upload.aborted != nil ? "aborted" : "open"
    return fields.entity(
      id: id, name: "upload \(upload.id.rawValue)", state: state, isOver: !upload.isOpen, session: upload.task?.session,
      tasks: upload.task.map { [$0] } ?? [])
  }

  func entity(_ intent: IntentLifecycle, id: String) -> StateDocument.Entity {
    let bound = intent.bindings.filter { $0.unbound == nil }.map(\.task)
    var fields = StateFields()
    fields.add("process", label(ofProcess: intent.process))
    fields.add("declared", intent.declared)
    fields.add("recorded", intent.recorded)
    fields.add("steps", intent.steps)
    fields.add("tasks", bound.map(\.label))
    fields.add("resumed", intent.resumed)
    fields.add("completed", intent.completed)
    fields.add("outcome", intent.outcome?.name)
    fields.add("concluded", intent.concluded)
    let state = intent.outcome?.name ?? (bound.isEmpty ? "open, without a task" : "open")
    return fields.entity(
      id: id, name: intent.key, state: state, isOver: !intent.isOpen, session: bound.first?.session, tasks: bound)
  }

  // MARK: What keeps an app heard of

  func assertion(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .assertion(let assertion) = keepalive else { return nil }
    var fields = StateFields()
    fields.add("process", label(ofProcess: assertion.process))
    fields.add("slot", assertion.slot)
    fields.add("begun", assertion.begun)
    fields.add("expired", assertion.expired)
    fields.add("ended", assertion.ended)
    fields.add("overwritten", assertion.overwritten)
    let state = assertion.ended != nil ? "ended" : assertion.expired != nil ? "expired" : "open"
    return fields.entity(
      id: "\(place)", name: assertion.text, state: state,
      isOver: assertion.ended != nil || processes[assertion.process].endFact != nil)
  }

  func alarm(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .alarm(let alarm) = keepalive else { return nil }
    var fields = StateFields()
    fields.add("process", label(ofProcess: alarm.process))
    fields.add("interval", alarm.interval)
    fields.add("armed", alarm.armed)
    fields.add("checked", alarm.checked)
    fields.add("fired", alarm.fired)
    fields.add("answered", alarm.answered)
    fields.add("disarmed", alarm.disarmed)
    let state = alarm.disarmed != nil ? "disarmed" : alarm.fired != nil ? "rung" : "armed"
    return fields.entity(id: "\(place)", name: alarm.text, state: state, isOver: alarm.disarmed != nil || alarm.answered != nil)
  }

  func beat(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .beat(let beat) = keepalive else { return nil }
    var fields = StateFields()
    fields.add("process", label(ofProcess: beat.process))
    fields.add("interval", beat.interval)
    fields.add("expected", beat.expected)
    fields.add("last", beat.last)
    fields.add("missedSince", beat.missed?.since)
    let isExpected = beat.expected != nil
    return fields.entity(
      id: "\(place)", name: beat.name, state: isExpected ? "expected" : "not expected",
      isOver: !isExpected || processes[beat.process].endFact != nil)
  }

  func handoff(_ keepalive: Keepalive, at place: Int) -> StateDocument.Entity? {
    guard case .handoff(let handoff) = keepalive else { return nil }
    var fields = StateFields()
    fields.add("from", handoff.first.label)
    fields.add("to", handoff.successor?.label)
    fields.add("intent", handoff.intent)
    fields.add("cancelled", handoff.cancelled)
    fields.add("announced", handoff.announced)
    fields.add("stopped", handoff.stopped)
    fields.add("successorCreated", handoff.successorCreated)
    fields.add("goesOn", handoff.goesOn)
    fields.add("bytes", bytes: handoff.bytes)
    fields.add("firstCompleted", handoff.firstCompleted)
    fields.add("successorSucceeded", handoff.successorSucceeded)
    let state = handoff.successorCreated != nil ? "gone over" : handoff.announced != nil ? "announced" : "waits for its task"
    return fields.entity(
      id: "\(place)", name: "\(handoff.first.label) → \(handoff.successor?.label ?? "?")", state: state,
      isOver: handoff.successorSucceeded != nil || handoff.firstSucceeded != nil || handoff.isGivenUp,
      session: handoff.first.session, tasks: [handoff.first] + (handoff.successor.map { [$0] } ?? []))
  }
}

extension TaskLifecycle.ErrorFacts {
  /// `curl 28 (operationTimedOut)`.
  package var text: String {
    let number = "\(domain.map { "\($0.name) " } ?? "")\(self.number)"
    return name.map { "\($0) (\(number))" } ?? number
  }
}
