/// The findings that a change of one event of a faultless history may cause.
///
/// Each line follows from the purpose of the catalogue's rules. A change is silent if other events contain the same information, or
/// if no rule needs it. The table is about events that are lost without a trace: a log with a declared gap must not give any
/// certain finding.
enum MutationTable {
  /// The rules that report some changes as certain or probable, by "event change".
  static let rules: [String: Set<String>] = [
    // The deleted event was the last one, which disabled the beats.
    "app.beatExpected deleted": ["beat-missed"],
    // The app had unbound the task before, and the daemon continues a task without an intent.
    "app.intentBound deleted": ["orphaned-task"],
    // Two tasks have the same intent, whose remaining declaration comes after the first task was resumed.
    "app.intentDeclared deleted": ["started-before-recorded"],
    // The deleted event was the successful read. A failed read and the deletion of the secret remain.
    "app.secretRead deleted": ["credentials-unavailable-in-background"],
    "assertion.ended deleted": ["assertion-leaked"],
    // The completion's callback seems not to have reached the app's code.
    "delivery.entered deleted": ["lost-completion"],
    // The callback seems to be running when the handler is called or when the process ends.
    "delivery.left deleted": ["completion-handler-called-too-early", "lost-completion"],
    "file.claimed deleted": ["temp-file-not-moved"],
    "file.deleted deleted": ["leaked-upload-temp-file"],
    // The next event of the process is often its last, so the life ends before it starts.
    "process.started swapped": [
      "invisible-unstarted-task", "lost-completion", "missed-completion-handler", "session-not-recreated-after-relaunch",
    ],
    // As above, if the exit is the next event.
    "process.stateChanged swapped": [
      "assertion-leaked", "invisible-unstarted-task", "lost-completion", "missed-completion-handler",
    ],
    // Swapped with the invalidation request, after which all the session's tasks come.
    "session.configured swapped": ["session-invalidated-while-tasks-run"],
    // Swapped with the invalidation request, or with the end of the session's events, so that the handler is called too early.
    "session.connected swapped": ["completion-handler-called-too-early", "session-invalidated-while-tasks-run"],
    // Without its kind, the session of the tasks that ran when the process died may have been one that ends with its process.
    "session.created deleted": ["crash-mid-transfer"],
    // Two creations of the same session look like two session objects.
    "session.created doubled": ["duplicate-session-identifier"],
    "session.created swapped": ["session-invalidated-while-tasks-run"],
    "session.eventsFinished deleted": ["completion-handler-called-too-early"],
    "session.eventsFinished swapped": ["completion-handler-called-too-early"],
    "session.settingAdjusted swapped": ["session-invalidated-while-tasks-run"],
    // Swapped with the end of the events, which comes too late, or with the invalidation request, which comes too early.
    "session.tasksAnswered swapped": ["completion-handler-called-too-early", "session-invalidated-while-tasks-run"],
    // The deleted event was the log's first about a task created by an earlier life.
    "task.adopted deleted": ["ghost-completion"],
    // Swapped with the completion, which then precedes all other events of the task.
    "task.adopted swapped": ["ghost-completion", "progress-after-completion"],
    // The task seems to be running when its process dies, or never to have started.
    "task.completed deleted": ["crash-mid-transfer", "invisible-unstarted-task", "lost-completion"],
    // The task was its session's first or the successor of a hand-off. Its completion then has no origin.
    "task.created deleted": ["ghost-completion", "handoff-lost", "task-on-unintended-session"],
    // Swapped with the resume, so that the intent is declared too late, or with the completion.
    "task.created swapped": ["ghost-completion", "started-before-recorded"],
    // Swapped with the rejection of a second request, so that the failure precedes its reason.
    "task.creationFailed swapped": ["task-create-returned-nothing"],
    "task.delayAnswered swapped": ["progress-after-completion"],
    // The daemon should still carry the task, but does not list it.
    "task.forgotten deleted": ["daemon-restart-lost-tasks"],
    "task.handedOff deleted": ["lost-completion"],
    // The failed creation that follows has no reason, or its reason comes later.
    "task.rejected deleted": ["task-create-returned-nothing"],
    "task.rejected swapped": ["task-create-returned-nothing"],
    "task.resumed deleted": ["invisible-unstarted-task"],
    "task.resumed swapped": ["progress-after-completion"],
    // If the handler's variable has no name, another session's handler may seem to have overwritten it.
    "wake.handlerCalled deleted": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerCalled doubled": ["completion-handler-called-twice"],
    "wake.handlerCalled swapped": ["completion-handler-overwritten", "missed-completion-handler"],
    "wake.handlerStored swapped": ["completion-handler-called-too-early"],
  ]

  /// The kinds of events that occur only in histories with a flaw.
  static let onlyOfFlaws: Set<String> = ["deadman.fired", "session.reused", "wake.deadlinePassed"]

  /// The changes that no rule reports, because other events contain the same information or no rule needs it.
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
