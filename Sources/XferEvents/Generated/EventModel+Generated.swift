// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// The model of the replay that consumes an event. The associated value is the event as a case of the model's own enumeration.
@usableFromInline package enum EventModel: Sendable {
  /// The log's own state: segments, levels, dropped events, and calls that waited for the log.
  case log(Log)
  /// One run of the machine: its clocks.
  case boot(Boot)
  /// One life of one process.
  case process(Process)
  /// One generation of the transfer daemon and its list of tasks.
  case daemon(Daemon)
  /// The connection between an app's process and the daemon.
  case link(Link)
  /// One session object in one process life.
  case session(Session)
  /// The app code that listens to a background session.
  case listener(Listener)
  /// The launch or wake of an app for a session's events, and its completion handler.
  case wake(Wake)
  /// A task, from its creation until it is acknowledged or forgotten.
  case task(Task)
  /// One attempt of a task.
  case attempt(Attempt)
  /// The file of a task.
  case file(File)
  /// One delegate callback or completion handler call of a task, and the end-of-events callback of a session.
  case delivery(Delivery)
  /// Something that the app wants done, whatever tasks it takes.
  case intent(Intent)
  /// Work that the app has begun, and locks that it holds.
  case work(Work)
  /// A secret that the app reads, such as a credential in a keychain.
  case secret(Secret)
  /// Something that the app sends periodically.
  case beat(Beat)
  /// Background time that the app asked for.
  case assertion(Assertion)
  /// A dead man's switch, which fires unless the app arms it again in time.
  case alarm(Alarm)
  /// A reason other than a transfer to launch the app.
  case trigger(Trigger)
  /// A multipart upload.
  case upload(Upload)
  /// The network path.
  case network(Network)
  /// The device's power, lock and disk, the user's policies, and the app's capabilities.
  case condition(Condition)
  /// Files that could not be opened, and files that nobody owns.
  case storage(Storage)
  /// No model. The replay counts the event as unmodelled unless it names a task.
  case unconsumed

  @usableFromInline package enum Log: Sendable {
    case logOpened
    case logClosed
    case logRotated
    case logDropped
    case logHeartbeatWritten
    case logLevelsChanged
    case logLevelsIgnored
    case logSyncFailed
    case logSegmentsRemoved
    case logStalled
  }

  @usableFromInline package enum Boot: Sendable {
    case clockSampled
  }

  @usableFromInline package enum Process: Sendable {
    case processStarted
    case processStateChanged
    case processExited
    case processExitObserved
    case processTerminationAnnounced
    case processAssertionTimedOut
    case processLaunchFailed
    case processWatchdogWithheld
  }

  @usableFromInline package enum Daemon: Sendable {
    case daemonStarted
    case daemonRecovered
    case daemonExited
    case daemonTasksListed
  }

  @usableFromInline package enum Link: Sendable {
    case linkConnected
    case linkDisconnected
  }

  @usableFromInline package enum Session: Sendable {
    case sessionCreated
    case sessionReused
    case sessionConnectStarted
    case sessionConnected
    case sessionConnectFailed
    case sessionInvalidationRequested
    case sessionInvalidated
    case sessionReleased
    case sessionEventsFinished
    case sessionTasksQueried
    case sessionTasksAnswered
    case sessionConfigured
    case sessionSettingAdjusted
    case taskRejected
    case taskCreationFailed
    case sessionObserved
  }

  @usableFromInline package enum Listener: Sendable {
    case appListenerAttached
  }

  @usableFromInline package enum Wake: Sendable {
    case wakeWanted
    case wakeHeld
    case wakeLaunched
    case wakeDelivered
    case wakeHandlerStored
    case wakeHandlerCalled
    case wakeHandlerReleased
    case wakeDeadlineSet
    case wakeDeadlinePassed
  }

  @usableFromInline package enum Task: Sendable {
    case taskCreated
    case taskResumed
    case taskSuspended
    case taskCancelRequested
    case taskHeld
    case taskHoldEnded
    case taskDelayAsked
    case taskDelayAnswered
    case taskAdopted
    case taskTransferred
    case taskCompleted
    case taskAcknowledged
    case taskForgotten
    case taskHandedOff
    case taskChanged
    case taskCoalesced
    case taskObserved
  }

  @usableFromInline package enum Attempt: Sendable {
    case attemptStarted
    case attemptConnectionAcquired
    case attemptRequestSent
    case attemptResponseReceived
    case attemptBytesReceived
    case attemptBytesSent
    case attemptEnded
    case attemptNetworkAwaited
    case attemptChallengeReceived
    case attemptChallengeAnswered
    case attemptRedirectReceived
    case attemptRedirectAnswered
  }

  @usableFromInline package enum File: Sendable {
    case fileOffered
    case fileClaimed
    case fileReaped
    case fileDeleted
    case fileUnclaimed
  }

  @usableFromInline package enum Delivery: Sendable {
    case deliverySent
    case deliveryReceived
    case deliveryEntered
    case deliveryLeft
    case deliveryDropped
  }

  @usableFromInline package enum Intent: Sendable {
    case appIntentDeclared
    case appIntentBound
    case appIntentUnbound
    case appOutcomeRecorded
  }

  @usableFromInline package enum Work: Sendable {
    case appWorkBegun
    case appWorkEnded
    case appLockTaken
    case appLockReleased
    case appLockTimedOut
  }

  @usableFromInline package enum Secret: Sendable {
    case appSecretRead
    case appSecretDeleted
  }

  @usableFromInline package enum Beat: Sendable {
    case appBeatExpected
    case appBeatSent
  }

  @usableFromInline package enum Assertion: Sendable {
    case assertionBegun
    case assertionExpired
    case assertionEnded
    case assertionOverdue
  }

  @usableFromInline package enum Alarm: Sendable {
    case deadmanArmed
    case deadmanChecked
    case deadmanDisarmed
    case deadmanFired
  }

  @usableFromInline package enum Trigger: Sendable {
    case triggerArmed
    case triggerFired
  }

  @usableFromInline package enum Upload: Sendable {
    case multipartStarted
    case multipartPartStored
    case multipartCompleted
    case multipartAborted
  }

  @usableFromInline package enum Network: Sendable {
    case networkPathChanged
  }

  @usableFromInline package enum Condition: Sendable {
    case appCapabilitiesRecorded
    case powerChanged
    case diskSpaceSampled
    case protectionEnabled
    case protectionDisabled
    case policyChanged
  }

  @usableFromInline package enum Storage: Sendable {
    case diskOpenFailed
    case diskLeftOverFound
  }
}

extension EventKind {
  /// The model of the replay that consumes the event.
  @inline(__always) @inlinable package var model: EventModel {
    switch self {
    case .logOpened: .log(.logOpened)
    case .logClosed: .log(.logClosed)
    case .logRotated: .log(.logRotated)
    case .logDropped: .log(.logDropped)
    case .logHeartbeatWritten: .log(.logHeartbeatWritten)
    case .logLevelsChanged: .log(.logLevelsChanged)
    case .logLevelsIgnored: .log(.logLevelsIgnored)
    case .logSyncFailed: .log(.logSyncFailed)
    case .logSegmentsRemoved: .log(.logSegmentsRemoved)
    case .logStalled: .log(.logStalled)
    case .clockSampled: .boot(.clockSampled)
    case .processStarted: .process(.processStarted)
    case .processStateChanged: .process(.processStateChanged)
    case .processExited: .process(.processExited)
    case .processExitObserved: .process(.processExitObserved)
    case .processTerminationAnnounced: .process(.processTerminationAnnounced)
    case .processAssertionTimedOut: .process(.processAssertionTimedOut)
    case .processLaunchFailed: .process(.processLaunchFailed)
    case .processWatchdogWithheld: .process(.processWatchdogWithheld)
    case .daemonStarted: .daemon(.daemonStarted)
    case .daemonRecovered: .daemon(.daemonRecovered)
    case .daemonExited: .daemon(.daemonExited)
    case .daemonTasksListed: .daemon(.daemonTasksListed)
    case .linkConnected: .link(.linkConnected)
    case .linkDisconnected: .link(.linkDisconnected)
    case .sessionCreated: .session(.sessionCreated)
    case .sessionReused: .session(.sessionReused)
    case .sessionConnectStarted: .session(.sessionConnectStarted)
    case .sessionConnected: .session(.sessionConnected)
    case .sessionConnectFailed: .session(.sessionConnectFailed)
    case .sessionInvalidationRequested: .session(.sessionInvalidationRequested)
    case .sessionInvalidated: .session(.sessionInvalidated)
    case .sessionReleased: .session(.sessionReleased)
    case .sessionEventsFinished: .session(.sessionEventsFinished)
    case .sessionTasksQueried: .session(.sessionTasksQueried)
    case .sessionTasksAnswered: .session(.sessionTasksAnswered)
    case .sessionConfigured: .session(.sessionConfigured)
    case .sessionSettingAdjusted: .session(.sessionSettingAdjusted)
    case .taskRejected: .session(.taskRejected)
    case .taskCreationFailed: .session(.taskCreationFailed)
    case .sessionObserved: .session(.sessionObserved)
    case .appListenerAttached: .listener(.appListenerAttached)
    case .wakeWanted: .wake(.wakeWanted)
    case .wakeHeld: .wake(.wakeHeld)
    case .wakeLaunched: .wake(.wakeLaunched)
    case .wakeDelivered: .wake(.wakeDelivered)
    case .wakeHandlerStored: .wake(.wakeHandlerStored)
    case .wakeHandlerCalled: .wake(.wakeHandlerCalled)
    case .wakeHandlerReleased: .wake(.wakeHandlerReleased)
    case .wakeDeadlineSet: .wake(.wakeDeadlineSet)
    case .wakeDeadlinePassed: .wake(.wakeDeadlinePassed)
    case .taskCreated: .task(.taskCreated)
    case .taskResumed: .task(.taskResumed)
    case .taskSuspended: .task(.taskSuspended)
    case .taskCancelRequested: .task(.taskCancelRequested)
    case .taskHeld: .task(.taskHeld)
    case .taskHoldEnded: .task(.taskHoldEnded)
    case .taskDelayAsked: .task(.taskDelayAsked)
    case .taskDelayAnswered: .task(.taskDelayAnswered)
    case .taskAdopted: .task(.taskAdopted)
    case .taskTransferred: .task(.taskTransferred)
    case .taskCompleted: .task(.taskCompleted)
    case .taskAcknowledged: .task(.taskAcknowledged)
    case .taskForgotten: .task(.taskForgotten)
    case .taskHandedOff: .task(.taskHandedOff)
    case .taskChanged: .task(.taskChanged)
    case .taskCoalesced: .task(.taskCoalesced)
    case .taskObserved: .task(.taskObserved)
    case .attemptStarted: .attempt(.attemptStarted)
    case .attemptConnectionAcquired: .attempt(.attemptConnectionAcquired)
    case .attemptRequestSent: .attempt(.attemptRequestSent)
    case .attemptResponseReceived: .attempt(.attemptResponseReceived)
    case .attemptBytesReceived: .attempt(.attemptBytesReceived)
    case .attemptBytesSent: .attempt(.attemptBytesSent)
    case .attemptEnded: .attempt(.attemptEnded)
    case .attemptNetworkAwaited: .attempt(.attemptNetworkAwaited)
    case .attemptChallengeReceived: .attempt(.attemptChallengeReceived)
    case .attemptChallengeAnswered: .attempt(.attemptChallengeAnswered)
    case .attemptRedirectReceived: .attempt(.attemptRedirectReceived)
    case .attemptRedirectAnswered: .attempt(.attemptRedirectAnswered)
    case .fileOffered: .file(.fileOffered)
    case .fileClaimed: .file(.fileClaimed)
    case .fileReaped: .file(.fileReaped)
    case .fileDeleted: .file(.fileDeleted)
    case .fileUnclaimed: .file(.fileUnclaimed)
    case .deliverySent: .delivery(.deliverySent)
    case .deliveryReceived: .delivery(.deliveryReceived)
    case .deliveryEntered: .delivery(.deliveryEntered)
    case .deliveryLeft: .delivery(.deliveryLeft)
    case .deliveryDropped: .delivery(.deliveryDropped)
    case .appIntentDeclared: .intent(.appIntentDeclared)
    case .appIntentBound: .intent(.appIntentBound)
    case .appIntentUnbound: .intent(.appIntentUnbound)
    case .appOutcomeRecorded: .intent(.appOutcomeRecorded)
    case .appWorkBegun: .work(.appWorkBegun)
    case .appWorkEnded: .work(.appWorkEnded)
    case .appLockTaken: .work(.appLockTaken)
    case .appLockReleased: .work(.appLockReleased)
    case .appLockTimedOut: .work(.appLockTimedOut)
    case .appSecretRead: .secret(.appSecretRead)
    case .appSecretDeleted: .secret(.appSecretDeleted)
    case .appBeatExpected: .beat(.appBeatExpected)
    case .appBeatSent: .beat(.appBeatSent)
    case .assertionBegun: .assertion(.assertionBegun)
    case .assertionExpired: .assertion(.assertionExpired)
    case .assertionEnded: .assertion(.assertionEnded)
    case .assertionOverdue: .assertion(.assertionOverdue)
    case .deadmanArmed: .alarm(.deadmanArmed)
    case .deadmanChecked: .alarm(.deadmanChecked)
    case .deadmanDisarmed: .alarm(.deadmanDisarmed)
    case .deadmanFired: .alarm(.deadmanFired)
    case .triggerArmed: .trigger(.triggerArmed)
    case .triggerFired: .trigger(.triggerFired)
    case .multipartStarted: .upload(.multipartStarted)
    case .multipartPartStored: .upload(.multipartPartStored)
    case .multipartCompleted: .upload(.multipartCompleted)
    case .multipartAborted: .upload(.multipartAborted)
    case .networkPathChanged: .network(.networkPathChanged)
    case .appCapabilitiesRecorded: .condition(.appCapabilitiesRecorded)
    case .powerChanged: .condition(.powerChanged)
    case .diskSpaceSampled: .condition(.diskSpaceSampled)
    case .protectionEnabled: .condition(.protectionEnabled)
    case .protectionDisabled: .condition(.protectionDisabled)
    case .policyChanged: .condition(.policyChanged)
    case .diskOpenFailed: .storage(.diskOpenFailed)
    case .diskLeftOverFound: .storage(.diskLeftOverFound)
    case .logLevelsThinned, .appJournalSaved, .appNoted, .messageDebug, .messageInfo, .messageDefault, .messageError,
      .messageFault, .signpostBegun, .signpostEnded, .signpostEmitted, .activityBegun, .activityEnded, .cacheAnswered,
      .cacheMissed, .cacheStored, .cacheRemoved, .importFileOpened, .importWriterFound, .importEventRead,
      .importGapFound, .importGapEnded, .importFileRead, .importFileIncomplete: .unconsumed
    }
  }
}
