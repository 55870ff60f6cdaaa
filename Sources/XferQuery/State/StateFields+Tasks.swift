import XferEvents
import XferLifecycle
import XferReplay

// The fields of tasks, deliveries, files, multipart uploads and intents.
extension StateDocument.Kind {
  static let taskFields = StateFields<TaskLifecycle>("taskFields", "One task.") { fields in
    fields.text("uid", "Identifier that the task keeps for its whole life.") { task, _ in "\(task.identity.uid)" }
    fields.text("type", "Type of the task.") { task, _ in task.type?.name }
    fields.text("intent", "Key of the app's intent.") { task, _ in task.intent }
    fields.text("method", "HTTP method.") { task, _ in task.method }
    fields.text("host", "Host of the request.") { task, _ in task.host }
    fields.text("outcome", "Outcome so far.") { task, _ in task.result.rawValue }
    fields.text("process", "Process that created the task.") { task, world in world.label(ofProcess: task.process) }
    fields.text("owner", "Process that owns the task.") { task, world in world.label(ofProcess: task.owner) }
    fields.text("carrier", "Daemon that carries the task.") { task, world in world.label(ofProcess: task.carrier) }
    addSteps(to: &fields)
    addHold(to: &fields)
    addAttempt(to: &fields)
    addEnd(to: &fields)
  }

  private static func addSteps(to fields: inout StateFields<TaskLifecycle>) {
    fields.fact("created", "Creation.") { task, _ in task.created }
    fields.fact("listed", "Last list of the daemon's tasks that contains the task.") { task, _ in task.listed }
    fields.fact("resumed", "Resume.") { task, _ in task.resumed }
    fields.fact("suspended", "Suspension, while it lasts.") { task, _ in task.suspended }
    fields.fact("adopted", "Adoption by a later process.") { task, _ in task.adopted }
    fields.fact("coalesced", "Event at which the task joined another task's transfer.") { task, _ in task.coalesced }
    fields.fact("delayAsked", "Question to the app whether a delayed request may begin.") { task, _ in task.delayAsked }
    fields.fact("cancelRequested", "Request to cancel.") { task, _ in task.cancelRequested }
    fields.text("cancelledBy", "Actor that cancelled the task.") { task, _ in task.cancelledBy?.name }
    fields.text("cancelReason", "Why the task was cancelled.") { task, _ in task.cancelReason?.name }
  }

  private static func addHold(to fields: inout StateFields<TaskLifecycle>) {
    fields.text("hold", "Why the task is held.") { task, _ in task.hold?.name }
    fields.fact("heldSince", "Beginning of the hold.") { task, _ in task.held }
    fields.text("holdHost", "Host whose connections are all in use.") { task, _ in task.held != nil ? task.holdHost : nil }
    fields.number("slotsUsed", "Number of connections in use.") { task, _ in
      task.held != nil ? task.holdTerms?.slotsUsed : nil
    }
    fields.number("slots", "Maximum number of connections.") { task, _ in task.held != nil ? task.slots : nil }
    fields.duration("holdDelay", "Length of the hold.") { task, _ in task.held != nil ? task.holdTerms?.delay : nil }
    fields.time("holdUntil", "Wall-clock time at which the hold ends.") { task, _ in
      task.held != nil ? task.holdTerms?.until : nil
    }
  }

  private static func addAttempt(to fields: inout StateFields<TaskLifecycle>) {
    fields.number("attempt", "Number of the last attempt.") { task, _ in task.attempt?.number }
    fields.number("attempts", "Number of attempts.") { task, _ in task.attemptCount }
    fields.bytes("offset", "Offset at which the attempt resumed; `null` for 0.") { task, _ in
      task.attempt.flatMap { $0.offset == 0 ? nil : $0.offset }
    }
    fields.fact("started", "Start of the attempt.") { task, _ in task.attempt?.started }
    fields.fact("connectionAcquired", "Acquisition of a connection.") { task, _ in task.attempt?.connectionAcquired }
    fields.fact("requestSent", "Event at which the request was completely sent.") { task, _ in task.attempt?.requestSent }
    fields.fact("responseReceived", "Receipt of the response's header.") { task, _ in task.attempt?.responseReceived }
    fields.number("status", "HTTP status.") { task, _ in task.status ?? task.attempt?.status }
    fields.bytes("expected", "Expected size of the body.") { task, _ in task.attempt?.expected }
    fields.bytes("received", "Bytes of the body received.") { task, _ in task.bytesReceived }
    fields.bytes("sent", "Bytes of the body sent.") { task, _ in task.bytesSent }
    fields.fact("lastByte", "Last progress.") { task, _ in task.attempt?.lastByte }
    fields.fact("networkAwaited", "Beginning of a wait for the network.") { task, _ in task.attempt?.networkAwaited }
    fields.fact("challengeOpen", "Unanswered authentication challenge.") { task, _ in task.attempt?.challengeOpen }
    fields.number("redirects", "Number of redirects; `null` for 0.") { task, _ in
      task.attempt.flatMap { $0.redirects.count == 0 ? nil : $0.redirects.count }
    }
    fields.fact("attemptEnded", "End of the attempt.") { task, _ in task.attempt?.ended }
    fields.text("attemptEnd", "How the attempt ended.") { task, _ in task.attempt?.end?.name }
    fields.text("attemptError", "Error of the attempt.") { task, _ in task.attempt?.error.map(\.text) }
    fields.duration("retryIn", "Time until the next attempt.") { task, _ in task.attempt?.retryIn }
  }

  private static func addEnd(to fields: inout StateFields<TaskLifecycle>) {
    fields.fact("transferred", "End of the transfer.") { task, _ in task.transferred }
    fields.fact("completed", "Completion.") { task, _ in task.completed }
    fields.text("error", "Error of the task.") { task, _ in task.error.map(\.text) }
    fields.fact("acknowledged", "Acknowledgement by the app's process.") { task, _ in task.acknowledged }
    fields.fact("handedOff", "Handoff to another task.") { task, _ in task.handedOff }
    fields.fact("forgotten", "Removal from the daemon's list.") { task, _ in task.forgotten }
    fields.text("forgetReason", "Why the daemon removed the task.") { task, _ in task.forgetReason?.name }
    fields.fact("processEnd", "End of the process that created the task.") { task, _ in task.processEnd }
    fields.text("appOutcome", "Outcome that the app recorded.") { task, _ in task.outcome?.name }
    fields.fact("outcomeRecorded", "Event at which the app recorded the outcome.") { task, _ in task.outcomeRecorded }
    fields.fact("appWork", "Unfinished work of the app for the task.") { task, _ in task.appWork }
    fields.number("otherDeliveries", "Number of callbacks sent, except those for the file and the completion; `null` for 0.") {
      task, _ in
      task.otherDeliveries == 0 ? nil : task.otherDeliveries
    }
    fields.number("unexpected", "Number of events in an impossible order; `null` for 0.") { task, _ in
      task.unexpected.isEmpty ? nil : task.unexpected.count
    }
  }

  // MARK: Deliveries and files

  static let deliveryFields = StateFields<DeliveryLifecycle>("deliveryFields", "A callback in flight to the app.") {
    fields in
    fields.text("callback", "The callback.") { delivery, _ in delivery.callback.name }
    fields.fact("sent", "Dispatch by the sender.") { delivery, _ in delivery.sent }
    fields.fact("received", "Arrival in the app's process.") { delivery, _ in delivery.received }
    fields.fact("entered", "Entry into the app's code.") { delivery, _ in delivery.entered }
    fields.fact("acknowledged", "Acknowledgement by the app's process.") { delivery, _ in delivery.acknowledged }
    fields.texts("lives", "Process lives in which the callback arrived.") { delivery, world in
      delivery.arrivals.compactMap { world.label(ofProcess: $0.process) }
    }
  }

  static let callbackFields = StateFields<TaskLifecycle.RunningCallback>(
    "callbackFields", "A callback that the app is executing."
  ) {
    fields in
    fields.text("callback", "The callback.") { running, _ in running.callback.name }
    fields.fact("entered", "Entry into the app's code.") { running, _ in running.entered }
  }

  static let fileFields = StateFields<FileLifecycle>("fileFields", "A downloaded file that the app has not claimed.") { fields in
    fields.fact("offered", "Offer to the app.") { file, _ in file.offered }
    fields.bytes("size", "Size of the file.") { file, _ in file.size }
    fields.fact("claimFailed", "Failure to claim the file.") { file, _ in file.claimFailed }
    fields.number("claimError", "Error number (`errno`) of the failure to claim the file.") { file, _ in file.claimError }
    fields.fact("unclaimed", "Return of the callback without a claim.") { file, _ in file.unclaimed }
  }

  // MARK: Uploads and intents

  static let uploadFields = StateFields<MultipartLifecycle>("uploadFields", "A multipart upload.") { fields in
    fields.text("task", "Task that uploads the parts.") { upload, _ in upload.task?.label }
    fields.fact("started", "Start.") { upload, _ in upload.started }
    fields.number("parts", "Number of stored parts.") { upload, _ in upload.parts }
    fields.fact("lastPart", "Storage of the last part.") { upload, _ in upload.lastPart }
    fields.fact("completed", "Completion.") { upload, _ in upload.completed }
    fields.fact("aborted", "Abort.") { upload, _ in upload.aborted }
  }

  static let intentFields = StateFields<IntentLifecycle>("intentFields", "An intent that the app declared.") { fields in
    fields.text("process", "Process that declared the intent.") { intent, world in world.label(ofProcess: intent.process) }
    fields.fact("declared", "Declaration.") { intent, _ in intent.declared }
    fields.fact("recorded", "Storage in the app's own journal.") { intent, _ in intent.recorded }
    fields.texts("steps", "Steps of the app's plan.") { intent, _ in intent.steps }
    fields.texts("tasks", "Tasks that are bound to the intent.") { intent, _ in intent.boundTasks.map(\.label) }
    fields.fact("resumed", "Resume of the first task.") { intent, _ in intent.resumed }
    fields.fact("completed", "Completion of the last task.") { intent, _ in intent.completed }
    fields.text("outcome", "Outcome that the app recorded.") { intent, _ in intent.outcome?.name }
    fields.fact("concluded", "Event at which the app recorded the outcome.") { intent, _ in intent.concluded }
  }
}

extension IntentLifecycle {
  /// The tasks that are bound to the intent.
  var boundTasks: [TaskIdentity] { bindings.filter { $0.unbound == nil }.map(\.task) }
}
