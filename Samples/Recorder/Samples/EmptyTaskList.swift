import XferScript

/// The app asks for its tasks when there are none, and is answered all the same.
enum EmptyTaskList {
  static let sample = Sample(
    "empty-task-list", fault: "no fault: a session is asked for its tasks before it has any, and after they have ended",
    .lives(
      [ServerScript.Route("/inbox/{n}", .body(2_000, type: "message/rfc822"))],
      [
        .whole { app in
          try app.session("inbox") { session in
            guard session.countTasks() == 0 else { throw unexpected }
            try session.fetch([Wish("letter-1", at: "/inbox/1")])
            guard session.countTasks() == 0 else { throw unexpected }
          }
        }
      ]))

  private static var unexpected: RecordingError {
    RecordingError("the session names tasks that it does not have", advice: "Look at the last session.tasksAnswered of the log.")
  }
}
