import ArgumentParser

/// Common programming errors with background transfers. Without any of them, Kettle behaves correctly.
enum WrongWay: String, CaseIterable, ExpressibleByArgument {
  /// The app does not store the completion handler, so it is never called.
  case neverCallHandler = "never-call-handler"
  /// The app calls the completion handler in `didCompleteWithError`, on the delegate's queue.
  case callHandlerInCompletion = "call-handler-in-completion"
  /// The app creates the session only when a view is shown, which a background launch does not do.
  case sessionInView = "session-in-view"
  /// The app uses a new session identifier in each launch.
  case freshIdentifier = "fresh-identifier"
  /// The app has a background session but starts the task in another session.
  case otherSession = "other-session"
  /// The app treats every response without an error as the file.
  case ignoreStatus = "ignore-status"
  /// The app crashes when a file cannot be moved.
  case forceMove = "force-move"
  /// The app moves the file after the callback has returned.
  case moveLater = "move-later"
  /// The app reads the resume data right after requesting it, before the handler has received it.
  case readEarly = "read-early"
  /// The app does not end its expired background task.
  case neverEnd = "never-end"
  /// The app ends its background task before the transfer is handed over.
  case endFirst = "end-first"
  /// The app identifies tasks of two sessions by their numbers only.
  case numberAlone = "number-alone"
  /// The app does not delete the temporary file after the upload.
  case keepSource = "keep-source"
  /// The app checks the dead-man switch only after it has fired.
  case lookLate = "look-late"
  /// The app counts the time in the queue towards the request timeout.
  case countQueue = "count-queue"
}
