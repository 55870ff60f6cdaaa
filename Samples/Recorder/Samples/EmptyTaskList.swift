import XferScript

/// An app that queries its tasks when there are none, and receives an answer.
enum EmptyTaskList {
  static let sample = Sample(
    "empty-task-list", fault: "no fault: a session's tasks are queried before the first task and after the last one",
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
    RecordingError("the session reports tasks that it does not have", advice: "Check the last session.tasksAnswered in the log.")
  }
}
