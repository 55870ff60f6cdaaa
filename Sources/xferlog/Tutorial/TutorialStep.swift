/// One step of the tutorial: what to learn, and a command to run on the bundled samples.
struct TutorialStep: Sendable {
  let title: String
  let text: String
  /// The arguments of `xferlog`. Logs are named relative to the directory of the samples.
  let arguments: [String]

  static let all = [
    TutorialStep(
      title: "A log is a list of events",
      text: """
        Programs write one event for everything that happens to a session or a transfer. `show` prints them in order: the time, the \
        level, the task as SESSION/NUMBER, the event and its message. -n 8 prints only the last eight.
        """,
      arguments: ["show", "clean-run/log.xlog", "-n", "8"]),
    TutorialStep(
      title: "Replay rebuilds what happened",
      text: """
        `replay` rebuilds all sessions and tasks from the events and checks them against every rule. In this log everything went \
        well, so the verdict is clean and the exit code 0. A CI job can rely on the exit code.
        """,
      arguments: ["replay", "clean-run/log.xlog"]),
    TutorialStep(
      title: "A lost completion",
      text: """
        The app of this log was killed after the last byte of a download had arrived, but before the app was notified. For the \
        server and the network the transfer succeeded, but the app never received its completion. `replay` reports the fault \
        with the events that prove it, the event that is missing, and a remedy. The exit code is 1.
        """,
      arguments: ["replay", "killed-before-delivery/log.xlog"]),
    TutorialStep(
      title: "Why did this task end like that?",
      text: """
        `why` explains one task: the shortest chain of events that led to its end, and the stages of the delivery up to the first \
        missing one. For a task that waits, it names the condition that blocks it.
        """,
      arguments: ["why", "maps/2", "killed-before-delivery/log.xlog"]),
    TutorialStep(
      title: "Every rule explains itself",
      text: """
        A finding names its rule. `rules explain` says what causes the fault, what to do, and which limits the rule has. \
        `rules list` lists all rules.
        """,
      arguments: ["rules", "explain", "lost-completion"]),
    TutorialStep(
      title: "Ask your own questions",
      text: """
        `query` selects events with a condition, and computes figures from them in stages that begin with |. This query lists \
        the tasks that were lost. `xferlog query --list-fields` lists the fields.
        """,
      arguments: ["query", "task.outcome=lost | tasks", "killed-before-delivery/log.xlog"]),
    TutorialStep(
      title: "Compare two runs",
      text: """
        `diff` aligns the tasks of two runs and reports other outcomes, states and times. Ids, ports and clocks do not count. The \
        exit code is 1 if the runs differ.
        """,
      arguments: ["diff", "--no-times", "clean-run/log.xlog", "killed-before-delivery/log.xlog"]),
  ]

  /// The text after the last step.
  static let end = """
    Next:

      xfer get URL                      Download something, which writes to the standard log.
      xferlog replay                    Check the standard log.
      xferlog tail -f                   Follow it while programs write it.
      xferlog collect-help              Collect the logs of other systems, such as iOS.
      xferlog config --show-origin      Show the settings.
      xferlog COMMAND --help            Explain a command.
    """
}
