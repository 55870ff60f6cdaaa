/// What each change of one event gives rise to, in a history in which nothing is wrong.
///
/// Judged line by line from what the rules are for, all of the catalogue: a change that says nothing wrong of a transfer, because
/// other events say the same or because nobody needs to know, has to be silent. What a log that has lost an event and says so may
/// still be sure of is another matter: nothing.
enum MutationTable {
  /// "event change" → rules that speak of some such changes, surely or probably.
  static let rules: [String: Set<String>] = [
    // It was the last, which switched the beats off.
    "app.beatExpected deleted": ["beat-missed"],
    // The app had unbound the task, and never says that it wants it again; the daemon goes on.
    "app.intentBound deleted": ["orphaned-task"],
    // Of two tasks for one purpose: the record of the second comes after the first was resumed.
    "app.intentDeclared deleted": ["started-before-recorded"],
    // It was the reading that succeeded in the end; what is left is one that failed, and the secret thrown away.
    "app.secretRead deleted": ["credentials-unavailable-in-background"],
    "assertion.ended deleted": ["assertion-leaked"],
    // The completion's own callback did not reach the app's code, so nobody was told.
    "delivery.entered deleted": ["lost-completion"],
    // A callback that is never seen to return ran when the handler was called, or still ran when the process ended.
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
    // With the request to invalidate, which is told next of the session: all its tasks come after that.
    "session.configured swapped": ["session-invalidated-while-tasks-run"],
    // With that request, or with the end of its events: then the handler is called before the session is connected.
    "session.connected swapped": ["completion-handler-called-too-early", "session-invalidated-while-tasks-run"],
    // What ran when its process died may have been of a session that stops with it, for all that is told.
    "session.created deleted": ["crash-mid-transfer"],
    // Whoever tells it twice does not tell objects apart.
    "session.created doubled": ["duplicate-session-identifier"],
    "session.created swapped": ["session-invalidated-while-tasks-run"],
    "session.eventsFinished deleted": ["completion-handler-called-too-early"],
    "session.eventsFinished swapped": ["completion-handler-called-too-early"],
    "session.settingAdjusted swapped": ["session-invalidated-while-tasks-run"],
    // With the end of the events, or with the request to invalidate: one comes too late, the other too early.
    "session.tasksAnswered swapped": ["completion-handler-called-too-early", "session-invalidated-while-tasks-run"],
    // It was the first that the log tells of a task which an earlier life had made.
    "task.adopted deleted": ["ghost-completion"],
    // With the completion: what else is said of the task comes behind it, and nobody had told of it before.
    "task.adopted swapped": ["ghost-completion", "progress-after-completion"],
    // Then the task was alive when its process died, or was never begun.
    "task.completed deleted": ["crash-mid-transfer", "invisible-unstarted-task", "lost-completion"],
    // It was the first of its session, or the one that another was handed to; its completion comes from nowhere.
    "task.created deleted": ["ghost-completion", "handoff-lost", "task-on-unintended-session"],
    // With the resume, so that what is declared of it comes too late; or with the completion, if nothing stands between them.
    "task.created swapped": ["ghost-completion", "started-before-recorded"],
    // With the reason for which the second request was refused: the failure comes first.
    "task.creationFailed swapped": ["task-create-returned-nothing"],
    "task.delayAnswered swapped": ["progress-after-completion"],
    // The daemon should have it still, and does not list it.
    "task.forgotten deleted": ["daemon-restart-lost-tasks"],
    "task.handedOff deleted": ["lost-completion"],
    // The failure that follows has no reason any more, or has it later.
    "task.rejected deleted": ["task-create-returned-nothing"],
    "task.rejected swapped": ["task-create-returned-nothing"],
    "task.resumed deleted": ["invisible-unstarted-task"],
    "task.resumed swapped": ["progress-after-completion"],
    // Where no variable is named, that of another session may have replaced it.
    "wake.handlerCalled deleted": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerCalled doubled": ["completion-handler-called-twice"],
    "wake.handlerCalled swapped": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerStored swapped": ["completion-handler-called-too-early"],
  ]

  /// Kinds that no history in which nothing is wrong can have.
  static let onlyOfFlaws: Set<String> = ["deadman.fired", "session.reused", "wake.deadlinePassed"]

  /// Changes of which nobody speaks: each is told by other events too, or matters to no rule.
  static let silent: Set<String> = Set(
    """
    activity.begun: deleted doubled swapped
    activity.ended: deleted doubled
    app.beatExpected: doubled
    app.beatSent: deleted doubled
    app.capabilitiesRecorded: deleted doubled
    app.intentBound: doubled
    app.intentDeclared: doubled
    app.intentUnbound: deleted doubled
    app.journalSaved: deleted doubled
    app.listenerAttached: deleted doubled
    app.lockReleased: deleted doubled
    app.lockTaken: deleted doubled
    app.lockTimedOut: deleted doubled
    app.noted: deleted doubled
    app.outcomeRecorded: deleted doubled
    app.secretDeleted: deleted doubled
    app.secretRead: doubled
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
    attempt.responseReceived: deleted doubled swapped
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
    disk.leftOverFound: deleted doubled
    disk.openFailed: deleted doubled
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
    log.stalled: deleted doubled
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
    session.configured: deleted doubled
    session.connectFailed: deleted doubled swapped
    session.connectStarted: deleted doubled swapped
    session.connected: deleted doubled
    session.eventsFinished: doubled
    session.invalidated: deleted doubled swapped
    session.invalidationRequested: deleted doubled swapped
    session.released: deleted doubled
    session.settingAdjusted: deleted doubled
    session.tasksAnswered: deleted doubled
    session.tasksQueried: deleted doubled swapped
    signpost.begun: deleted doubled swapped
    signpost.emitted: deleted doubled
    signpost.ended: deleted doubled
    task.acknowledged: deleted doubled
    task.adopted: doubled
    task.cancelRequested: deleted doubled swapped
    task.changed: deleted doubled swapped
    task.coalesced: deleted doubled swapped
    task.completed: doubled swapped
    task.created: doubled
    task.creationFailed: deleted doubled
    task.delayAnswered: deleted doubled
    task.delayAsked: deleted doubled swapped
    task.forgotten: doubled
    task.handedOff: doubled swapped
    task.held: deleted doubled swapped
    task.holdEnded: deleted doubled swapped
    task.rejected: doubled
    task.resumed: doubled
    task.suspended: deleted doubled swapped
    task.transferred: deleted doubled swapped
    trigger.armed: deleted doubled swapped
    trigger.fired: deleted doubled
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
