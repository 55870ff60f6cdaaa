import ArgumentParser

/// What apps do wrong with background transfers, one defect each; without one Kettle does it right.
enum WrongWay: String, CaseIterable, ExpressibleByArgument {
  /// The hook does not keep the completion handler, and nobody calls it.
  case neverCallHandler = "never-call-handler"
  /// The handler is called from `didCompleteWithError`, on the delegate's queue.
  case callHandlerInCompletion = "call-handler-in-completion"
  /// The session is made where the user looks at the app, and nobody looks.
  case sessionInView = "session-in-view"
  /// Each life has an identifier of its own.
  case freshIdentifier = "fresh-identifier"
  /// There is a background session, and the task is another one's.
  case otherSession = "other-session"
  /// Whatever comes without an error is the file.
  case ignoreStatus = "ignore-status"
  /// A file that cannot be moved ends the app.
  case forceMove = "force-move"
  /// The file is moved when the callback has returned.
  case moveLater = "move-later"
  /// Resume data is looked at right after it was asked for, and is not there yet.
  case readEarly = "read-early"
  /// Background time that has run out is not given back.
  case neverEnd = "never-end"
  /// Background time is given back before the transfer has been handed over.
  case endFirst = "end-first"
  /// Tasks of two sessions are told apart by their numbers.
  case numberAlone = "number-alone"
  /// A file that was made to be sent stays when it has been sent.
  case keepSource = "keep-source"
  /// The dead-man switch is looked at when it has rung.
  case lookLate = "look-late"
  /// The time for a request runs while it waits for its turn.
  case countQueue = "count-queue"
}
