// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// The kind of an event. Records store the raw value.
public enum EventKind: UInt16, Sendable, CaseIterable {
  /// log.opened
  case logOpened = 1
  /// log.closed
  case logClosed = 2
  /// log.rotated
  case logRotated = 3
  /// log.dropped
  case logDropped = 4
  /// log.heartbeatWritten
  case logHeartbeatWritten = 5
  /// log.levelsChanged
  case logLevelsChanged = 6
  /// log.levelsIgnored
  case logLevelsIgnored = 15
  /// clock.sampled
  case clockSampled = 7
  /// log.syncFailed
  case logSyncFailed = 8
  /// log.segmentsRemoved
  case logSegmentsRemoved = 9
  /// log.levelsThinned
  case logLevelsThinned = 190
  /// process.started
  case processStarted = 10
  /// process.stateChanged
  case processStateChanged = 11
  /// process.exited
  case processExited = 12
  /// process.exitObserved
  case processExitObserved = 13
  /// process.terminationAnnounced
  case processTerminationAnnounced = 14
  /// daemon.started
  case daemonStarted = 16
  /// daemon.recovered
  case daemonRecovered = 17
  /// daemon.exited
  case daemonExited = 18
  /// daemon.tasksListed
  case daemonTasksListed = 19
  /// link.connected
  case linkConnected = 20
  /// link.disconnected
  case linkDisconnected = 21
  /// session.created
  case sessionCreated = 24
  /// session.reused
  case sessionReused = 25
  /// session.connectStarted
  case sessionConnectStarted = 26
  /// session.connected
  case sessionConnected = 27
  /// session.connectFailed
  case sessionConnectFailed = 28
  /// session.invalidationRequested
  case sessionInvalidationRequested = 29
  /// session.invalidated
  case sessionInvalidated = 30
  /// session.released
  case sessionReleased = 31
  /// session.eventsFinished
  case sessionEventsFinished = 32
  /// session.tasksQueried
  case sessionTasksQueried = 33
  /// session.tasksAnswered
  case sessionTasksAnswered = 34
  /// session.configured
  case sessionConfigured = 35
  /// session.settingAdjusted
  case sessionSettingAdjusted = 36
  /// wake.wanted
  case wakeWanted = 40
  /// wake.held
  case wakeHeld = 41
  /// wake.launched
  case wakeLaunched = 42
  /// wake.delivered
  case wakeDelivered = 43
  /// wake.handlerStored
  case wakeHandlerStored = 44
  /// wake.handlerCalled
  case wakeHandlerCalled = 45
  /// wake.handlerReleased
  case wakeHandlerReleased = 46
  /// wake.deadlineSet
  case wakeDeadlineSet = 47
  /// wake.deadlinePassed
  case wakeDeadlinePassed = 48
  /// task.created
  case taskCreated = 60
  /// task.rejected
  case taskRejected = 61
  /// task.resumed
  case taskResumed = 62
  /// task.suspended
  case taskSuspended = 63
  /// task.cancelRequested
  case taskCancelRequested = 64
  /// task.held
  case taskHeld = 65
  /// task.holdEnded
  case taskHoldEnded = 66
  /// task.delayAsked
  case taskDelayAsked = 67
  /// task.delayAnswered
  case taskDelayAnswered = 68
  /// task.adopted
  case taskAdopted = 69
  /// task.transferred
  case taskTransferred = 70
  /// task.completed
  case taskCompleted = 71
  /// task.acknowledged
  case taskAcknowledged = 72
  /// task.forgotten
  case taskForgotten = 73
  /// task.handedOff
  case taskHandedOff = 74
  /// task.changed
  case taskChanged = 75
  /// task.coalesced
  case taskCoalesced = 76
  /// task.creationFailed
  case taskCreationFailed = 77
  /// attempt.started
  case attemptStarted = 80
  /// attempt.connectionAcquired
  case attemptConnectionAcquired = 81
  /// attempt.requestSent
  case attemptRequestSent = 82
  /// attempt.responseReceived
  case attemptResponseReceived = 83
  /// attempt.bytesReceived
  case attemptBytesReceived = 84
  /// attempt.bytesSent
  case attemptBytesSent = 85
  /// attempt.ended
  case attemptEnded = 86
  /// attempt.networkAwaited
  case attemptNetworkAwaited = 87
  /// attempt.challengeReceived
  case attemptChallengeReceived = 88
  /// attempt.challengeAnswered
  case attemptChallengeAnswered = 89
  /// attempt.redirectReceived
  case attemptRedirectReceived = 90
  /// attempt.redirectAnswered
  case attemptRedirectAnswered = 91
  /// file.offered
  case fileOffered = 100
  /// file.claimed
  case fileClaimed = 101
  /// file.reaped
  case fileReaped = 102
  /// file.deleted
  case fileDeleted = 103
  /// file.unclaimed
  case fileUnclaimed = 104
  /// delivery.sent
  case deliverySent = 110
  /// delivery.received
  case deliveryReceived = 111
  /// delivery.entered
  case deliveryEntered = 112
  /// delivery.left
  case deliveryLeft = 113
  /// delivery.dropped
  case deliveryDropped = 114
  /// app.intentDeclared
  case appIntentDeclared = 120
  /// app.intentBound
  case appIntentBound = 121
  /// app.intentUnbound
  case appIntentUnbound = 122
  /// app.outcomeRecorded
  case appOutcomeRecorded = 123
  /// app.listenerAttached
  case appListenerAttached = 124
  /// app.workBegun
  case appWorkBegun = 125
  /// app.workEnded
  case appWorkEnded = 126
  /// app.journalSaved
  case appJournalSaved = 127
  /// app.capabilitiesRecorded
  case appCapabilitiesRecorded = 128
  /// app.noted
  case appNoted = 129
  /// app.beatExpected
  case appBeatExpected = 130
  /// app.beatSent
  case appBeatSent = 131
  /// app.secretRead
  case appSecretRead = 136
  /// app.secretDeleted
  case appSecretDeleted = 137
  /// assertion.begun
  case assertionBegun = 140
  /// assertion.expired
  case assertionExpired = 141
  /// assertion.ended
  case assertionEnded = 142
  /// deadman.armed
  case deadmanArmed = 150
  /// deadman.checked
  case deadmanChecked = 151
  /// deadman.disarmed
  case deadmanDisarmed = 152
  /// deadman.fired
  case deadmanFired = 153
  /// trigger.armed
  case triggerArmed = 156
  /// trigger.fired
  case triggerFired = 157
  /// network.pathChanged
  case networkPathChanged = 160
  /// power.changed
  case powerChanged = 161
  /// disk.spaceSampled
  case diskSpaceSampled = 162
  /// protection.enabled
  case protectionEnabled = 163
  /// protection.disabled
  case protectionDisabled = 164
  /// policy.changed
  case policyChanged = 165
  /// multipart.started
  case multipartStarted = 170
  /// multipart.partStored
  case multipartPartStored = 171
  /// multipart.completed
  case multipartCompleted = 172
  /// multipart.aborted
  case multipartAborted = 173
  /// message.debug
  case messageDebug = 180
  /// message.info
  case messageInfo = 181
  /// message.default
  case messageDefault = 182
  /// message.error
  case messageError = 183
  /// message.fault
  case messageFault = 184
  /// signpost.begun
  case signpostBegun = 185
  /// signpost.ended
  case signpostEnded = 186
  /// signpost.emitted
  case signpostEmitted = 187
  /// activity.begun
  case activityBegun = 188
  /// activity.ended
  case activityEnded = 189
  /// cache.answered
  case cacheAnswered = 200
  /// cache.missed
  case cacheMissed = 201
  /// cache.stored
  case cacheStored = 202
  /// cache.removed
  case cacheRemoved = 203
  /// disk.openFailed
  case diskOpenFailed = 220
  /// disk.leftOverFound
  case diskLeftOverFound = 221
  /// app.lockTaken
  case appLockTaken = 222
  /// app.lockReleased
  case appLockReleased = 223
  /// app.lockTimedOut
  case appLockTimedOut = 224
  /// log.stalled
  case logStalled = 225
  /// task.observed
  case taskObserved = 226
  /// session.observed
  case sessionObserved = 227
  /// assertion.overdue
  case assertionOverdue = 228
  /// process.assertionTimedOut
  case processAssertionTimedOut = 229
  /// process.launchFailed
  case processLaunchFailed = 230
  /// process.watchdogWithheld
  case processWatchdogWithheld = 231
  /// import.fileOpened
  case importFileOpened = 232
  /// import.writerFound
  case importWriterFound = 233
  /// import.eventRead
  case importEventRead = 234
  /// import.gapFound
  case importGapFound = 235
  /// import.gapEnded
  case importGapEnded = 236
  /// import.fileRead
  case importFileRead = 237
  /// import.fileIncomplete
  case importFileIncomplete = 238

  /// The name of the event, in the form `family.name`.
  public var name: String {
    switch self {
    case .logOpened: "log.opened"
    case .logClosed: "log.closed"
    case .logRotated: "log.rotated"
    case .logDropped: "log.dropped"
    case .logHeartbeatWritten: "log.heartbeatWritten"
    case .logLevelsChanged: "log.levelsChanged"
    case .logLevelsIgnored: "log.levelsIgnored"
    case .clockSampled: "clock.sampled"
    case .logSyncFailed: "log.syncFailed"
    case .logSegmentsRemoved: "log.segmentsRemoved"
    case .logLevelsThinned: "log.levelsThinned"
    case .processStarted: "process.started"
    case .processStateChanged: "process.stateChanged"
    case .processExited: "process.exited"
    case .processExitObserved: "process.exitObserved"
    case .processTerminationAnnounced: "process.terminationAnnounced"
    case .daemonStarted: "daemon.started"
    case .daemonRecovered: "daemon.recovered"
    case .daemonExited: "daemon.exited"
    case .daemonTasksListed: "daemon.tasksListed"
    case .linkConnected: "link.connected"
    case .linkDisconnected: "link.disconnected"
    case .sessionCreated: "session.created"
    case .sessionReused: "session.reused"
    case .sessionConnectStarted: "session.connectStarted"
    case .sessionConnected: "session.connected"
    case .sessionConnectFailed: "session.connectFailed"
    case .sessionInvalidationRequested: "session.invalidationRequested"
    case .sessionInvalidated: "session.invalidated"
    case .sessionReleased: "session.released"
    case .sessionEventsFinished: "session.eventsFinished"
    case .sessionTasksQueried: "session.tasksQueried"
    case .sessionTasksAnswered: "session.tasksAnswered"
    case .sessionConfigured: "session.configured"
    case .sessionSettingAdjusted: "session.settingAdjusted"
    case .wakeWanted: "wake.wanted"
    case .wakeHeld: "wake.held"
    case .wakeLaunched: "wake.launched"
    case .wakeDelivered: "wake.delivered"
    case .wakeHandlerStored: "wake.handlerStored"
    case .wakeHandlerCalled: "wake.handlerCalled"
    case .wakeHandlerReleased: "wake.handlerReleased"
    case .wakeDeadlineSet: "wake.deadlineSet"
    case .wakeDeadlinePassed: "wake.deadlinePassed"
    case .taskCreated: "task.created"
    case .taskRejected: "task.rejected"
    case .taskResumed: "task.resumed"
    case .taskSuspended: "task.suspended"
    case .taskCancelRequested: "task.cancelRequested"
    case .taskHeld: "task.held"
    case .taskHoldEnded: "task.holdEnded"
    case .taskDelayAsked: "task.delayAsked"
    case .taskDelayAnswered: "task.delayAnswered"
    case .taskAdopted: "task.adopted"
    case .taskTransferred: "task.transferred"
    case .taskCompleted: "task.completed"
    case .taskAcknowledged: "task.acknowledged"
    case .taskForgotten: "task.forgotten"
    case .taskHandedOff: "task.handedOff"
    case .taskChanged: "task.changed"
    case .taskCoalesced: "task.coalesced"
    case .taskCreationFailed: "task.creationFailed"
    case .attemptStarted: "attempt.started"
    case .attemptConnectionAcquired: "attempt.connectionAcquired"
    case .attemptRequestSent: "attempt.requestSent"
    case .attemptResponseReceived: "attempt.responseReceived"
    case .attemptBytesReceived: "attempt.bytesReceived"
    case .attemptBytesSent: "attempt.bytesSent"
    case .attemptEnded: "attempt.ended"
    case .attemptNetworkAwaited: "attempt.networkAwaited"
    case .attemptChallengeReceived: "attempt.challengeReceived"
    case .attemptChallengeAnswered: "attempt.challengeAnswered"
    case .attemptRedirectReceived: "attempt.redirectReceived"
    case .attemptRedirectAnswered: "attempt.redirectAnswered"
    case .fileOffered: "file.offered"
    case .fileClaimed: "file.claimed"
    case .fileReaped: "file.reaped"
    case .fileDeleted: "file.deleted"
    case .fileUnclaimed: "file.unclaimed"
    case .deliverySent: "delivery.sent"
    case .deliveryReceived: "delivery.received"
    case .deliveryEntered: "delivery.entered"
    case .deliveryLeft: "delivery.left"
    case .deliveryDropped: "delivery.dropped"
    case .appIntentDeclared: "app.intentDeclared"
    case .appIntentBound: "app.intentBound"
    case .appIntentUnbound: "app.intentUnbound"
    case .appOutcomeRecorded: "app.outcomeRecorded"
    case .appListenerAttached: "app.listenerAttached"
    case .appWorkBegun: "app.workBegun"
    case .appWorkEnded: "app.workEnded"
    case .appJournalSaved: "app.journalSaved"
    case .appCapabilitiesRecorded: "app.capabilitiesRecorded"
    case .appNoted: "app.noted"
    case .appBeatExpected: "app.beatExpected"
    case .appBeatSent: "app.beatSent"
    case .appSecretRead: "app.secretRead"
    case .appSecretDeleted: "app.secretDeleted"
    case .assertionBegun: "assertion.begun"
    case .assertionExpired: "assertion.expired"
    case .assertionEnded: "assertion.ended"
    case .deadmanArmed: "deadman.armed"
    case .deadmanChecked: "deadman.checked"
    case .deadmanDisarmed: "deadman.disarmed"
    case .deadmanFired: "deadman.fired"
    case .triggerArmed: "trigger.armed"
    case .triggerFired: "trigger.fired"
    case .networkPathChanged: "network.pathChanged"
    case .powerChanged: "power.changed"
    case .diskSpaceSampled: "disk.spaceSampled"
    case .protectionEnabled: "protection.enabled"
    case .protectionDisabled: "protection.disabled"
    case .policyChanged: "policy.changed"
    case .multipartStarted: "multipart.started"
    case .multipartPartStored: "multipart.partStored"
    case .multipartCompleted: "multipart.completed"
    case .multipartAborted: "multipart.aborted"
    case .messageDebug: "message.debug"
    case .messageInfo: "message.info"
    case .messageDefault: "message.default"
    case .messageError: "message.error"
    case .messageFault: "message.fault"
    case .signpostBegun: "signpost.begun"
    case .signpostEnded: "signpost.ended"
    case .signpostEmitted: "signpost.emitted"
    case .activityBegun: "activity.begun"
    case .activityEnded: "activity.ended"
    case .cacheAnswered: "cache.answered"
    case .cacheMissed: "cache.missed"
    case .cacheStored: "cache.stored"
    case .cacheRemoved: "cache.removed"
    case .diskOpenFailed: "disk.openFailed"
    case .diskLeftOverFound: "disk.leftOverFound"
    case .appLockTaken: "app.lockTaken"
    case .appLockReleased: "app.lockReleased"
    case .appLockTimedOut: "app.lockTimedOut"
    case .logStalled: "log.stalled"
    case .taskObserved: "task.observed"
    case .sessionObserved: "session.observed"
    case .assertionOverdue: "assertion.overdue"
    case .processAssertionTimedOut: "process.assertionTimedOut"
    case .processLaunchFailed: "process.launchFailed"
    case .processWatchdogWithheld: "process.watchdogWithheld"
    case .importFileOpened: "import.fileOpened"
    case .importWriterFound: "import.writerFound"
    case .importEventRead: "import.eventRead"
    case .importGapFound: "import.gapFound"
    case .importGapEnded: "import.gapEnded"
    case .importFileRead: "import.fileRead"
    case .importFileIncomplete: "import.fileIncomplete"
    }
  }
}
