import XferEvents
import XferLifecycle
import XferReplay

// The fields of sessions, wakes and launch triggers.
extension StateDocument.Kind {
  static let sessionFields = StateFields<SessionLifecycle>("sessionFields", "One session object.") { fields in
    fields.text("kind", "Kind of the session.") { session, _ in session.kind?.name }
    fields.text("process", "Process that created the session object.") { session, world in world.label(ofProcess: session.process)
    }
    fields.text("instance", "Identifier of the session object.") { session, _ in session.instance.map { "\($0.rawValue)" } }
    fields.fact("created", "Creation.") { session, _ in session.created }
    fields.fact("connectStarted", "First attempt to connect to the daemon.") { session, _ in session.firstConnectTry }
    fields.fact("connected", "Connection to the daemon.") { session, _ in session.connected }
    fields.fact("connectFailed", "Last failure to connect.") { session, _ in session.connectFailed }
    fields.fact("reused", "Request for another session object with the same identifier.") { session, _ in session.reused }
    fields.fact("eventsFinished", "End of the session's background events.") { session, _ in session.eventsFinished }
    fields.fact("tasksQueried", "Unanswered query for the session's tasks.") { session, _ in session.openQuery }
    fields.fact("invalidationRequested", "Request to invalidate the session.") { session, _ in session.invalidationRequested }
    fields.fact("invalidated", "Invalidation.") { session, _ in session.invalidated }
    fields.fact("released", "Release of the session object.") { session, _ in session.released }
    fields.duration("requestTimeout", "Maximum time without progress in a request.") { session, _ in session.requestTimeout }
    fields.duration("resourceTimeout", "Timeout of a whole transfer.") { session, _ in session.resourceTimeout }
    fields.text("timeoutOrigin", "Moment from which timeouts are counted.") { session, _ in session.timeoutOrigin?.name }
    fields.flag("discretionary", "Whether the system chooses when to transfer.") { session, _ in session.discretionary }
    fields.flag("sendsLaunchEvents", "Whether the app is launched for the session's events.") { session, _ in
      session.sendsLaunchEvents
    }
  }

  static let wakeFields = StateFields<WakeLifecycle>("wakeFields", "One wake of an app.") { fields in
    fields.text("process", "Process life that was woken.") { wake, world in
      world.label(ofProcess: wake.process ?? wake.launchedProcess)
    }
    fields.text("cause", "Why the app is woken.") { wake, _ in wake.cause?.name }
    fields.number("pending", "Number of deliveries waiting for the app.") { wake, _ in wake.pending }
    fields.fact("wanted", "Decision to wake the app.") { wake, _ in wake.wanted }
    fields.fact("held", "Delay of the wake.") { wake, _ in wake.held }
    fields.text("hold", "Why the wake was delayed.") { wake, _ in wake.hold?.name }
    fields.duration("holdDelay", "Length of the delay.") { wake, _ in wake.holdDelay }
    fields.fact("launched", "Launch of the app.") { wake, _ in wake.launched }
    fields.fact("delivered", "Delivery of the wake to the app.") { wake, _ in wake.delivered }
    fields.fact("stored", "Storage of the completion handler.") { wake, _ in wake.stored }
    fields.text("slot", "Variable in which the app keeps the completion handler.") { wake, _ in wake.slot }
    fields.duration("budget", "Time within which the completion handler has to be called.") { wake, _ in wake.budget }
    fields.fact("eventsFinished", "End of the session's background events.") { wake, _ in wake.eventsFinished }
    fields.fact("called", "First call of the completion handler.") { wake, _ in wake.called }
    fields.number("calls", "Number of calls of the completion handler.") { wake, _ in wake.calls }
    fields.flag("onMainThread", "Whether the completion handler was called on the main thread.") { wake, _ in
      wake.calledOnMainThread
    }
    fields.fact("deadlinePassed", "Event at which the deadline for the call passed.") { wake, _ in wake.deadlinePassed }
    fields.fact("released", "Release of the completion handler without a call.") { wake, _ in wake.released }
  }

  static let triggerFields = StateFields<TriggerLifecycle>("triggerFields", "One launch trigger.") { fields in
    fields.text("process", "Process that armed the trigger.") { trigger, world in world.label(ofProcess: trigger.process) }
    fields.fact("armed", "Arming.") { trigger, _ in trigger.armed }
    fields.fact("fired", "Firing.") { trigger, _ in trigger.fired }
  }
}
