import XferDiagnosis
import XferEvents
import XferLifecycle
import XferReplay

/// What each list of a replay document holds. Times are the wall clock's, lengths of time nanoseconds.
extension ReplayDocument {
  func write(_ process: ProcessLifecycle, to json: inout JSONText) {
    json.beginObject()
    json.member("launch", process.launch.map { "\($0)" })
    json.member("role", process.role?.name)
    json.member("pid", process.pid)
    json.member("boot", process.boot.map { "\($0)" })
    json.member("executable", process.executable)
    json.member("started", process.started ?? process.firstSeen)
    json.member("ended", process.endFact)
    json.member("end", process.end.rawValue)
    json.member("code", process.exitCode)
    json.member("signal", process.exitSignal)
    json.member("startReason", process.startReason?.name)
    json.endObject()
  }

  func write(_ session: Session, _ world: World, to json: inout JSONText) {
    json.beginObject()
    json.member("identifier", session.identifier)
    json.member("kind", session.kind?.name)
    json.array("incarnations", session.incarnations) { incarnation, json in
      json.beginObject()
      json.member("launch", world.processes[incarnation.process].launch.map { "\($0)" })
      json.member("created", incarnation.created)
      json.member("connected", incarnation.connected)
      json.member("invalidated", incarnation.invalidated)
      json.endObject()
    }
    json.endObject()
  }

  static func write(_ task: TaskLifecycle, _ world: World, to json: inout JSONText) {
    json.beginObject()
    json.member("uid", "\(task.identity.uid)")
    json.member("session", task.identity.session)
    json.member("number", task.identity.number)
    json.member("type", task.type?.name)
    json.member("state", task.state.rawValue)
    json.member("outcome", task.result.rawValue)
    json.member("http", task.status)
    json.key("error")
    if let error = task.error {
      json.beginObject()
      json.member("domain", error.domain?.name)
      json.member("number", error.number)
      json.member("name", error.name)
      json.endObject()
    } else {
      json.null()
    }
    json.member("attempts", task.attemptCount)
    json.member("bytes", task.bytesReceived)
    json.object("timing") { json in
      for stage in TaskLifecycle.Stage.allCases {
        json.key(stage.rawValue)
        if let time = task.duration(of: stage) { json.integer(time.nanoseconds) } else { json.null() }
      }
    }
    json.array("deliveries", [task.fileDelivery, task.completionDelivery].compactMap { $0 }) { write($0, world, to: &$1) }
    json.member("otherDeliveries", task.otherDeliveries)
    json.member("unexpected", task.unexpected.count)
    json.endObject()
  }

  private static func write(_ delivery: DeliveryLifecycle, _ world: World, to json: inout JSONText) {
    json.beginObject()
    json.member("id", "\(delivery.id.rawValue)")
    json.member("kind", delivery.callback.name)
    json.member("sent", delivery.sent)
    json.member("received", delivery.received)
    json.member("entered", delivery.entered)
    json.member("left", delivery.left)
    json.member("acknowledged", delivery.acknowledged)
    // What was not acknowledged comes again, in this life or the next.
    json.array("lives", delivery.arrivals) { arrival, json in
      json.beginObject()
      json.member("launch", world.processes[arrival.process].launch.map { "\($0)" })
      json.member("received", arrival.received)
      json.member("entered", arrival.entered)
      json.member("left", arrival.left)
      json.endObject()
    }
    json.endObject()
  }

  func write(_ wake: WakeLifecycle, _ world: World, to json: inout JSONText) {
    let process = (wake.process ?? wake.launchedProcess).map { world.processes[$0] }
    json.beginObject()
    json.member("handler", "\(wake.handler.rawValue)")
    json.member("session", wake.session)
    json.member("launch", process?.launch.map { "\($0)" })
    json.member("wanted", wake.wanted)
    json.member("launched", wake.launched)
    json.member("delivered", wake.delivered)
    json.member("stored", wake.stored)
    json.member("eventsFinished", wake.eventsFinished)
    json.member("called", wake.called)
    json.member("released", wake.released)
    json.member("thread", wake.calledOnMainThread.map { $0 ? "main" : "other" })
    json.member("outcome", wake.result(processEnded: process?.endFact != nil).rawValue)
    json.endObject()
  }

  func write(_ entry: Undecided, to json: inout JSONText) {
    json.beginObject()
    json.member("rule", entry.rule)
    json.member("count", entry.count)
    json.member("needs", entry.needs)
    json.endObject()
  }
}

extension ReplayDocument.Input {
  func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.member("path", path)
    json.member("format", format)
    json.member("events", events)
    json.member("unmodelled", unmodelled)
    json.member("damaged", damaged)
    json.member("missing", missing)
    json.member("complete", complete)
    json.member("error", error)
    json.endObject()
  }
}
