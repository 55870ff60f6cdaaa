/// What each change of one event gives rise to, in a history in which nothing is wrong.
///
/// Judged line by line from what the rules are for: a change that says nothing wrong of a transfer, because other events say the
/// same or because nobody needs to know, has to be silent.
enum MutationTable {
  /// "event change" → rules that speak of some such changes, surely or probably.
  static let rules: [String: Set<String>] = [
    // It was the last, which switched the beats off.
    "app.beatExpected deleted": ["beat-missed"],
    "assertion.ended deleted": ["assertion-leaked"],
    // What an earlier answer of the attempt declared is taken for the length of the last.
    "attempt.responseReceived deleted": ["truncated-body"],
    "delivery.entered deleted": ["callback-thread-blocked", "lost-completion"],
    "delivery.left deleted": ["completion-handler-called-too-early", "lost-completion"],
    "file.claimed deleted": ["temp-file-not-moved"],
    "file.deleted deleted": ["leaked-upload-temp-file"],
    // Its next words are often its last: the life is over before it began.
    "process.started swapped": [
      "invisible-unstarted-task", "lost-completion", "missed-completion-handler", "session-not-recreated-after-relaunch",
    ],
    // The same, when the exit comes next.
    "process.stateChanged swapped": [
      "assertion-leaked", "invisible-unstarted-task", "lost-completion", "missed-completion-handler",
    ],
    "session.connected swapped": ["completion-handler-called-too-early"],
    // Whether the session outlives its app is not known any more, nor whose handler the app had.
    "session.created deleted": ["crash-mid-transfer", "handoff-lost", "lost-completion"],
    // Whoever tells it twice does not tell objects apart.
    "session.created doubled": ["duplicate-session-identifier"],
    "session.eventsFinished deleted": ["completion-handler-called-too-early"],
    "session.eventsFinished swapped": ["completion-handler-called-too-early"],
    "session.tasksAnswered swapped": ["completion-handler-called-too-early"],
    // With the completion: what else is said of the task comes behind it.
    "task.adopted swapped": ["progress-after-completion"],
    // Then the task was alive when its process died, or was never begun.
    "task.completed deleted": ["crash-mid-transfer", "invisible-unstarted-task", "lost-completion"],
    // It was the first of its session, or the one that another was handed to.
    "task.created deleted": ["handoff-lost", "task-on-unintended-session"],
    "task.delayAnswered swapped": ["progress-after-completion"],
    // The daemon should have it still, and does not list it.
    "task.forgotten deleted": ["daemon-restart-lost-tasks"],
    "task.handedOff deleted": ["lost-completion"],
    "task.resumed deleted": ["invisible-unstarted-task"],
    "task.resumed swapped": ["progress-after-completion"],
    // Where no variable is named, that of another session may have replaced it.
    "wake.handlerCalled deleted": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerCalled doubled": ["completion-handler-called-twice"],
    "wake.handlerCalled swapped": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerStored swapped": ["completion-handler-called-too-early"],
  ]

  /// Changes of which nobody speaks: each is told by other events too, or matters to no rule.
  static let silent: Set<String> = Set(
    """
    activity.begun: deleted doubled swapped
    activity.ended: deleted doubled
    app.beatExpected: doubled
    app.beatSent: deleted doubled
    app.capabilitiesRecorded: deleted doubled
    app.intentBound: deleted doubled
    app.intentDeclared: deleted doubled
    app.intentUnbound: deleted doubled
    app.journalSaved: deleted doubled
    app.listenerAttached: deleted doubled
    app.noted: deleted doubled
    app.outcomeRecorded: deleted doubled
    app.workBegun: deleted doubled
    app.workEnded: deleted doubled
    assertion.begun: deleted doubled swapped
    assertion.ended: doubled
    assertion.expired: deleted doubled swapped
    attempt.bytesReceived: deleted doubled swapped
    attempt.bytesSent: deleted doubled swapped
    attempt.challengeAnswered: deleted doubled swapped
    attempt.challengeReceived: deleted doubled swapped
    attempt.connectionAcquired: deleted doubled swapped
    attempt.ended: deleted doubled swapped
    attempt.networkAwaited: deleted doubled swapped
    attempt.redirectAnswered: deleted doubled swapped
    attempt.redirectReceived: deleted doubled swapped
    attempt.requestSent: deleted doubled swapped
    attempt.responseReceived: doubled swapped
    attempt.started: deleted doubled swapped
    cache.answered: deleted doubled
    cache.missed: deleted doubled
    cache.removed: deleted doubled
    cache.stored: deleted doubled
    clock.sampled: deleted doubled
    daemon.exited: deleted doubled
    daemon.recovered: deleted doubled
    daemon.started: deleted doubled
    daemon.tasksListed: deleted doubled
    deadman.armed: deleted doubled swapped
    deadman.checked: deleted doubled swapped
    deadman.disarmed: deleted doubled swapped
    delivery.dropped: deleted doubled
    delivery.entered: doubled swapped
    delivery.left: doubled
    delivery.received: deleted doubled swapped
    delivery.sent: deleted doubled swapped
    disk.spaceSampled: deleted doubled
    file.claimed: doubled swapped
    file.deleted: doubled
    file.offered: deleted doubled swapped
    file.reaped: deleted doubled swapped
    file.unclaimed: deleted doubled swapped
    link.connected: deleted doubled swapped
    link.disconnected: deleted doubled swapped
    log.closed: deleted doubled
    log.dropped: deleted doubled
    log.heartbeatWritten: deleted doubled
    log.levelsChanged: deleted doubled
    log.levelsIgnored: deleted doubled
    log.levelsThinned: deleted doubled
    log.opened: deleted doubled
    log.rotated: deleted doubled
    log.segmentsRemoved: deleted doubled
    log.syncFailed: deleted doubled
    message.debug: deleted doubled
    message.default: deleted doubled
    message.error: deleted doubled
    message.fault: deleted doubled
    message.info: deleted doubled
    multipart.aborted: deleted doubled
    multipart.completed: deleted doubled
    multipart.partStored: deleted doubled swapped
    multipart.started: deleted doubled swapped
    network.pathChanged: deleted doubled
    policy.changed: deleted doubled
    power.changed: deleted doubled
    process.exitObserved: deleted doubled
    process.exited: deleted doubled
    process.started: deleted doubled
    process.stateChanged: deleted doubled
    process.terminationAnnounced: deleted doubled swapped
    protection.disabled: deleted doubled
    protection.enabled: deleted doubled
    session.configured: deleted doubled swapped
    session.connectFailed: deleted doubled swapped
    session.connectStarted: deleted doubled swapped
    session.connected: deleted doubled
    session.created: swapped
    session.eventsFinished: doubled
    session.invalidated: deleted doubled swapped
    session.invalidationRequested: deleted doubled swapped
    session.released: deleted doubled
    session.settingAdjusted: deleted doubled swapped
    session.tasksAnswered: deleted doubled
    session.tasksQueried: deleted doubled swapped
    signpost.begun: deleted doubled swapped
    signpost.emitted: deleted doubled
    signpost.ended: deleted doubled
    task.acknowledged: deleted doubled
    task.adopted: deleted doubled
    task.cancelRequested: deleted doubled swapped
    task.changed: deleted doubled swapped
    task.coalesced: deleted doubled swapped
    task.completed: doubled swapped
    task.created: doubled swapped
    task.delayAnswered: deleted doubled
    task.delayAsked: deleted doubled swapped
    task.forgotten: doubled
    task.handedOff: doubled swapped
    task.held: deleted doubled swapped
    task.holdEnded: deleted doubled swapped
    task.rejected: deleted doubled
    task.resumed: doubled
    task.suspended: deleted doubled swapped
    task.transferred: deleted doubled swapped
    trigger.armed: deleted doubled swapped
    trigger.fired: deleted doubled swapped
    wake.deadlineSet: deleted doubled
    wake.delivered: deleted doubled swapped
    wake.handlerReleased: deleted doubled
    wake.handlerStored: deleted doubled
    wake.held: deleted doubled swapped
    wake.launched: deleted doubled swapped
    wake.wanted: deleted doubled swapped
    """.split(separator: "\n").flatMap { line in
      let parts = line.split(separator: ":")
      return parts[1].split(separator: " ").map { "\(parts[0]) \($0)" }
    })
}
