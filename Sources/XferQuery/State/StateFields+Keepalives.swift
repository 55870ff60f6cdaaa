import XferEvents
import XferLifecycle
import XferReplay

// The fields of background time, dead man's switches, heartbeats and handoffs.
extension StateDocument.Kind {
  static let assertionFields = StateFields<AssertionLifecycle>("assertionFields", "A request for background time.") { fields in
    fields.text("process", "Process that made the request.") { assertion, world in world.label(ofProcess: assertion.process) }
    fields.text("slot", "Variable in which the app keeps the identifier.") { assertion, _ in assertion.slot }
    fields.fact("begun", "Beginning of the background time.") { assertion, _ in assertion.begun }
    fields.fact("expired", "Expiration.") { assertion, _ in assertion.expired }
    fields.fact("ended", "End by the app.") { assertion, _ in assertion.ended }
    fields.fact("overwritten", "Overwriting of the stored identifier.") { assertion, _ in assertion.overwritten }
  }

  static let alarmFields = StateFields<AlarmLifecycle>("alarmFields", "A dead man's switch.") { fields in
    fields.text("process", "Process that armed the switch.") { alarm, world in world.label(ofProcess: alarm.process) }
    fields.duration("interval", "Interval within which the app has to check in.") { alarm, _ in alarm.interval }
    fields.fact("armed", "Arming.") { alarm, _ in alarm.armed }
    fields.fact("checked", "Last check-in.") { alarm, _ in alarm.checked }
    fields.fact("fired", "Firing.") { alarm, _ in alarm.fired }
    fields.fact("answered", "First event of the app after the firing.") { alarm, _ in alarm.answered }
    fields.fact("disarmed", "Disarming.") { alarm, _ in alarm.disarmed }
  }

  static let beatFields = StateFields<BeatLifecycle>("beatFields", "A heartbeat that the app sends periodically.") { fields in
    fields.text("process", "Process that sends the heartbeat.") { beat, world in world.label(ofProcess: beat.process) }
    fields.duration("interval", "Interval between two heartbeats.") { beat, _ in beat.interval }
    fields.fact("expected", "Announcement of the heartbeats.") { beat, _ in beat.expected }
    fields.fact("last", "Last heartbeat.") { beat, _ in beat.last }
    fields.fact("missedSince", "Last heartbeat before the first missed one.") { beat, _ in beat.missed?.since }
  }

  static let handoffFields = StateFields<HandoffLifecycle>("handoffFields", "A handoff of a transfer to another task.") {
    fields in
    fields.text("from", "First task.") { handoff, _ in handoff.first.label }
    fields.text("to", "Successor.") { handoff, _ in handoff.successor?.label }
    fields.text("intent", "Key of the app's intent.") { handoff, _ in handoff.intent }
    fields.fact("cancelled", "Cancellation of the first task.") { handoff, _ in handoff.cancelled }
    fields.fact("announced", "Announcement of the handoff.") { handoff, _ in handoff.announced }
    fields.fact("stopped", "Suspension of the app before the successor was created.") { handoff, _ in handoff.stopped }
    fields.fact("successorCreated", "Creation of the successor.") { handoff, _ in handoff.successorCreated }
    fields.flag("goesOn", "Whether the successor continues where the first task stopped.") { handoff, _ in handoff.goesOn }
    fields.bytes("bytes", "Bytes that the first task had transferred.") { handoff, _ in handoff.bytes }
    fields.fact("firstCompleted", "Completion of the first task.") { handoff, _ in handoff.firstCompleted }
    fields.fact("successorSucceeded", "Success of the successor.") { handoff, _ in handoff.successorSucceeded }
  }
}
