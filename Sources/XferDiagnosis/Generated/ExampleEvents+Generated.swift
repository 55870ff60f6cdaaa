// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

import XferEvents

// Citations of every event of a kind.
extension Citation {
  static var logOpened: Citation { .every(.logOpened) }
  static var logClosed: Citation { .every(.logClosed) }
  static var logRotated: Citation { .every(.logRotated) }
  static var logDropped: Citation { .every(.logDropped) }
  static var logHeartbeatWritten: Citation { .every(.logHeartbeatWritten) }
  static var logLevelsChanged: Citation { .every(.logLevelsChanged) }
  static var logLevelsIgnored: Citation { .every(.logLevelsIgnored) }
  static var clockSampled: Citation { .every(.clockSampled) }
  static var logSyncFailed: Citation { .every(.logSyncFailed) }
  static var logSegmentsRemoved: Citation { .every(.logSegmentsRemoved) }
  static var logLevelsThinned: Citation { .every(.logLevelsThinned) }
  static var processStarted: Citation { .every(.processStarted) }
  static var processStateChanged: Citation { .every(.processStateChanged) }
  static var processExited: Citation { .every(.processExited) }
  static var processExitObserved: Citation { .every(.processExitObserved) }
  static var processTerminationAnnounced: Citation { .every(.processTerminationAnnounced) }
  static var daemonStarted: Citation { .every(.daemonStarted) }
  static var daemonRecovered: Citation { .every(.daemonRecovered) }
  static var daemonExited: Citation { .every(.daemonExited) }
  static var daemonTasksListed: Citation { .every(.daemonTasksListed) }
  static var linkConnected: Citation { .every(.linkConnected) }
  static var linkDisconnected: Citation { .every(.linkDisconnected) }
  static var sessionCreated: Citation { .every(.sessionCreated) }
  static var sessionReused: Citation { .every(.sessionReused) }
  static var sessionConnectStarted: Citation { .every(.sessionConnectStarted) }
  static var sessionConnected: Citation { .every(.sessionConnected) }
  static var sessionConnectFailed: Citation { .every(.sessionConnectFailed) }
  static var sessionInvalidationRequested: Citation { .every(.sessionInvalidationRequested) }
  static var sessionInvalidated: Citation { .every(.sessionInvalidated) }
  static var sessionReleased: Citation { .every(.sessionReleased) }
  static var sessionEventsFinished: Citation { .every(.sessionEventsFinished) }
  static var sessionTasksQueried: Citation { .every(.sessionTasksQueried) }
  static var sessionTasksAnswered: Citation { .every(.sessionTasksAnswered) }
  static var sessionConfigured: Citation { .every(.sessionConfigured) }
  static var sessionSettingAdjusted: Citation { .every(.sessionSettingAdjusted) }
  static var wakeWanted: Citation { .every(.wakeWanted) }
  static var wakeHeld: Citation { .every(.wakeHeld) }
  static var wakeLaunched: Citation { .every(.wakeLaunched) }
  static var wakeDelivered: Citation { .every(.wakeDelivered) }
  static var wakeHandlerStored: Citation { .every(.wakeHandlerStored) }
  static var wakeHandlerCalled: Citation { .every(.wakeHandlerCalled) }
  static var wakeHandlerReleased: Citation { .every(.wakeHandlerReleased) }
  static var wakeDeadlineSet: Citation { .every(.wakeDeadlineSet) }
  static var wakeDeadlinePassed: Citation { .every(.wakeDeadlinePassed) }
  static var taskCreated: Citation { .every(.taskCreated) }
  static var taskRejected: Citation { .every(.taskRejected) }
  static var taskResumed: Citation { .every(.taskResumed) }
  static var taskSuspended: Citation { .every(.taskSuspended) }
  static var taskCancelRequested: Citation { .every(.taskCancelRequested) }
  static var taskHeld: Citation { .every(.taskHeld) }
  static var taskHoldEnded: Citation { .every(.taskHoldEnded) }
  static var taskDelayAsked: Citation { .every(.taskDelayAsked) }
  static var taskDelayAnswered: Citation { .every(.taskDelayAnswered) }
  static var taskAdopted: Citation { .every(.taskAdopted) }
  static var taskTransferred: Citation { .every(.taskTransferred) }
  static var taskCompleted: Citation { .every(.taskCompleted) }
  static var taskAcknowledged: Citation { .every(.taskAcknowledged) }
  static var taskForgotten: Citation { .every(.taskForgotten) }
  static var taskHandedOff: Citation { .every(.taskHandedOff) }
  static var taskChanged: Citation { .every(.taskChanged) }
  static var taskCoalesced: Citation { .every(.taskCoalesced) }
  static var taskCreationFailed: Citation { .every(.taskCreationFailed) }
  static var attemptStarted: Citation { .every(.attemptStarted) }
  static var attemptConnectionAcquired: Citation { .every(.attemptConnectionAcquired) }
  static var attemptRequestSent: Citation { .every(.attemptRequestSent) }
  static var attemptResponseReceived: Citation { .every(.attemptResponseReceived) }
  static var attemptBytesReceived: Citation { .every(.attemptBytesReceived) }
  static var attemptBytesSent: Citation { .every(.attemptBytesSent) }
  static var attemptEnded: Citation { .every(.attemptEnded) }
  static var attemptNetworkAwaited: Citation { .every(.attemptNetworkAwaited) }
  static var attemptChallengeReceived: Citation { .every(.attemptChallengeReceived) }
  static var attemptChallengeAnswered: Citation { .every(.attemptChallengeAnswered) }
  static var attemptRedirectReceived: Citation { .every(.attemptRedirectReceived) }
  static var attemptRedirectAnswered: Citation { .every(.attemptRedirectAnswered) }
  static var fileOffered: Citation { .every(.fileOffered) }
  static var fileClaimed: Citation { .every(.fileClaimed) }
  static var fileReaped: Citation { .every(.fileReaped) }
  static var fileDeleted: Citation { .every(.fileDeleted) }
  static var fileUnclaimed: Citation { .every(.fileUnclaimed) }
  static var deliverySent: Citation { .every(.deliverySent) }
  static var deliveryReceived: Citation { .every(.deliveryReceived) }
  static var deliveryEntered: Citation { .every(.deliveryEntered) }
  static var deliveryLeft: Citation { .every(.deliveryLeft) }
  static var deliveryDropped: Citation { .every(.deliveryDropped) }
  static var appIntentDeclared: Citation { .every(.appIntentDeclared) }
  static var appIntentBound: Citation { .every(.appIntentBound) }
  static var appIntentUnbound: Citation { .every(.appIntentUnbound) }
  static var appOutcomeRecorded: Citation { .every(.appOutcomeRecorded) }
  static var appListenerAttached: Citation { .every(.appListenerAttached) }
  static var appWorkBegun: Citation { .every(.appWorkBegun) }
  static var appWorkEnded: Citation { .every(.appWorkEnded) }
  static var appJournalSaved: Citation { .every(.appJournalSaved) }
  static var appCapabilitiesRecorded: Citation { .every(.appCapabilitiesRecorded) }
  static var appNoted: Citation { .every(.appNoted) }
  static var appBeatExpected: Citation { .every(.appBeatExpected) }
  static var appBeatSent: Citation { .every(.appBeatSent) }
  static var appSecretRead: Citation { .every(.appSecretRead) }
  static var appSecretDeleted: Citation { .every(.appSecretDeleted) }
  static var assertionBegun: Citation { .every(.assertionBegun) }
  static var assertionExpired: Citation { .every(.assertionExpired) }
  static var assertionEnded: Citation { .every(.assertionEnded) }
  static var deadmanArmed: Citation { .every(.deadmanArmed) }
  static var deadmanChecked: Citation { .every(.deadmanChecked) }
  static var deadmanDisarmed: Citation { .every(.deadmanDisarmed) }
  static var deadmanFired: Citation { .every(.deadmanFired) }
  static var triggerArmed: Citation { .every(.triggerArmed) }
  static var triggerFired: Citation { .every(.triggerFired) }
  static var networkPathChanged: Citation { .every(.networkPathChanged) }
  static var powerChanged: Citation { .every(.powerChanged) }
  static var diskSpaceSampled: Citation { .every(.diskSpaceSampled) }
  static var protectionEnabled: Citation { .every(.protectionEnabled) }
  static var protectionDisabled: Citation { .every(.protectionDisabled) }
  static var policyChanged: Citation { .every(.policyChanged) }
  static var multipartStarted: Citation { .every(.multipartStarted) }
  static var multipartPartStored: Citation { .every(.multipartPartStored) }
  static var multipartCompleted: Citation { .every(.multipartCompleted) }
  static var multipartAborted: Citation { .every(.multipartAborted) }
  static var messageDebug: Citation { .every(.messageDebug) }
  static var messageInfo: Citation { .every(.messageInfo) }
  static var messageDefault: Citation { .every(.messageDefault) }
  static var messageError: Citation { .every(.messageError) }
  static var messageFault: Citation { .every(.messageFault) }
  static var signpostBegun: Citation { .every(.signpostBegun) }
  static var signpostEnded: Citation { .every(.signpostEnded) }
  static var signpostEmitted: Citation { .every(.signpostEmitted) }
  static var activityBegun: Citation { .every(.activityBegun) }
  static var activityEnded: Citation { .every(.activityEnded) }
  static var cacheAnswered: Citation { .every(.cacheAnswered) }
  static var cacheMissed: Citation { .every(.cacheMissed) }
  static var cacheStored: Citation { .every(.cacheStored) }
  static var cacheRemoved: Citation { .every(.cacheRemoved) }
  static var diskOpenFailed: Citation { .every(.diskOpenFailed) }
  static var diskLeftOverFound: Citation { .every(.diskLeftOverFound) }
  static var appLockTaken: Citation { .every(.appLockTaken) }
  static var appLockReleased: Citation { .every(.appLockReleased) }
  static var appLockTimedOut: Citation { .every(.appLockTimedOut) }
  static var logStalled: Citation { .every(.logStalled) }
  static var taskObserved: Citation { .every(.taskObserved) }
  static var sessionObserved: Citation { .every(.sessionObserved) }
  static var assertionOverdue: Citation { .every(.assertionOverdue) }
  static var processAssertionTimedOut: Citation { .every(.processAssertionTimedOut) }
  static var processLaunchFailed: Citation { .every(.processLaunchFailed) }
  static var processWatchdogWithheld: Citation { .every(.processWatchdogWithheld) }
  static var importFileOpened: Citation { .every(.importFileOpened) }
  static var importWriterFound: Citation { .every(.importWriterFound) }
  static var importEventRead: Citation { .every(.importEventRead) }
  static var importGapFound: Citation { .every(.importGapFound) }
  static var importGapEnded: Citation { .every(.importGapEnded) }
  static var importFileRead: Citation { .every(.importFileRead) }
  static var importFileIncomplete: Citation { .every(.importFileIncomplete) }
}

// Initializers for events about the examples' task.
extension TaskCreated {
  init(type: TaskType? = nil, origin: TaskOrigin? = nil, completion: CompletionStyle? = nil, method: String? = nil, scheme: String? = nil, host: String? = nil, port: Int? = nil, path: String? = nil, urlQuery: String? = nil, resource: ValueDigest? = nil, label: String? = nil, intent: String? = nil, destination: String? = nil, sourceFile: String? = nil, sourceSize: Int64? = nil, sourceModified: WallTime? = nil, inode: Int64? = nil, sourceOwned: Bool? = nil, expectedToSend: Int64? = nil, expectedToReceive: Int64? = nil, requestTimeout: Duration? = nil, resourceTimeout: Duration? = nil, discretionary: Bool? = nil, effectiveDiscretionary: Bool? = nil, allowsCellular: Bool? = nil, priority: Int? = nil, credentialExpires: WallTime? = nil, resumeData: ValueDigest? = nil, offset: Int64? = nil, handler: HandlerID? = nil, liveTasks: Int64? = nil, synthetic: Bool? = nil, metadata: String? = nil, content: ValueDigest? = nil, continues: String? = nil) { self.init(task: .example, type: type, origin: origin, completion: completion, method: method, scheme: scheme, host: host, port: port, path: path, urlQuery: urlQuery, resource: resource, label: label, intent: intent, destination: destination, sourceFile: sourceFile, sourceSize: sourceSize, sourceModified: sourceModified, inode: inode, sourceOwned: sourceOwned, expectedToSend: expectedToSend, expectedToReceive: expectedToReceive, requestTimeout: requestTimeout, resourceTimeout: resourceTimeout, discretionary: discretionary, effectiveDiscretionary: effectiveDiscretionary, allowsCellular: allowsCellular, priority: priority, credentialExpires: credentialExpires, resumeData: resumeData, offset: offset, handler: handler, liveTasks: liveTasks, synthetic: synthetic, metadata: metadata, content: content, continues: continues) }
}
extension TaskResumed {
  init(by: Actor? = nil) { self.init(task: .example, by: by) }
}
extension TaskSuspended {
  init(by: Actor? = nil) { self.init(task: .example, by: by) }
}
extension TaskCancelRequested {
  init(by: Actor? = nil, cancelReason: CancelReason? = nil, resumeData: ValueDigest? = nil) { self.init(task: .example, by: by, cancelReason: cancelReason, resumeData: resumeData) }
}
extension TaskHeld {
  init(hold: HoldReason? = nil, host: String? = nil, slotsUsed: Int? = nil, slots: Int? = nil, delay: Duration? = nil, until: WallTime? = nil) { self.init(task: .example, hold: hold, host: host, slotsUsed: slotsUsed, slots: slots, delay: delay, until: until) }
}
extension TaskHoldEnded {
  init(hold: HoldReason? = nil) { self.init(task: .example, hold: hold) }
}
extension TaskDelayAsked {
  init(query: CorrelationID? = nil) { self.init(task: .example, query: query) }
}
extension TaskDelayAnswered {
  init(query: CorrelationID? = nil, reason: String? = nil) { self.init(task: .example, query: query, reason: reason) }
}
extension TaskAdopted {
  init(launch: LaunchID? = nil, label: String? = nil) { self.init(task: .example, launch: launch, label: label) }
}
extension TaskTransferred {
  init(received: Int64? = nil, sent: Int64? = nil, status: Int? = nil, domain: ErrorDomain? = nil, error: Int? = nil, errorName: String? = nil, content: ValueDigest? = nil) { self.init(task: .example, received: received, sent: sent, status: status, domain: domain, error: error, errorName: errorName, content: content) }
}
extension TaskCompleted {
  init(delivery: DeliveryID? = nil, received: Int64? = nil, sent: Int64? = nil, status: Int? = nil, domain: ErrorDomain? = nil, error: Int? = nil, errorName: String? = nil, message: String? = nil, osError: Int? = nil, cancelReason: CancelReason? = nil, resumeData: ValueDigest? = nil, unsatisfied: UnsatisfiedReason? = nil) { self.init(task: .example, delivery: delivery, received: received, sent: sent, status: status, domain: domain, error: error, errorName: errorName, message: message, osError: osError, cancelReason: cancelReason, resumeData: resumeData, unsatisfied: unsatisfied) }
}
extension TaskAcknowledged {
  init(delivery: DeliveryID? = nil) { self.init(task: .example, delivery: delivery) }
}
extension TaskForgotten {
  init(forgotten: ForgetReason? = nil) { self.init(task: .example, forgotten: forgotten) }
}
extension TaskHandedOff {
  init(successor: TaskIdentity? = nil, received: Int64? = nil) { self.init(task: .example, successor: successor, received: received) }
}
extension TaskChanged {
  init(label: String? = nil, priority: Int? = nil, expectedToSend: Int64? = nil, expectedToReceive: Int64? = nil, by: Actor? = nil) { self.init(task: .example, label: label, priority: priority, expectedToSend: expectedToSend, expectedToReceive: expectedToReceive, by: by) }
}
extension TaskCoalesced {
  init(carrier: TaskIdentity? = nil) { self.init(task: .example, carrier: carrier) }
}
extension AttemptStarted {
  init(attempt: Int, scheme: String? = nil, host: String? = nil, port: Int? = nil, offset: Int64? = nil, sourceSize: Int64? = nil, sourceModified: WallTime? = nil, content: ValueDigest? = nil, traceParent: String? = nil, parentSpan: ValueDigest? = nil) { self.init(task: .example, attempt: attempt, scheme: scheme, host: host, port: port, offset: offset, sourceSize: sourceSize, sourceModified: sourceModified, content: content, traceParent: traceParent, parentSpan: parentSpan) }
}
extension AttemptConnectionAcquired {
  init(attempt: Int, transaction: Int? = nil, connection: CorrelationID? = nil, reused: Bool? = nil, protocol: String? = nil, host: String? = nil, remoteAddress: String? = nil, remotePort: Int? = nil, queueTime: Duration? = nil, nameLookupTime: Duration? = nil, connectTime: Duration? = nil, secureTime: Duration? = nil, idle: Duration? = nil) { self.init(task: .example, attempt: attempt, transaction: transaction, connection: connection, reused: reused, protocol: `protocol`, host: host, remoteAddress: remoteAddress, remotePort: remotePort, queueTime: queueTime, nameLookupTime: nameLookupTime, connectTime: connectTime, secureTime: secureTime, idle: idle) }
}
extension AttemptRequestSent {
  init(attempt: Int, transaction: Int? = nil, method: String? = nil, requestBytes: Int64? = nil, headers: String? = nil, authorized: Bool? = nil, offset: Int64? = nil, ifRange: Bool? = nil, uploadOffset: Int64? = nil, acceptedTypes: String? = nil) { self.init(task: .example, attempt: attempt, transaction: transaction, method: method, requestBytes: requestBytes, headers: headers, authorized: authorized, offset: offset, ifRange: ifRange, uploadOffset: uploadOffset, acceptedTypes: acceptedTypes) }
}
extension AttemptResponseReceived {
  init(attempt: Int, transaction: Int? = nil, status: Int? = nil, expected: Int64? = nil, contentType: String? = nil, contentEncoding: String? = nil, chunked: Bool? = nil, etag: String? = nil, lastModified: String? = nil, rangeStart: Int64? = nil, rangeTotal: Int64? = nil, acceptsRanges: Bool? = nil, retryAfter: Duration? = nil, protocol: String? = nil, firstByteTime: Duration? = nil, headers: String? = nil, host: String? = nil, uploadOffset: Int64? = nil, uploadExpires: WallTime? = nil) { self.init(task: .example, attempt: attempt, transaction: transaction, status: status, expected: expected, contentType: contentType, contentEncoding: contentEncoding, chunked: chunked, etag: etag, lastModified: lastModified, rangeStart: rangeStart, rangeTotal: rangeTotal, acceptsRanges: acceptsRanges, retryAfter: retryAfter, protocol: `protocol`, firstByteTime: firstByteTime, headers: headers, host: host, uploadOffset: uploadOffset, uploadExpires: uploadExpires) }
}
extension AttemptBytesReceived {
  init(attempt: Int, received: Int64? = nil, expected: Int64? = nil) { self.init(task: .example, attempt: attempt, received: received, expected: expected) }
}
extension AttemptBytesSent {
  init(attempt: Int, sent: Int64? = nil, expected: Int64? = nil) { self.init(task: .example, attempt: attempt, sent: sent, expected: expected) }
}
extension AttemptEnded {
  init(attempt: Int, end: AttemptEnd? = nil, domain: ErrorDomain? = nil, error: Int? = nil, errorName: String? = nil, message: String? = nil, osError: Int? = nil, received: Int64? = nil, sent: Int64? = nil, decoded: Int64? = nil, bodyTime: Duration? = nil, retryIn: Duration? = nil, queueTime: Duration? = nil, nameLookupTime: Duration? = nil, connectTime: Duration? = nil, secureTime: Duration? = nil, firstByteTime: Duration? = nil, phase: AttemptPhase? = nil, sourceSize: Int64? = nil, sourceModified: WallTime? = nil) { self.init(task: .example, attempt: attempt, end: end, domain: domain, error: error, errorName: errorName, message: message, osError: osError, received: received, sent: sent, decoded: decoded, bodyTime: bodyTime, retryIn: retryIn, queueTime: queueTime, nameLookupTime: nameLookupTime, connectTime: connectTime, secureTime: secureTime, firstByteTime: firstByteTime, phase: phase, sourceSize: sourceSize, sourceModified: sourceModified) }
}
extension AttemptNetworkAwaited {
  init(attempt: Int, hold: HoldReason? = nil) { self.init(task: .example, attempt: attempt, hold: hold) }
}
extension AttemptChallengeReceived {
  init(attempt: Int, challenge: CorrelationID? = nil, challengeMethod: ChallengeMethod? = nil, host: String? = nil, previousFailures: Int? = nil) { self.init(task: .example, attempt: attempt, challenge: challenge, challengeMethod: challengeMethod, host: host, previousFailures: previousFailures) }
}
extension AttemptChallengeAnswered {
  init(attempt: Int, challenge: CorrelationID? = nil, disposition: ChallengeDisposition? = nil, by: Actor? = nil) { self.init(task: .example, attempt: attempt, challenge: challenge, disposition: disposition, by: by) }
}
extension AttemptRedirectReceived {
  init(attempt: Int, transaction: Int? = nil, status: Int? = nil, scheme: String? = nil, host: String? = nil, port: Int? = nil, path: String? = nil) { self.init(task: .example, attempt: attempt, transaction: transaction, status: status, scheme: scheme, host: host, port: port, path: path) }
}
extension AttemptRedirectAnswered {
  init(attempt: Int, transaction: Int? = nil, decision: RedirectDecision? = nil, credentialsKept: Bool? = nil, by: Actor? = nil) { self.init(task: .example, attempt: attempt, transaction: transaction, decision: decision, credentialsKept: credentialsKept, by: by) }
}
extension FileOffered {
  init(delivery: DeliveryID? = nil, file: String? = nil, inode: Int64? = nil, size: Int64? = nil, exists: Bool? = nil, content: ValueDigest? = nil) { self.init(task: .example, delivery: delivery, file: file, inode: inode, size: size, exists: exists, content: content) }
}
extension FileClaimed {
  init(delivery: DeliveryID? = nil, operation: ClaimOperation? = nil, destination: String? = nil, osError: Int? = nil, inCallback: Bool? = nil, size: Int64? = nil) { self.init(task: .example, delivery: delivery, operation: operation, destination: destination, osError: osError, inCallback: inCallback, size: size) }
}
extension FileReaped {
  init(inode: Int64? = nil, size: Int64? = nil) { self.init(task: .example, inode: inode, size: size) }
}
extension FileDeleted {
  init(file: String? = nil, by: Actor? = nil, reason: String? = nil) { self.init(task: .example, file: file, by: by, reason: reason) }
}
extension FileUnclaimed {
  init(delivery: DeliveryID? = nil, inode: Int64? = nil, size: Int64? = nil) { self.init(task: .example, delivery: delivery, inode: inode, size: size) }
}
extension TaskObserved {
  init(type: TaskType? = nil, sessionKind: SessionKind? = nil) { self.init(task: .example, type: type, sessionKind: sessionKind) }
}
