// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

extension EventKind {
  /// Whether levels, filters and rate limits may drop the event.
  @inlinable package var importance: Importance {
    switch self {
    case .attemptBytesReceived, .attemptBytesSent: .progress
    case .messageDebug, .messageInfo, .signpostBegun, .signpostEnded, .signpostEmitted, .cacheMissed: .diagnostic
    default: .lifecycle
    }
  }
}

extension EventKind {
  /// The pair that the event opens or closes.
  @inlinable package var pairing: EventPairing? {
    switch self {
    case .sessionConnectStarted: .opens(.connection)
    case .sessionConnected: .closes(.connection)
    case .sessionConnectFailed: .closes(.connection)
    case .sessionTasksQueried: .opens(.query)
    case .sessionTasksAnswered: .closes(.query)
    case .taskDelayAsked: .opens(.delay)
    case .taskDelayAnswered: .closes(.delay)
    case .attemptStarted: .opens(.attempt)
    case .attemptEnded: .closes(.attempt)
    case .attemptChallengeReceived: .opens(.challenge)
    case .attemptChallengeAnswered: .closes(.challenge)
    case .attemptRedirectReceived: .opens(.redirect)
    case .attemptRedirectAnswered: .closes(.redirect)
    case .deliveryEntered: .opens(.callback)
    case .deliveryLeft: .closes(.callback)
    case .appWorkBegun: .opens(.work)
    case .appWorkEnded: .closes(.work)
    case .assertionBegun: .opens(.assertion)
    case .assertionExpired: .closes(.assertion)
    case .assertionEnded: .closes(.assertion)
    default: nil
    }
  }

  /// Whether the replay counts the events of this kind per process: both ends of pairs, events that a level may leave out, and
  /// completed tasks.
  @inlinable package var isTallied: Bool {
    switch self {
    case .sessionConnectStarted, .sessionConnected, .sessionConnectFailed, .sessionTasksQueried, .sessionTasksAnswered,
      .taskDelayAsked, .taskDelayAnswered, .taskCompleted, .attemptStarted, .attemptEnded, .attemptChallengeReceived,
      .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered, .deliveryEntered, .deliveryLeft,
      .appWorkBegun, .appWorkEnded, .assertionBegun, .assertionExpired, .assertionEnded, .messageDebug, .messageInfo,
      .signpostBegun, .signpostEnded, .signpostEmitted, .cacheMissed: true
    default: false
    }
  }
}

extension EventPair {
  /// The event that closes the pair if nothing fails.
  package var end: EventKind {
    switch self {
    case .attempt: .attemptEnded
    case .callback: .deliveryLeft
    case .challenge: .attemptChallengeAnswered
    case .redirect: .attemptRedirectAnswered
    case .delay: .taskDelayAnswered
    case .connection: .sessionConnected
    case .query: .sessionTasksAnswered
    case .assertion: .assertionEnded
    case .work: .appWorkEnded
    }
  }
}

/// A family whose events must occur in an allowed order for each subject.
@usableFromInline package enum OrderedFamily: Sendable {
  /// A task, from its creation until it is forgotten.
  case task
  /// One attempt of a task.
  case attempt
  /// The downloaded or uploaded file of a task.
  case file
  /// One callback, from the moment it is queued until the app's code returns.
  case delivery
  /// A multipart upload.
  case multipart
}

extension EventKind {
  /// The family that determines the event's allowed order. `nil` if the order is not checked.
  @inlinable package var orderedFamily: OrderedFamily? {
    switch self {
    case .taskCreated, .taskResumed, .taskSuspended, .taskCancelRequested, .taskHeld, .taskHoldEnded, .taskDelayAsked,
      .taskDelayAnswered, .taskAdopted, .taskTransferred, .taskCompleted, .taskAcknowledged, .taskForgotten,
      .taskHandedOff, .taskChanged, .taskCoalesced, .taskObserved: .task
    case .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived,
      .attemptBytesReceived, .attemptBytesSent, .attemptEnded, .attemptNetworkAwaited, .attemptChallengeReceived,
      .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered: .attempt
    case .fileOffered, .fileClaimed, .fileReaped, .fileDeleted, .fileUnclaimed: .file
    case .deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft, .deliveryDropped: .delivery
    case .multipartStarted, .multipartPartStored, .multipartCompleted, .multipartAborted: .multipart
    default: nil
    }
  }

  /// Whether the event may directly follow `previous` among the events of one family and subject.
  ///
  /// - Parameter previous: `nil` if the event is the first of its subject.
  @inlinable package func mayFollow(_ previous: EventKind?) -> Bool {
    switch self {
    case .logOpened:
      switch previous {
      case nil, .logRotated, .logClosed: true
      default: false
      }
    case .processStarted:
      switch previous {
      case nil: true
      default: false
      }
    case .processStateChanged:
      switch previous {
      case .processStarted, .processStateChanged, .processTerminationAnnounced: true
      default: false
      }
    case .processExited:
      switch previous {
      case .processStarted, .processStateChanged, .processTerminationAnnounced: true
      default: false
      }
    case .processExitObserved:
      switch previous {
      case nil, .processStarted, .processStateChanged, .processTerminationAnnounced, .processExited,
        .processExitObserved: true
      default: false
      }
    case .processTerminationAnnounced:
      switch previous {
      case .processStarted, .processStateChanged: true
      default: false
      }
    case .daemonRecovered:
      switch previous {
      case .daemonStarted: true
      default: false
      }
    case .linkConnected:
      switch previous {
      case nil, .linkDisconnected: true
      default: false
      }
    case .linkDisconnected:
      switch previous {
      case .linkConnected: true
      default: false
      }
    case .sessionCreated:
      switch previous {
      case nil: true
      default: false
      }
    case .sessionConnected:
      switch previous {
      case .sessionConnectStarted: true
      default: false
      }
    case .sessionConnectFailed:
      switch previous {
      case .sessionConnectStarted: true
      default: false
      }
    case .sessionInvalidated:
      switch previous {
      case .sessionInvalidationRequested, .sessionConnectFailed, .sessionEventsFinished, .sessionTasksQueried,
        .sessionTasksAnswered: true
      default: false
      }
    case .wakeWanted:
      switch previous {
      case nil: true
      default: false
      }
    case .wakeHeld:
      switch previous {
      case .wakeWanted, .wakeHeld: true
      default: false
      }
    case .wakeLaunched:
      switch previous {
      case .wakeWanted, .wakeHeld: true
      default: false
      }
    case .wakeDelivered:
      switch previous {
      case nil, .wakeWanted, .wakeHeld, .wakeLaunched, .wakeDeadlineSet: true
      default: false
      }
    case .wakeHandlerStored:
      switch previous {
      case .wakeDelivered, .wakeDeadlineSet: true
      default: false
      }
    case .wakeHandlerCalled:
      switch previous {
      case .wakeDelivered, .wakeHandlerStored, .wakeDeadlineSet, .wakeDeadlinePassed: true
      default: false
      }
    case .wakeHandlerReleased:
      switch previous {
      case .wakeDelivered, .wakeHandlerStored, .wakeHandlerCalled, .wakeDeadlineSet, .wakeDeadlinePassed: true
      default: false
      }
    case .wakeDeadlineSet:
      switch previous {
      case .wakeWanted, .wakeHeld, .wakeLaunched, .wakeDelivered, .wakeHandlerStored: true
      default: false
      }
    case .wakeDeadlinePassed:
      switch previous {
      case .wakeDelivered, .wakeHandlerStored, .wakeDeadlineSet: true
      default: false
      }
    case .taskCreated:
      switch previous {
      case nil: true
      default: false
      }
    case .taskResumed:
      switch previous {
      case .taskCreated, .taskSuspended, .taskResumed, .taskHeld, .taskHoldEnded, .taskAdopted, .taskDelayAnswered,
        .taskChanged, .taskCoalesced: true
      default: false
      }
    case .taskSuspended:
      switch previous {
      case .taskCreated, .taskResumed, .taskHeld, .taskHoldEnded, .taskAdopted, .taskSuspended, .taskChanged,
        .taskCoalesced: true
      default: false
      }
    case .taskCancelRequested:
      switch previous {
      case .taskCreated, .taskResumed, .taskSuspended, .taskHeld, .taskHoldEnded, .taskAdopted, .taskDelayAsked,
        .taskDelayAnswered, .taskTransferred, .taskCancelRequested, .taskHandedOff, .taskChanged, .taskCoalesced: true
      default: false
      }
    case .taskHeld:
      switch previous {
      case .taskCreated, .taskResumed, .taskHoldEnded, .taskAdopted, .taskHeld, .taskDelayAsked, .taskDelayAnswered,
        .taskChanged: true
      default: false
      }
    case .taskHoldEnded:
      switch previous {
      case .taskHeld, .taskAdopted, .taskSuspended, .taskResumed, .taskChanged: true
      default: false
      }
    case .taskDelayAsked:
      switch previous {
      case .taskResumed, .taskHeld, .taskHoldEnded, .taskAdopted, .taskChanged: true
      default: false
      }
    case .taskDelayAnswered:
      switch previous {
      case .taskDelayAsked: true
      default: false
      }
    case .taskAdopted:
      switch previous {
      case nil, .taskCreated, .taskResumed, .taskSuspended, .taskHeld, .taskHoldEnded, .taskTransferred, .taskAdopted,
        .taskCancelRequested, .taskDelayAsked, .taskCompleted: true
      default: false
      }
    case .taskTransferred:
      switch previous {
      case .taskCreated, .taskResumed, .taskHeld, .taskHoldEnded, .taskAdopted, .taskCancelRequested, .taskSuspended,
        .taskDelayAnswered, .taskHandedOff, .taskChanged, .taskCoalesced: true
      default: false
      }
    case .taskCompleted:
      switch previous {
      case .taskTransferred, .taskAdopted, .taskCancelRequested, .taskCompleted, .taskCreated, .taskResumed,
        .taskSuspended, .taskHeld, .taskHoldEnded, .taskDelayAnswered, .taskHandedOff, .taskChanged, .taskCoalesced: true
      default: false
      }
    case .taskAcknowledged:
      switch previous {
      case .taskCompleted, .taskTransferred, .taskCancelRequested, .taskChanged: true
      default: false
      }
    case .taskForgotten:
      switch previous {
      case .taskCreated, .taskResumed, .taskSuspended, .taskHeld, .taskHoldEnded, .taskAdopted, .taskTransferred,
        .taskCompleted, .taskAcknowledged, .taskCancelRequested, .taskChanged: true
      default: false
      }
    case .attemptStarted:
      switch previous {
      case nil, .attemptEnded: true
      default: false
      }
    case .attemptConnectionAcquired:
      switch previous {
      case .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived,
        .attemptBytesReceived, .attemptBytesSent, .attemptRedirectAnswered, .attemptChallengeAnswered,
        .attemptNetworkAwaited: true
      default: false
      }
    case .attemptRequestSent:
      switch previous {
      case .attemptStarted, .attemptConnectionAcquired, .attemptBytesSent, .attemptRedirectAnswered,
        .attemptChallengeAnswered, .attemptNetworkAwaited: true
      default: false
      }
    case .attemptResponseReceived:
      switch previous {
      case .attemptRequestSent, .attemptBytesSent, .attemptBytesReceived, .attemptConnectionAcquired,
        .attemptResponseReceived, .attemptStarted: true
      default: false
      }
    case .attemptBytesReceived:
      switch previous {
      case .attemptRequestSent, .attemptResponseReceived, .attemptBytesReceived, .attemptRedirectAnswered,
        .attemptChallengeAnswered: true
      default: false
      }
    case .attemptBytesSent:
      switch previous {
      case .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptBytesSent: true
      default: false
      }
    case .attemptEnded:
      switch previous {
      case .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived,
        .attemptBytesReceived, .attemptBytesSent, .attemptNetworkAwaited, .attemptChallengeReceived,
        .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered: true
      default: false
      }
    case .attemptNetworkAwaited:
      switch previous {
      case .attemptStarted, .attemptNetworkAwaited, .attemptRedirectAnswered, .attemptChallengeAnswered,
        .attemptResponseReceived, .attemptBytesReceived: true
      default: false
      }
    case .attemptChallengeReceived:
      switch previous {
      case .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent, .attemptBytesSent,
        .attemptResponseReceived, .attemptBytesReceived, .attemptChallengeAnswered: true
      default: false
      }
    case .attemptChallengeAnswered:
      switch previous {
      case .attemptChallengeReceived: true
      default: false
      }
    case .attemptRedirectReceived:
      switch previous {
      case .attemptResponseReceived, .attemptBytesReceived: true
      default: false
      }
    case .attemptRedirectAnswered:
      switch previous {
      case .attemptRedirectReceived: true
      default: false
      }
    case .fileOffered:
      switch previous {
      case nil, .fileReaped, .fileClaimed, .fileUnclaimed, .fileOffered: true
      default: false
      }
    case .fileClaimed:
      switch previous {
      case .fileOffered, .fileClaimed, .fileUnclaimed, .fileReaped: true
      default: false
      }
    case .fileReaped:
      switch previous {
      case .fileOffered, .fileClaimed, .fileUnclaimed: true
      default: false
      }
    case .fileUnclaimed:
      switch previous {
      case .fileOffered, .fileClaimed: true
      default: false
      }
    case .deliverySent:
      switch previous {
      case nil, .deliverySent, .deliveryReceived, .deliveryEntered, .deliveryLeft: true
      default: false
      }
    case .deliveryReceived:
      switch previous {
      case nil, .deliverySent: true
      default: false
      }
    case .deliveryEntered:
      switch previous {
      case .deliveryReceived: true
      default: false
      }
    case .deliveryLeft:
      switch previous {
      case .deliveryEntered: true
      default: false
      }
    case .deliveryDropped:
      switch previous {
      case .deliverySent, .deliveryReceived, .deliveryEntered: true
      default: false
      }
    case .assertionBegun:
      switch previous {
      case nil: true
      default: false
      }
    case .assertionExpired:
      switch previous {
      case .assertionBegun: true
      default: false
      }
    case .assertionEnded:
      switch previous {
      case .assertionBegun, .assertionExpired: true
      default: false
      }
    case .deadmanArmed:
      switch previous {
      case nil, .deadmanDisarmed, .deadmanChecked, .deadmanArmed: true
      default: false
      }
    case .deadmanChecked:
      switch previous {
      case .deadmanArmed, .deadmanChecked: true
      default: false
      }
    case .deadmanDisarmed:
      switch previous {
      case .deadmanArmed, .deadmanChecked, .deadmanFired: true
      default: false
      }
    case .deadmanFired:
      switch previous {
      case .deadmanArmed, .deadmanChecked, .deadmanFired: true
      default: false
      }
    case .triggerArmed:
      switch previous {
      case nil, .triggerFired, .triggerArmed: true
      default: false
      }
    case .triggerFired:
      switch previous {
      case .triggerArmed, .triggerFired: true
      default: false
      }
    case .multipartStarted:
      switch previous {
      case nil: true
      default: false
      }
    case .multipartPartStored:
      switch previous {
      case .multipartStarted, .multipartPartStored: true
      default: false
      }
    case .multipartCompleted:
      switch previous {
      case .multipartStarted, .multipartPartStored: true
      default: false
      }
    case .multipartAborted:
      switch previous {
      case .multipartStarted, .multipartPartStored: true
      default: false
      }
    case .activityBegun:
      switch previous {
      case nil: true
      default: false
      }
    case .activityEnded:
      switch previous {
      case .activityBegun: true
      default: false
      }
    default: true
    }
  }
}

extension EventKind {
  /// The level of the event.
  package var level: Level {
    switch self {
    case .logOpened, .logClosed, .logRotated, .logHeartbeatWritten, .logLevelsChanged, .clockSampled,
      .logSegmentsRemoved, .logLevelsThinned, .processStarted, .processStateChanged, .processExited,
      .processTerminationAnnounced, .daemonStarted, .daemonRecovered, .daemonExited, .daemonTasksListed,
      .linkConnected, .linkDisconnected, .sessionCreated, .sessionReused, .sessionConnectStarted, .sessionConnected,
      .sessionInvalidationRequested, .sessionInvalidated, .sessionReleased, .sessionEventsFinished,
      .sessionTasksQueried, .sessionTasksAnswered, .sessionConfigured, .sessionSettingAdjusted, .wakeWanted, .wakeHeld,
      .wakeLaunched, .wakeDelivered, .wakeHandlerStored, .wakeHandlerCalled, .wakeHandlerReleased, .wakeDeadlineSet,
      .taskCreated, .taskResumed, .taskSuspended, .taskCancelRequested, .taskHeld, .taskHoldEnded, .taskDelayAsked,
      .taskDelayAnswered, .taskAdopted, .taskTransferred, .taskCompleted, .taskAcknowledged, .taskForgotten,
      .taskHandedOff, .taskChanged, .taskCoalesced, .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent,
      .attemptResponseReceived, .attemptBytesReceived, .attemptBytesSent, .attemptEnded, .attemptNetworkAwaited,
      .attemptChallengeReceived, .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered,
      .fileOffered, .fileClaimed, .fileReaped, .fileDeleted, .fileUnclaimed, .deliverySent, .deliveryReceived,
      .deliveryEntered, .deliveryLeft, .appIntentDeclared, .appIntentBound, .appIntentUnbound, .appOutcomeRecorded,
      .appListenerAttached, .appWorkBegun, .appWorkEnded, .appJournalSaved, .appCapabilitiesRecorded, .appNoted,
      .appBeatExpected, .appBeatSent, .appSecretRead, .appSecretDeleted, .assertionBegun, .assertionEnded,
      .deadmanArmed, .deadmanChecked, .deadmanDisarmed, .triggerArmed, .triggerFired, .networkPathChanged,
      .powerChanged, .diskSpaceSampled, .protectionEnabled, .protectionDisabled, .policyChanged, .multipartStarted,
      .multipartPartStored, .multipartCompleted, .multipartAborted, .messageDefault, .activityBegun, .activityEnded,
      .cacheAnswered, .cacheStored, .cacheRemoved, .diskLeftOverFound, .appLockTaken, .appLockReleased, .taskObserved,
      .sessionObserved, .importFileOpened, .importWriterFound, .importEventRead, .importGapFound, .importGapEnded,
      .importFileRead, .importFileIncomplete: .default
    case .logDropped, .logLevelsIgnored, .logSyncFailed, .processExitObserved, .sessionConnectFailed,
      .wakeDeadlinePassed, .taskRejected, .taskCreationFailed, .deliveryDropped, .assertionExpired, .deadmanFired,
      .messageError, .diskOpenFailed, .appLockTimedOut, .logStalled, .assertionOverdue, .processAssertionTimedOut,
      .processLaunchFailed, .processWatchdogWithheld: .error
    case .messageDebug: .debug
    case .messageInfo, .signpostBegun, .signpostEnded, .signpostEmitted, .cacheMissed: .info
    case .messageFault: .fault
    }
  }
}

extension EventKind {
  /// The roles that can write the event.
  package var writerRoles: WriterRoles {
    switch self {
    case .logOpened, .logClosed, .logRotated, .logDropped, .logHeartbeatWritten, .logLevelsChanged, .logLevelsIgnored,
      .clockSampled, .logSyncFailed, .logSegmentsRemoved, .logLevelsThinned, .processStarted, .processStateChanged,
      .processExited, .processExitObserved, .messageDebug, .messageInfo, .messageDefault, .messageError, .messageFault,
      .signpostBegun, .signpostEnded, .signpostEmitted, .activityBegun, .activityEnded, .logStalled, .taskObserved,
      .sessionObserved, .processAssertionTimedOut, .processLaunchFailed, .processWatchdogWithheld:
      WriterRoles([.app, .engine, .daemon, .recorder, .tool, .appExtension, .system])
    case .processTerminationAnnounced, .appIntentDeclared, .appOutcomeRecorded, .appNoted:
      WriterRoles([.app, .engine, .recorder, .tool, .appExtension])
    case .daemonStarted, .daemonRecovered, .daemonExited, .daemonTasksListed, .wakeWanted, .wakeHeld, .wakeLaunched,
      .taskForgotten, .deadmanFired:
      WriterRoles([.daemon])
    case .linkConnected, .linkDisconnected, .sessionConfigured, .sessionSettingAdjusted, .wakeDeadlineSet,
      .wakeDeadlinePassed, .taskChanged, .taskCoalesced, .cacheAnswered, .cacheMissed, .cacheStored, .cacheRemoved:
      WriterRoles([.app, .engine, .daemon, .appExtension])
    case .sessionCreated, .sessionInvalidationRequested, .sessionInvalidated, .sessionReleased, .taskCreated,
      .taskRejected, .taskResumed, .taskSuspended, .taskCancelRequested, .taskHeld, .taskHoldEnded, .taskTransferred,
      .taskCompleted, .taskAcknowledged, .taskHandedOff, .taskCreationFailed, .attemptStarted,
      .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived, .attemptBytesReceived,
      .attemptBytesSent, .attemptEnded, .attemptNetworkAwaited, .attemptChallengeReceived, .attemptChallengeAnswered,
      .attemptRedirectReceived, .attemptRedirectAnswered, .fileOffered, .fileReaped, .fileDeleted, .deliverySent,
      .deadmanDisarmed, .triggerFired, .networkPathChanged, .powerChanged, .diskSpaceSampled, .protectionEnabled,
      .protectionDisabled, .policyChanged, .diskOpenFailed, .diskLeftOverFound:
      WriterRoles([.app, .engine, .daemon, .recorder, .appExtension])
    case .sessionReused, .sessionConnectStarted, .sessionConnected, .sessionConnectFailed, .taskDelayAsked,
      .taskDelayAnswered:
      WriterRoles([.app, .engine, .appExtension])
    case .sessionEventsFinished, .sessionTasksQueried, .sessionTasksAnswered, .wakeDelivered, .wakeHandlerStored,
      .wakeHandlerCalled, .wakeHandlerReleased, .taskAdopted, .fileClaimed, .fileUnclaimed, .deliveryReceived,
      .deliveryEntered, .deliveryLeft, .deliveryDropped, .appIntentBound, .appIntentUnbound, .appListenerAttached,
      .appWorkBegun, .appWorkEnded, .appJournalSaved, .appCapabilitiesRecorded, .appBeatExpected, .appBeatSent,
      .appSecretRead, .appSecretDeleted, .assertionBegun, .assertionExpired, .assertionEnded, .deadmanArmed,
      .deadmanChecked, .triggerArmed, .multipartStarted, .multipartPartStored, .multipartCompleted, .multipartAborted,
      .appLockTaken, .appLockReleased, .appLockTimedOut, .assertionOverdue:
      WriterRoles([.app, .engine, .recorder, .appExtension])
    case .importFileOpened, .importWriterFound, .importEventRead, .importGapFound, .importGapEnded, .importFileRead,
      .importFileIncomplete:
      WriterRoles([.tool])
    }
  }
}

extension EventKind {
  /// Whether the event is the cause or the effect of another one.
  @inlinable package var isCausal: Bool {
    switch self {
    case .wakeLaunched, .wakeDelivered, .deliverySent, .processStarted, .wakeHandlerCalled, .deliveryReceived: true
    default: false
    }
  }
}

extension EventView {
  /// Returns the key that joins an event of this kind with its effect. `nil` if the event has no effect.
  package func keyOfEffect(_ kind: EventKind) -> CausalKey? {
    switch kind {
    case .wakeLaunched: launch.map { CausalKey(.processStarted, high: $0.high, low: $0.low) }
    case .wakeDelivered: handler.map { CausalKey(.wakeHandlerCalled, low: $0.rawValue) }
    case .deliverySent: delivery.map { CausalKey(.deliveryReceived, low: $0.rawValue) }
    default: nil
    }
  }

  /// Returns the key that joins an event of this kind with its cause. `nil` if the event has no cause.
  package func keyOfCause(_ kind: EventKind) -> CausalKey? {
    switch kind {
    case .processStarted where startReason == .transfer: launch.map { CausalKey(.processStarted, high: $0.high, low: $0.low) }
    case .wakeHandlerCalled: handler.map { CausalKey(.wakeHandlerCalled, low: $0.rawValue) }
    case .deliveryReceived: delivery.map { CausalKey(.deliveryReceived, low: $0.rawValue) }
    default: nil
    }
  }
}
