/// A fault that a lifecycle contains on purpose.
enum InjectedCause: String, CaseIterable {
  // Faults of the app's code for one task.
  case fileMovedLate, fileLeft, folderMissing, folderInTheWay, errorPageKept, emptyAnswerKept, shortBodyKept, portalPageKept
  case startedTwice, twoOutcomes, recordedAfterResume, uploadFileMissing, uploadFileDeletedEarly, uploadFileChanged
  case resumeDataIgnored, resumeDataDamaged, resumeDataUsedTwice, retriedAtOnce, oneDictionary, credentialsSentToAll
  // Faults of the app's sessions.
  case dataTaskInBackground, handlerTaskInBackground, taskOnInvalidSession, noDelegate, sessionMadeTwice, sessionReissued
  case sessionPerRequest
  // Faults of the server.
  case redirectCircle, credentialsNeededAfterRedirect, orderSentTwice, rangeRefusedAgain, resourceChanged, partSentAsWhole
  case answerCut, uploadExpired, offsetConflict, tooSlow, waitedInQueue, progressFell
  // Faults that show only later.
  case neverResumed, challengeUnanswered, redirectUnanswered, delayUnanswered, bodyStopped, temporaryFileKept, recordDeleted
  case addressExpired, networkNotAllowed, noRoute, connectionsHeld, discretionaryOnBattery, timeoutsHidden
  // Faults in a launch for background events.
  case handlerNeverCalled, handlerCalledEarly, handlerCalledTwice, handlerCalledOffMain, handlersOverwritten, otherHandlerCalled
  case sessionNotRecreated, otherSessionCreated, newIdentifierEachLaunch, wakeTimeExceeded, crashInEachWake, programRemoved
  case createdInWake, noLaunchEvents, settingsChanged
  // Events of the device, the daemon and the process while transfers run.
  case forceQuit, daemonKilled, daemonStateDeleted, backgroundRefreshOff, killedInTransfer, crashedInCallback, sessionCancelled
  case suspendedInTransfer, exitedInCallback

  /// The rules that diagnose the cause correctly.
  var rules: Set<String> {
    switch self {
    case .fileMovedLate, .fileLeft: ["temp-file-not-moved"]
    case .folderMissing, .folderInTheWay: ["claim-failed-destination"]
    case .errorPageKept: ["http-error-as-success"]
    case .emptyAnswerKept: ["zero-byte-success"]
    case .shortBodyKept: ["truncated-body"]
    case .portalPageKept: ["wrong-content"]
    case .startedTwice: ["duplicate-transfer"]
    case .twoOutcomes: ["contradictory-completion"]
    case .recordedAfterResume: ["started-before-recorded"]
    case .uploadFileMissing: ["upload-source-missing"]
    case .uploadFileDeletedEarly: ["upload-source-deleted-too-early"]
    case .uploadFileChanged: ["upload-source-changed"]
    case .resumeDataIgnored: ["resume-data-discarded"]
    case .resumeDataDamaged: ["resume-data-invalid"]
    case .resumeDataUsedTwice: ["resume-data-reused"]
    case .retriedAtOnce: ["retry-storm"]
    case .oneDictionary: ["task-id-collision-across-sessions"]
    case .credentialsSentToAll: ["auth-leaked-on-redirect"]
    case .dataTaskInBackground: ["unsupported-in-background"]
    case .handlerTaskInBackground: ["handler-task-in-background-session"]
    case .taskOnInvalidSession: ["task-created-on-invalid-session"]
    case .noDelegate: ["delegate-missing"]
    case .sessionMadeTwice: ["duplicate-session-identifier"]
    case .sessionReissued: ["invalidated-session-reissued"]
    case .sessionPerRequest: ["session-leak"]
    case .redirectCircle: ["redirect-loop"]
    case .credentialsNeededAfterRedirect: ["auth-lost-on-redirect"]
    case .orderSentTwice: ["non-idempotent-replay"]
    case .rangeRefusedAgain: ["range-416-loop"]
    case .resourceChanged: ["resume-restarted"]
    case .partSentAsWhole: ["resume-range-shifted"]
    case .answerCut: ["retry-after-success"]
    case .uploadExpired: ["remote-upload-session-expired"]
    case .offsetConflict: ["resume-offset-conflict"]
    case .tooSlow: ["resource-timeout"]
    case .waitedInQueue: ["request-timeout-while-queued"]
    case .progressFell: ["progress-regressed"]
    case .neverResumed: ["invisible-unstarted-task"]
    case .challengeUnanswered: ["challenge-unanswered"]
    case .redirectUnanswered: ["redirect-unanswered"]
    case .delayUnanswered: ["begin-delay-unanswered"]
    case .bodyStopped: ["stalled-transfer"]
    case .temporaryFileKept: ["leaked-upload-temp-file"]
    case .recordDeleted: ["completion-discarded-by-consumer"]
    case .addressExpired: ["credential-expired-while-queued"]
    case .networkNotAllowed: ["network-policy-blocked"]
    case .noRoute: ["waits-for-connectivity-forever"]
    case .connectionsHeld: ["connection-slot-starvation"]
    case .discretionaryOnBattery: ["discretionary-starvation"]
    case .timeoutsHidden: ["request-timeout-masked-by-retry"]
    case .handlerNeverCalled: ["missed-completion-handler"]
    case .handlerCalledEarly: ["completion-handler-called-too-early"]
    case .handlerCalledTwice: ["completion-handler-called-twice"]
    case .handlerCalledOffMain: ["completion-handler-called-off-main-thread"]
    case .handlersOverwritten: ["completion-handler-overwritten"]
    case .otherHandlerCalled: ["completion-handler-for-wrong-session"]
    case .sessionNotRecreated: ["session-not-recreated-after-relaunch"]
    case .otherSessionCreated: ["wrong-identifier-recreated"]
    case .newIdentifierEachLaunch: ["ephemeral-identifier"]
    case .wakeTimeExceeded: ["wake-window-expired"]
    case .crashInEachWake: ["background-launch-crash-loop"]
    case .programRemoved: ["wake-never-happened"]
    case .createdInWake: ["resume-rate-limited"]
    case .noLaunchEvents: ["relaunch-suppressed"]
    case .settingsChanged: ["relaunch-config-drift"]
    case .forceQuit: ["force-quit-cancelled"]
    case .daemonKilled: ["daemon-crash"]
    case .daemonStateDeleted: ["daemon-restart-lost-tasks"]
    case .backgroundRefreshOff: ["background-updates-disabled-cancel"]
    case .killedInTransfer: ["crash-mid-transfer"]
    case .crashedInCallback, .exitedInCallback: ["lost-completion"]
    case .sessionCancelled: ["session-invalidated-while-tasks-run"]
    case .suspendedInTransfer: ["foreground-transfer-frozen"]
    }
  }

  /// Rules that may report a documented consequence of the cause, below the finding that names the cause.
  var consequences: Set<String> {
    switch self {
    // The session without a delegate is invalid.
    case .noDelegate: ["task-created-on-invalid-session"]
    // The download starts again without a range.
    case .rangeRefusedAgain: ["resume-restarted"]
    // The handler that was replaced or kept is not called.
    case .handlersOverwritten, .sessionNotRecreated: ["missed-completion-handler"]
    // The app is woken again with another handler while its callback still runs.
    case .wakeTimeExceeded: ["missed-completion-handler", "completion-handler-overwritten"]
    case .otherHandlerCalled: ["completion-handler-called-too-early"]
    case .newIdentifierEachLaunch: ["wrong-identifier-recreated", "missed-completion-handler"]
    default: []
    }
  }
}
