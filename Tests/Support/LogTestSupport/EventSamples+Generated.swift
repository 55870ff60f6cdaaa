// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

package import XferEvents

package enum EventSamples {
  package static func event(_ kind: EventKind, _ v: inout FieldChooser) -> any TransferEvent {
    switch kind {
    case .logOpened: return LogOpened(segment: v.count(.segment), previousSegment: v.count(.previousSegment), captureMode: v.choice(.captureMode), levels: v.symbol(.levels), version: v.symbol(.version), synthetic: v.flag(.synthetic))
    case .logClosed: return LogClosed(dropped: v.count(.dropped))
    case .logRotated: return LogRotated(segment: v.count(.segment), previousSegment: v.count(.previousSegment), reason: v.symbol(.reason))
    case .logDropped: return LogDropped(family: v.symbol(.family), count: v.count(.count), why: v.choice(.why), osError: v.number(.osError), lifecycle: v.flag(.lifecycle))
    case .logHeartbeatWritten: return LogHeartbeatWritten(liveTasks: v.count(.liveTasks), received: v.bytes(.received), queueDepth: v.count(.queueDepth), cpuTime: v.duration(.cpuTime))
    case .logLevelsChanged: return LogLevelsChanged(levels: v.symbol(.levels), by: v.choice(.by))
    case .logLevelsIgnored: return LogLevelsIgnored(levels: v.symbol(.levels), reason: v.symbol(.reason))
    case .clockSampled: return ClockSampled(wallClock: v.wallTime(.wallClock), boottimeClock: v.duration(.boottimeClock), sampleReason: v.choice(.sampleReason))
    case .logSyncFailed: return LogSyncFailed(segment: v.count(.segment), osError: v.number(.osError))
    case .logSegmentsRemoved: return LogSegmentsRemoved(count: v.count(.count), size: v.bytes(.size), until: v.wallTime(.until), reason: v.symbol(.reason), segment: v.count(.segment))
    case .logLevelsThinned: return LogLevelsThinned(segment: v.count(.segment), count: v.count(.count), levels: v.symbol(.levels), until: v.wallTime(.until))
    case .processStarted: return ProcessStarted(launch: v.launch(.launch), boot: v.boot(.boot), pid: v.number(.pid), parentPid: v.number(.parentPid), role: v.choice(.role), startReason: v.choice(.startReason), background: v.flag(.background), prewarmed: v.flag(.prewarmed), debugger: v.flag(.debugger), simulator: v.flag(.simulator), mainThreadContract: v.flag(.mainThreadContract), executable: v.symbol(.executable), version: v.symbol(.version), osVersion: v.symbol(.osVersion), container: v.text(.container), synthetic: v.flag(.synthetic))
    case .processStateChanged: return ProcessStateChanged(launch: v.launch(.launch), state: v.choice(.state))
    case .processExited: return ProcessExited(launch: v.launch(.launch), code: v.number(.code), exitReason: v.choice(.exitReason), by: v.choice(.by))
    case .processExitObserved: return ProcessExitObserved(launch: v.launch(.launch), boot: v.boot(.boot), pid: v.number(.pid), code: v.number(.code), signal: v.number(.signal), exitReason: v.choice(.exitReason), by: v.choice(.by), executable: v.symbol(.executable), segment: v.count(.segment))
    case .processTerminationAnnounced: return ProcessTerminationAnnounced(launch: v.launch(.launch), by: v.choice(.by))
    case .daemonStarted: return DaemonStarted(generation: v.count(.generation), version: v.symbol(.version))
    case .daemonRecovered: return DaemonRecovered(generation: v.count(.generation), count: v.count(.count), dropped: v.count(.dropped), tasks: v.tasks(.tasks))
    case .daemonExited: return DaemonExited(generation: v.count(.generation), reason: v.symbol(.reason))
    case .daemonTasksListed: return DaemonTasksListed(generation: v.count(.generation), count: v.count(.count), tasks: v.tasks(.tasks))
    case .linkConnected: return LinkConnected(peer: v.launch(.peer), generation: v.count(.generation))
    case .linkDisconnected: return LinkDisconnected(peer: v.launch(.peer), generation: v.count(.generation), reason: v.symbol(.reason))
    case .sessionCreated: return SessionCreated(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), sessionKind: v.choice(.sessionKind), delegate: v.correlation(.delegate), queue: v.symbol(.queue), configuration: v.digest(.configuration), connectionsPerHost: v.number(.connectionsPerHost), requestTimeout: v.duration(.requestTimeout), resourceTimeout: v.duration(.resourceTimeout), timeoutOrigin: v.choice(.timeoutOrigin), waitsForConnectivity: v.flag(.waitsForConnectivity), discretionary: v.flag(.discretionary), effectiveDiscretionary: v.flag(.effectiveDiscretionary), sendsLaunchEvents: v.flag(.sendsLaunchEvents), extendedIdle: v.flag(.extendedIdle), allowsCellular: v.flag(.allowsCellular), allowsExpensive: v.flag(.allowsExpensive), allowsConstrained: v.flag(.allowsConstrained), container: v.text(.container), liveSessions: v.count(.liveSessions), hasDelegate: v.flag(.hasDelegate))
    case .sessionReused: return SessionReused(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), delegate: v.correlation(.delegate), callerDelegate: v.correlation(.callerDelegate))
    case .sessionConnectStarted: return SessionConnectStarted(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance))
    case .sessionConnected: return SessionConnected(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), generation: v.count(.generation), pending: v.count(.pending))
    case .sessionConnectFailed: return SessionConnectFailed(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), domain: v.choice(.domain), error: v.number(.error), errorName: v.symbol(.errorName), message: v.text(.message), holder: v.launch(.holder))
    case .sessionInvalidationRequested: return SessionInvalidationRequested(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), invalidation: v.choice(.invalidation), by: v.choice(.by), liveTasks: v.count(.liveTasks))
    case .sessionInvalidated: return SessionInvalidated(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), domain: v.choice(.domain), error: v.number(.error), errorName: v.symbol(.errorName))
    case .sessionReleased: return SessionReleased(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), liveTasks: v.count(.liveTasks))
    case .sessionEventsFinished: return SessionEventsFinished(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), handler: v.handler(.handler), liveTasks: v.count(.liveTasks))
    case .sessionTasksQueried: return SessionTasksQueried(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), query: v.correlation(.query))
    case .sessionTasksAnswered: return SessionTasksAnswered(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), query: v.correlation(.query), count: v.count(.count), tasks: v.tasks(.tasks), connected: v.flag(.connected))
    case .sessionConfigured: return SessionConfigured(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), settings: v.text(.settings))
    case .sessionSettingAdjusted: return SessionSettingAdjusted(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), setting: v.symbol(.setting), requested: v.symbol(.requested), effective: v.symbol(.effective))
    case .wakeWanted: return WakeWanted(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), wakeCause: v.choice(.wakeCause), pending: v.count(.pending))
    case .wakeHeld: return WakeHeld(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), holdWake: v.choice(.holdWake), delay: v.duration(.delay))
    case .wakeLaunched: return WakeLaunched(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), launch: v.launch(.launch), pid: v.number(.pid), executable: v.symbol(.executable), wakeCause: v.choice(.wakeCause), osError: v.number(.osError))
    case .wakeDelivered: return WakeDelivered(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler))
    case .wakeHandlerStored: return WakeHandlerStored(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), slot: v.symbol(.slot))
    case .wakeHandlerCalled: return WakeHandlerCalled(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), onMainThread: v.flag(.onMainThread), threadName: v.symbol(.threadName))
    case .wakeHandlerReleased: return WakeHandlerReleased(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), uncalled: v.flag(.uncalled))
    case .wakeDeadlineSet: return WakeDeadlineSet(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), budget: v.duration(.budget))
    case .wakeDeadlinePassed: return WakeDeadlinePassed(session: v.symbol(.session, isRequired: true)!, handler: v.handler(.handler), budget: v.duration(.budget))
    case .taskCreated: return TaskCreated(task: v.task(.task, isRequired: true)!, type: v.choice(.type), origin: v.choice(.origin), completion: v.choice(.completion), method: v.symbol(.method), scheme: v.symbol(.scheme), host: v.symbol(.host), port: v.number(.port), path: v.text(.path), urlQuery: v.text(.urlQuery), resource: v.digest(.resource), label: v.text(.label), intent: v.text(.intent), destination: v.text(.destination), sourceFile: v.text(.sourceFile), sourceSize: v.bytes(.sourceSize), sourceModified: v.wallTime(.sourceModified), inode: v.count(.inode), sourceOwned: v.flag(.sourceOwned), expectedToSend: v.bytes(.expectedToSend), expectedToReceive: v.bytes(.expectedToReceive), requestTimeout: v.duration(.requestTimeout), resourceTimeout: v.duration(.resourceTimeout), discretionary: v.flag(.discretionary), effectiveDiscretionary: v.flag(.effectiveDiscretionary), allowsCellular: v.flag(.allowsCellular), priority: v.number(.priority), credentialExpires: v.wallTime(.credentialExpires), resumeData: v.digest(.resumeData), offset: v.bytes(.offset), handler: v.handler(.handler), liveTasks: v.count(.liveTasks), synthetic: v.flag(.synthetic), metadata: v.text(.metadata), content: v.digest(.content), continues: v.text(.continues))
    case .taskRejected: return TaskRejected(session: v.symbol(.session), instance: v.correlation(.instance), type: v.choice(.type), rejection: v.choice(.rejection), message: v.text(.message))
    case .taskResumed: return TaskResumed(task: v.task(.task, isRequired: true)!, by: v.choice(.by))
    case .taskSuspended: return TaskSuspended(task: v.task(.task, isRequired: true)!, by: v.choice(.by))
    case .taskCancelRequested: return TaskCancelRequested(task: v.task(.task, isRequired: true)!, by: v.choice(.by), cancelReason: v.choice(.cancelReason), resumeData: v.digest(.resumeData))
    case .taskHeld: return TaskHeld(task: v.task(.task, isRequired: true)!, hold: v.choice(.hold), host: v.symbol(.host), slotsUsed: v.number(.slotsUsed), slots: v.number(.slots), delay: v.duration(.delay), until: v.wallTime(.until))
    case .taskHoldEnded: return TaskHoldEnded(task: v.task(.task, isRequired: true)!, hold: v.choice(.hold))
    case .taskDelayAsked: return TaskDelayAsked(task: v.task(.task, isRequired: true)!, query: v.correlation(.query))
    case .taskDelayAnswered: return TaskDelayAnswered(task: v.task(.task, isRequired: true)!, query: v.correlation(.query), reason: v.symbol(.reason))
    case .taskAdopted: return TaskAdopted(task: v.task(.task, isRequired: true)!, launch: v.launch(.launch), label: v.text(.label))
    case .taskTransferred: return TaskTransferred(task: v.task(.task, isRequired: true)!, received: v.bytes(.received), sent: v.bytes(.sent), status: v.number(.status), domain: v.choice(.domain), error: v.number(.error), errorName: v.symbol(.errorName), content: v.digest(.content))
    case .taskCompleted: return TaskCompleted(task: v.task(.task, isRequired: true)!, delivery: v.delivery(.delivery), received: v.bytes(.received), sent: v.bytes(.sent), status: v.number(.status), domain: v.choice(.domain), error: v.number(.error), errorName: v.symbol(.errorName), message: v.text(.message), osError: v.number(.osError), cancelReason: v.choice(.cancelReason), resumeData: v.digest(.resumeData), unsatisfied: v.choice(.unsatisfied))
    case .taskAcknowledged: return TaskAcknowledged(task: v.task(.task, isRequired: true)!, delivery: v.delivery(.delivery))
    case .taskForgotten: return TaskForgotten(task: v.task(.task, isRequired: true)!, forgotten: v.choice(.forgotten))
    case .taskHandedOff: return TaskHandedOff(task: v.task(.task, isRequired: true)!, successor: v.task(.successor), received: v.bytes(.received))
    case .taskChanged: return TaskChanged(task: v.task(.task, isRequired: true)!, label: v.text(.label), priority: v.number(.priority), expectedToSend: v.bytes(.expectedToSend), expectedToReceive: v.bytes(.expectedToReceive), by: v.choice(.by))
    case .taskCoalesced: return TaskCoalesced(task: v.task(.task, isRequired: true)!, carrier: v.task(.carrier))
    case .taskCreationFailed: return TaskCreationFailed(session: v.symbol(.session), instance: v.correlation(.instance), type: v.choice(.type))
    case .attemptStarted: return AttemptStarted(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, scheme: v.symbol(.scheme), host: v.symbol(.host), port: v.number(.port), offset: v.bytes(.offset), sourceSize: v.bytes(.sourceSize), sourceModified: v.wallTime(.sourceModified), content: v.digest(.content), traceParent: v.text(.traceParent), parentSpan: v.digest(.parentSpan))
    case .attemptConnectionAcquired: return AttemptConnectionAcquired(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, transaction: v.number(.transaction), connection: v.correlation(.connection), reused: v.flag(.reused), protocol: v.symbol(.protocol), host: v.symbol(.host), remoteAddress: v.text(.remoteAddress), remotePort: v.number(.remotePort), queueTime: v.duration(.queueTime), nameLookupTime: v.duration(.nameLookupTime), connectTime: v.duration(.connectTime), secureTime: v.duration(.secureTime), idle: v.duration(.idle))
    case .attemptRequestSent: return AttemptRequestSent(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, transaction: v.number(.transaction), method: v.symbol(.method), requestBytes: v.bytes(.requestBytes), headers: v.symbol(.headers), authorized: v.flag(.authorized), offset: v.bytes(.offset), ifRange: v.flag(.ifRange), uploadOffset: v.bytes(.uploadOffset), acceptedTypes: v.symbol(.acceptedTypes))
    case .attemptResponseReceived: return AttemptResponseReceived(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, transaction: v.number(.transaction), status: v.number(.status), expected: v.bytes(.expected), contentType: v.symbol(.contentType), contentEncoding: v.symbol(.contentEncoding), chunked: v.flag(.chunked), etag: v.text(.etag), lastModified: v.text(.lastModified), rangeStart: v.bytes(.rangeStart), rangeTotal: v.bytes(.rangeTotal), acceptsRanges: v.flag(.acceptsRanges), retryAfter: v.duration(.retryAfter), protocol: v.symbol(.protocol), firstByteTime: v.duration(.firstByteTime), headers: v.symbol(.headers), host: v.symbol(.host), uploadOffset: v.bytes(.uploadOffset), uploadExpires: v.wallTime(.uploadExpires))
    case .attemptBytesReceived: return AttemptBytesReceived(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, received: v.bytes(.received), expected: v.bytes(.expected))
    case .attemptBytesSent: return AttemptBytesSent(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, sent: v.bytes(.sent), expected: v.bytes(.expected))
    case .attemptEnded: return AttemptEnded(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, end: v.choice(.end), domain: v.choice(.domain), error: v.number(.error), errorName: v.symbol(.errorName), message: v.text(.message), osError: v.number(.osError), received: v.bytes(.received), sent: v.bytes(.sent), decoded: v.bytes(.decoded), bodyTime: v.duration(.bodyTime), retryIn: v.duration(.retryIn), queueTime: v.duration(.queueTime), nameLookupTime: v.duration(.nameLookupTime), connectTime: v.duration(.connectTime), secureTime: v.duration(.secureTime), firstByteTime: v.duration(.firstByteTime), phase: v.choice(.phase), sourceSize: v.bytes(.sourceSize), sourceModified: v.wallTime(.sourceModified))
    case .attemptNetworkAwaited: return AttemptNetworkAwaited(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, hold: v.choice(.hold))
    case .attemptChallengeReceived: return AttemptChallengeReceived(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, challenge: v.correlation(.challenge), challengeMethod: v.choice(.challengeMethod), host: v.symbol(.host), previousFailures: v.number(.previousFailures))
    case .attemptChallengeAnswered: return AttemptChallengeAnswered(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, challenge: v.correlation(.challenge), disposition: v.choice(.disposition), by: v.choice(.by))
    case .attemptRedirectReceived: return AttemptRedirectReceived(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, transaction: v.number(.transaction), status: v.number(.status), scheme: v.symbol(.scheme), host: v.symbol(.host), port: v.number(.port), path: v.text(.path))
    case .attemptRedirectAnswered: return AttemptRedirectAnswered(task: v.task(.task, isRequired: true)!, attempt: v.number(.attempt, isRequired: true)!, transaction: v.number(.transaction), decision: v.choice(.decision), credentialsKept: v.flag(.credentialsKept), by: v.choice(.by))
    case .fileOffered: return FileOffered(task: v.task(.task, isRequired: true)!, delivery: v.delivery(.delivery), file: v.text(.file), inode: v.count(.inode), size: v.bytes(.size), exists: v.flag(.exists), content: v.digest(.content))
    case .fileClaimed: return FileClaimed(task: v.task(.task, isRequired: true)!, delivery: v.delivery(.delivery), operation: v.choice(.operation), destination: v.text(.destination), osError: v.number(.osError), inCallback: v.flag(.inCallback), size: v.bytes(.size))
    case .fileReaped: return FileReaped(task: v.task(.task, isRequired: true)!, inode: v.count(.inode), size: v.bytes(.size))
    case .fileDeleted: return FileDeleted(task: v.task(.task, isRequired: true)!, file: v.text(.file), by: v.choice(.by), reason: v.symbol(.reason))
    case .fileUnclaimed: return FileUnclaimed(task: v.task(.task, isRequired: true)!, delivery: v.delivery(.delivery), inode: v.count(.inode), size: v.bytes(.size))
    case .deliverySent: return DeliverySent(task: v.task(.task), session: v.symbol(.session), delivery: v.delivery(.delivery, isRequired: true)!, callback: v.choice(.callback, isRequired: true)!, redelivered: v.flag(.redelivered))
    case .deliveryReceived: return DeliveryReceived(task: v.task(.task), session: v.symbol(.session), delivery: v.delivery(.delivery, isRequired: true)!, callback: v.choice(.callback, isRequired: true)!)
    case .deliveryEntered: return DeliveryEntered(task: v.task(.task), session: v.symbol(.session), delivery: v.delivery(.delivery, isRequired: true)!, callback: v.choice(.callback, isRequired: true)!, queue: v.symbol(.queue), onMainThread: v.flag(.onMainThread), delegate: v.correlation(.delegate))
    case .deliveryLeft: return DeliveryLeft(task: v.task(.task), session: v.symbol(.session), delivery: v.delivery(.delivery, isRequired: true)!, callback: v.choice(.callback, isRequired: true)!)
    case .deliveryDropped: return DeliveryDropped(task: v.task(.task), session: v.symbol(.session), delivery: v.delivery(.delivery, isRequired: true)!, callback: v.choice(.callback, isRequired: true)!, why: v.choice(.why), by: v.choice(.by))
    case .appIntentDeclared: return AppIntentDeclared(intent: v.text(.intent), task: v.task(.task), step: v.symbol(.step), durable: v.flag(.durable))
    case .appIntentBound: return AppIntentBound(intent: v.text(.intent), task: v.task(.task), key: v.symbol(.key))
    case .appIntentUnbound: return AppIntentUnbound(intent: v.text(.intent), task: v.task(.task), reason: v.symbol(.reason))
    case .appOutcomeRecorded: return AppOutcomeRecorded(intent: v.text(.intent), task: v.task(.task), outcome: v.choice(.outcome), message: v.text(.message), acceptedStatus: v.number(.acceptedStatus))
    case .appListenerAttached: return AppListenerAttached(session: v.symbol(.session), name: v.symbol(.name))
    case .appWorkBegun: return AppWorkBegun(work: v.correlation(.work), name: v.symbol(.name), task: v.task(.task))
    case .appWorkEnded: return AppWorkEnded(work: v.correlation(.work), name: v.symbol(.name), task: v.task(.task))
    case .appJournalSaved: return AppJournalSaved(upTo: v.count(.upTo))
    case .appCapabilitiesRecorded: return AppCapabilitiesRecorded(capabilities: v.symbol(.capabilities))
    case .appNoted: return AppNoted(task: v.task(.task), intent: v.text(.intent), message: v.text(.message))
    case .appBeatExpected: return AppBeatExpected(name: v.symbol(.name), interval: v.duration(.interval), enabled: v.flag(.enabled))
    case .appBeatSent: return AppBeatSent(name: v.symbol(.name))
    case .appSecretRead: return AppSecretRead(name: v.symbol(.name), secretAnswer: v.choice(.secretAnswer), osError: v.number(.osError), task: v.task(.task))
    case .appSecretDeleted: return AppSecretDeleted(name: v.symbol(.name), reason: v.symbol(.reason))
    case .assertionBegun: return AssertionBegun(assertion: v.correlation(.assertion, isRequired: true)!, name: v.symbol(.name), slot: v.symbol(.slot), remaining: v.duration(.remaining), needsProgress: v.flag(.needsProgress))
    case .assertionExpired: return AssertionExpired(assertion: v.correlation(.assertion, isRequired: true)!, name: v.symbol(.name), unended: v.flag(.unended))
    case .assertionEnded: return AssertionEnded(assertion: v.correlation(.assertion, isRequired: true)!, name: v.symbol(.name))
    case .deadmanArmed: return DeadmanArmed(deadman: v.correlation(.deadman, isRequired: true)!, name: v.symbol(.name), firesAt: v.wallTime(.firesAt), interval: v.duration(.interval))
    case .deadmanChecked: return DeadmanChecked(deadman: v.correlation(.deadman, isRequired: true)!, remaining: v.duration(.remaining))
    case .deadmanDisarmed: return DeadmanDisarmed(deadman: v.correlation(.deadman, isRequired: true)!, by: v.choice(.by))
    case .deadmanFired: return DeadmanFired(deadman: v.correlation(.deadman, isRequired: true)!, count: v.count(.count))
    case .triggerArmed: return TriggerArmed(trigger: v.correlation(.trigger, isRequired: true)!, triggerKind: v.choice(.triggerKind), name: v.symbol(.name), radius: v.number(.radius), effectiveRadius: v.number(.effectiveRadius), firesAt: v.wallTime(.firesAt))
    case .triggerFired: return TriggerFired(trigger: v.correlation(.trigger, isRequired: true)!, triggerKind: v.choice(.triggerKind), name: v.symbol(.name))
    case .networkPathChanged: return NetworkPathChanged(up: v.flag(.up), expensive: v.flag(.expensive), constrained: v.flag(.constrained), cellular: v.flag(.cellular), name: v.symbol(.name))
    case .powerChanged: return PowerChanged(charging: v.flag(.charging), battery: v.number(.battery))
    case .diskSpaceSampled: return DiskSpaceSampled(free: v.bytes(.free), openFiles: v.count(.openFiles), freeFiles: v.count(.freeFiles))
    case .protectionEnabled: return ProtectionEnabled()
    case .protectionDisabled: return ProtectionDisabled()
    case .policyChanged: return PolicyChanged(policy: v.choice(.policy), enabled: v.flag(.enabled), by: v.choice(.by))
    case .multipartStarted: return MultipartStarted(upload: v.correlation(.upload, isRequired: true)!, task: v.task(.task), resumable: v.flag(.resumable))
    case .multipartPartStored: return MultipartPartStored(upload: v.correlation(.upload, isRequired: true)!, task: v.task(.task), part: v.number(.part), sent: v.bytes(.sent), sourceSize: v.bytes(.sourceSize), sourceModified: v.wallTime(.sourceModified), content: v.digest(.content))
    case .multipartCompleted: return MultipartCompleted(upload: v.correlation(.upload, isRequired: true)!, task: v.task(.task))
    case .multipartAborted: return MultipartAborted(upload: v.correlation(.upload, isRequired: true)!, task: v.task(.task))
    case .messageDebug: return MessageDebug(subsystem: v.symbol(.subsystem), category: v.symbol(.category), eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task), fileID: v.symbol(.fileID), function: v.symbol(.function), line: v.number(.line))
    case .messageInfo: return MessageInfo(subsystem: v.symbol(.subsystem), category: v.symbol(.category), eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task), fileID: v.symbol(.fileID), function: v.symbol(.function), line: v.number(.line))
    case .messageDefault: return MessageDefault(subsystem: v.symbol(.subsystem), category: v.symbol(.category), eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task), fileID: v.symbol(.fileID), function: v.symbol(.function), line: v.number(.line))
    case .messageError: return MessageError(subsystem: v.symbol(.subsystem), category: v.symbol(.category), eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task), fileID: v.symbol(.fileID), function: v.symbol(.function), line: v.number(.line))
    case .messageFault: return MessageFault(subsystem: v.symbol(.subsystem), category: v.symbol(.category), eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task), fileID: v.symbol(.fileID), function: v.symbol(.function), line: v.number(.line))
    case .signpostBegun: return SignpostBegun(signpost: v.correlation(.signpost, isRequired: true)!, subsystem: v.symbol(.subsystem), category: v.symbol(.category), name: v.symbol(.name, isRequired: true)!, eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task))
    case .signpostEnded: return SignpostEnded(signpost: v.correlation(.signpost, isRequired: true)!, subsystem: v.symbol(.subsystem), category: v.symbol(.category), name: v.symbol(.name, isRequired: true)!, eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task))
    case .signpostEmitted: return SignpostEmitted(signpost: v.correlation(.signpost, isRequired: true)!, subsystem: v.symbol(.subsystem), category: v.symbol(.category), name: v.symbol(.name, isRequired: true)!, eventMessage: v.message(.eventMessage), activity: v.correlation(.activity), task: v.task(.task))
    case .activityBegun: return ActivityBegun(activity: v.correlation(.activity, isRequired: true)!, parentActivity: v.correlation(.parentActivity), name: v.symbol(.name, isRequired: true)!, subsystem: v.symbol(.subsystem), category: v.symbol(.category))
    case .activityEnded: return ActivityEnded(activity: v.correlation(.activity, isRequired: true)!, name: v.symbol(.name, isRequired: true)!)
    case .cacheAnswered: return CacheAnswered(task: v.task(.task), resource: v.digest(.resource), cacheAnswer: v.choice(.cacheAnswer), status: v.number(.status), size: v.bytes(.size), age: v.duration(.age), lifetime: v.duration(.lifetime), etag: v.text(.etag), lastModified: v.text(.lastModified))
    case .cacheMissed: return CacheMissed(task: v.task(.task), resource: v.digest(.resource), cacheMiss: v.choice(.cacheMiss), age: v.duration(.age), lifetime: v.duration(.lifetime))
    case .cacheStored: return CacheStored(task: v.task(.task), resource: v.digest(.resource), status: v.number(.status), size: v.bytes(.size), age: v.duration(.age), lifetime: v.duration(.lifetime))
    case .cacheRemoved: return CacheRemoved(task: v.task(.task), resource: v.digest(.resource), cacheRemoval: v.choice(.cacheRemoval), count: v.count(.count), size: v.bytes(.size))
    case .diskOpenFailed: return DiskOpenFailed(task: v.task(.task), file: v.text(.file), osError: v.number(.osError), container: v.text(.container), exists: v.flag(.exists))
    case .diskLeftOverFound: return DiskLeftOverFound(task: v.task(.task), file: v.text(.file), inode: v.count(.inode), size: v.bytes(.size), age: v.duration(.age), owner: v.text(.owner))
    case .appLockTaken: return AppLockTaken(lock: v.correlation(.lock), name: v.symbol(.name))
    case .appLockReleased: return AppLockReleased(lock: v.correlation(.lock), name: v.symbol(.name))
    case .appLockTimedOut: return AppLockTimedOut(lock: v.correlation(.lock), name: v.symbol(.name), elapsed: v.duration(.elapsed))
    case .logStalled: return LogStalled(logWork: v.choice(.logWork), elapsed: v.duration(.elapsed), onMainThread: v.flag(.onMainThread), segment: v.count(.segment))
    case .taskObserved: return TaskObserved(task: v.task(.task, isRequired: true)!, type: v.choice(.type), sessionKind: v.choice(.sessionKind))
    case .sessionObserved: return SessionObserved(session: v.symbol(.session, isRequired: true)!, instance: v.correlation(.instance), sessionKind: v.choice(.sessionKind), executable: v.symbol(.executable))
    case .assertionOverdue: return AssertionOverdue(assertion: v.correlation(.assertion, isRequired: true)!, name: v.symbol(.name), elapsed: v.duration(.elapsed))
    case .processAssertionTimedOut: return ProcessAssertionTimedOut(launch: v.launch(.launch), pid: v.number(.pid), executable: v.symbol(.executable), name: v.symbol(.name))
    case .processLaunchFailed: return ProcessLaunchFailed(launch: v.launch(.launch), pid: v.number(.pid), executable: v.symbol(.executable), osError: v.number(.osError), message: v.text(.message))
    case .processWatchdogWithheld: return ProcessWatchdogWithheld(launch: v.launch(.launch), pid: v.number(.pid), executable: v.symbol(.executable), name: v.symbol(.name), debugger: v.flag(.debugger))
    case .importFileOpened: return ImportFileOpened(importFile: v.number(.importFile), name: v.symbol(.name), format: v.symbol(.format), size: v.bytes(.size), content: v.digest(.content))
    case .importWriterFound: return ImportWriterFound(importWriter: v.number(.importWriter), importFile: v.number(.importFile), launch: v.launch(.launch), boot: v.boot(.boot), installation: v.symbol(.installation), pid: v.number(.pid), role: v.choice(.role), executable: v.symbol(.executable), version: v.symbol(.version), osVersion: v.symbol(.osVersion), captureMode: v.choice(.captureMode), levels: v.symbol(.levels), coverage: v.symbol(.coverage), coveredEvents: v.text(.coveredEvents))
    case .importEventRead: return ImportEventRead(importWriter: v.number(.importWriter), importLine: v.count(.importLine), wallClock: v.wallTime(.wallClock), boottimeClock: v.duration(.boottimeClock), monotonicClock: v.duration(.monotonicClock), threadNumber: v.count(.threadNumber), original: v.text(.original))
    case .importGapFound: return ImportGapFound(importFile: v.number(.importFile), reason: v.symbol(.reason), message: v.text(.message), importLine: v.count(.importLine), lastLine: v.count(.lastLine), wallClock: v.wallTime(.wallClock), boottimeClock: v.duration(.boottimeClock), monotonicClock: v.duration(.monotonicClock), launch: v.launch(.launch), installation: v.symbol(.installation), boot: v.boot(.boot), terms: v.symbol(.terms))
    case .importGapEnded: return ImportGapEnded(importFile: v.number(.importFile), wallClock: v.wallTime(.wallClock), boottimeClock: v.duration(.boottimeClock), monotonicClock: v.duration(.monotonicClock))
    case .importFileRead: return ImportFileRead(importFile: v.number(.importFile), lastLine: v.count(.lastLine), count: v.count(.count), recognised: v.count(.recognised))
    case .importFileIncomplete: return ImportFileIncomplete(importFile: v.number(.importFile), message: v.text(.message))
    }
  }

  /// Returns the value of a field, read by its typed accessor.
  package static func value(_ field: FieldID, of event: RecordedEvent) -> RecordedValue? {
    switch field {
    case .task: return event.task.map(RecordedValue.task)
    case .successor: return event.successor.map(RecordedValue.task)
    case .tasks: return event.tasks.map(RecordedValue.tasks)
    case .launch: return event.launch.map(RecordedValue.launch)
    case .peer: return event.peer.map(RecordedValue.launch)
    case .boot: return event.boot.map(RecordedValue.boot)
    case .delivery: return event.delivery.map { .identifier($0.rawValue) }
    case .handler: return event.handler.map { .identifier($0.rawValue) }
    case .instance: return event.instance.map { .identifier($0.rawValue) }
    case .connection: return event.connection.map { .identifier($0.rawValue) }
    case .challenge: return event.challenge.map { .identifier($0.rawValue) }
    case .query: return event.query.map { .identifier($0.rawValue) }
    case .assertion: return event.assertion.map { .identifier($0.rawValue) }
    case .deadman: return event.deadman.map { .identifier($0.rawValue) }
    case .trigger: return event.trigger.map { .identifier($0.rawValue) }
    case .upload: return event.upload.map { .identifier($0.rawValue) }
    case .work: return event.work.map { .identifier($0.rawValue) }
    case .generation: return event.generation.map(RecordedValue.integer)
    case .session: return event.session.map { .text(.plain($0)) }
    case .delegate: return event.delegate.map { .identifier($0.rawValue) }
    case .callerDelegate: return event.callerDelegate.map { .identifier($0.rawValue) }
    case .intent: return event.intent.map(RecordedValue.text)
    case .name: return event.name.map { .text(.plain($0)) }
    case .slot: return event.slot.map { .text(.plain($0)) }
    case .segment: return event.segment.map(RecordedValue.integer)
    case .previousSegment: return event.previousSegment.map(RecordedValue.integer)
    case .captureMode: return event.captureMode.map { .choice($0.name) }
    case .levels: return event.levels.map { .text(.plain($0)) }
    case .family: return event.family.map { .text(.plain($0)) }
    case .dropped: return event.dropped.map(RecordedValue.integer)
    case .reason: return event.reason.map { .text(.plain($0)) }
    case .wallClock: return event.wallClock.map(RecordedValue.time)
    case .boottimeClock: return event.boottimeClock.map(RecordedValue.duration)
    case .sampleReason: return event.sampleReason.map { .choice($0.name) }
    case .synthetic: return event.synthetic.map(RecordedValue.flag)
    case .pid: return event.pid.map { .integer(Int64($0)) }
    case .parentPid: return event.parentPid.map { .integer(Int64($0)) }
    case .role: return event.role.map { .choice($0.name) }
    case .startReason: return event.startReason.map { .choice($0.name) }
    case .background: return event.background.map(RecordedValue.flag)
    case .prewarmed: return event.prewarmed.map(RecordedValue.flag)
    case .debugger: return event.debugger.map(RecordedValue.flag)
    case .simulator: return event.simulator.map(RecordedValue.flag)
    case .mainThreadContract: return event.mainThreadContract.map(RecordedValue.flag)
    case .executable: return event.executable.map { .text(.plain($0)) }
    case .version: return event.version.map { .text(.plain($0)) }
    case .osVersion: return event.osVersion.map { .text(.plain($0)) }
    case .container: return event.container.map(RecordedValue.text)
    case .state: return event.state.map { .choice($0.name) }
    case .code: return event.code.map { .integer(Int64($0)) }
    case .signal: return event.signal.map { .integer(Int64($0)) }
    case .exitReason: return event.exitReason.map { .choice($0.name) }
    case .by: return event.by.map { .choice($0.name) }
    case .why: return event.why.map { .choice($0.name) }
    case .sessionKind: return event.sessionKind.map { .choice($0.name) }
    case .configuration: return event.configuration.map { .digest($0.rawValue) }
    case .connectionsPerHost: return event.connectionsPerHost.map { .integer(Int64($0)) }
    case .requestTimeout: return event.requestTimeout.map(RecordedValue.duration)
    case .resourceTimeout: return event.resourceTimeout.map(RecordedValue.duration)
    case .timeoutOrigin: return event.timeoutOrigin.map { .choice($0.name) }
    case .waitsForConnectivity: return event.waitsForConnectivity.map(RecordedValue.flag)
    case .discretionary: return event.discretionary.map(RecordedValue.flag)
    case .effectiveDiscretionary: return event.effectiveDiscretionary.map(RecordedValue.flag)
    case .sendsLaunchEvents: return event.sendsLaunchEvents.map(RecordedValue.flag)
    case .extendedIdle: return event.extendedIdle.map(RecordedValue.flag)
    case .allowsCellular: return event.allowsCellular.map(RecordedValue.flag)
    case .allowsExpensive: return event.allowsExpensive.map(RecordedValue.flag)
    case .allowsConstrained: return event.allowsConstrained.map(RecordedValue.flag)
    case .queue: return event.queue.map { .text(.plain($0)) }
    case .liveSessions: return event.liveSessions.map(RecordedValue.integer)
    case .liveTasks: return event.liveTasks.map(RecordedValue.integer)
    case .pending: return event.pending.map(RecordedValue.integer)
    case .invalidation: return event.invalidation.map { .choice($0.name) }
    case .connected: return event.connected.map(RecordedValue.flag)
    case .count: return event.count.map(RecordedValue.integer)
    case .wakeCause: return event.wakeCause.map { .choice($0.name) }
    case .holdWake: return event.holdWake.map { .choice($0.name) }
    case .delay: return event.delay.map(RecordedValue.duration)
    case .budget: return event.budget.map(RecordedValue.duration)
    case .onMainThread: return event.onMainThread.map(RecordedValue.flag)
    case .threadName: return event.threadName.map { .text(.plain($0)) }
    case .type: return event.type.map { .choice($0.name) }
    case .origin: return event.origin.map { .choice($0.name) }
    case .completion: return event.completion.map { .choice($0.name) }
    case .method: return event.method.map { .text(.plain($0)) }
    case .scheme: return event.scheme.map { .text(.plain($0)) }
    case .host: return event.host.map { .text(.plain($0)) }
    case .port: return event.port.map { .integer(Int64($0)) }
    case .path: return event.path.map(RecordedValue.text)
    case .urlQuery: return event.urlQuery.map(RecordedValue.text)
    case .resource: return event.resource.map { .digest($0.rawValue) }
    case .label: return event.label.map(RecordedValue.text)
    case .destination: return event.destination.map(RecordedValue.text)
    case .sourceFile: return event.sourceFile.map(RecordedValue.text)
    case .sourceSize: return event.sourceSize.map(RecordedValue.bytes)
    case .sourceModified: return event.sourceModified.map(RecordedValue.time)
    case .inode: return event.inode.map(RecordedValue.integer)
    case .sourceOwned: return event.sourceOwned.map(RecordedValue.flag)
    case .expectedToSend: return event.expectedToSend.map(RecordedValue.bytes)
    case .expectedToReceive: return event.expectedToReceive.map(RecordedValue.bytes)
    case .priority: return event.priority.map { .integer(Int64($0)) }
    case .credentialExpires: return event.credentialExpires.map(RecordedValue.time)
    case .rejection: return event.rejection.map { .choice($0.name) }
    case .cancelReason: return event.cancelReason.map { .choice($0.name) }
    case .resumeData: return event.resumeData.map { .digest($0.rawValue) }
    case .hold: return event.hold.map { .choice($0.name) }
    case .slotsUsed: return event.slotsUsed.map { .integer(Int64($0)) }
    case .slots: return event.slots.map { .integer(Int64($0)) }
    case .until: return event.until.map(RecordedValue.time)
    case .forgotten: return event.forgotten.map { .choice($0.name) }
    case .attempt: return event.attempt.map { .integer(Int64($0)) }
    case .transaction: return event.transaction.map { .integer(Int64($0)) }
    case .offset: return event.offset.map(RecordedValue.bytes)
    case .reused: return event.reused.map(RecordedValue.flag)
    case .protocol: return event.protocol.map { .text(.plain($0)) }
    case .remoteAddress: return event.remoteAddress.map(RecordedValue.text)
    case .remotePort: return event.remotePort.map { .integer(Int64($0)) }
    case .queueTime: return event.queueTime.map(RecordedValue.duration)
    case .nameLookupTime: return event.nameLookupTime.map(RecordedValue.duration)
    case .connectTime: return event.connectTime.map(RecordedValue.duration)
    case .secureTime: return event.secureTime.map(RecordedValue.duration)
    case .firstByteTime: return event.firstByteTime.map(RecordedValue.duration)
    case .bodyTime: return event.bodyTime.map(RecordedValue.duration)
    case .idle: return event.idle.map(RecordedValue.duration)
    case .requestBytes: return event.requestBytes.map(RecordedValue.bytes)
    case .headers: return event.headers.map { .text(.plain($0)) }
    case .authorized: return event.authorized.map(RecordedValue.flag)
    case .ifRange: return event.ifRange.map(RecordedValue.flag)
    case .status: return event.status.map { .integer(Int64($0)) }
    case .expected: return event.expected.map(RecordedValue.bytes)
    case .received: return event.received.map(RecordedValue.bytes)
    case .sent: return event.sent.map(RecordedValue.bytes)
    case .decoded: return event.decoded.map(RecordedValue.bytes)
    case .contentType: return event.contentType.map { .text(.plain($0)) }
    case .contentEncoding: return event.contentEncoding.map { .text(.plain($0)) }
    case .chunked: return event.chunked.map(RecordedValue.flag)
    case .etag: return event.etag.map(RecordedValue.text)
    case .lastModified: return event.lastModified.map(RecordedValue.text)
    case .rangeStart: return event.rangeStart.map(RecordedValue.bytes)
    case .rangeTotal: return event.rangeTotal.map(RecordedValue.bytes)
    case .acceptsRanges: return event.acceptsRanges.map(RecordedValue.flag)
    case .retryAfter: return event.retryAfter.map(RecordedValue.duration)
    case .retryIn: return event.retryIn.map(RecordedValue.duration)
    case .end: return event.end.map { .choice($0.name) }
    case .domain: return event.domain.map { .choice($0.name) }
    case .error: return event.error.map { .integer(Int64($0)) }
    case .errorName: return event.errorName.map { .text(.plain($0)) }
    case .message: return event.message.map(RecordedValue.text)
    case .osError: return event.osError.map { .integer(Int64($0)) }
    case .challengeMethod: return event.challengeMethod.map { .choice($0.name) }
    case .previousFailures: return event.previousFailures.map { .integer(Int64($0)) }
    case .disposition: return event.disposition.map { .choice($0.name) }
    case .decision: return event.decision.map { .choice($0.name) }
    case .credentialsKept: return event.credentialsKept.map(RecordedValue.flag)
    case .traceParent: return event.traceParent.map(RecordedValue.text)
    case .parentSpan: return event.parentSpan.map { .digest($0.rawValue) }
    case .file: return event.file.map(RecordedValue.text)
    case .size: return event.size.map(RecordedValue.bytes)
    case .exists: return event.exists.map(RecordedValue.flag)
    case .operation: return event.operation.map { .choice($0.name) }
    case .inCallback: return event.inCallback.map(RecordedValue.flag)
    case .content: return event.content.map { .digest($0.rawValue) }
    case .callback: return event.callback.map { .choice($0.name) }
    case .redelivered: return event.redelivered.map(RecordedValue.flag)
    case .step: return event.step.map { .text(.plain($0)) }
    case .durable: return event.durable.map(RecordedValue.flag)
    case .outcome: return event.outcome.map { .choice($0.name) }
    case .key: return event.key.map { .text(.plain($0)) }
    case .upTo: return event.upTo.map(RecordedValue.integer)
    case .capabilities: return event.capabilities.map { .text(.plain($0)) }
    case .interval: return event.interval.map(RecordedValue.duration)
    case .remaining: return event.remaining.map(RecordedValue.duration)
    case .firesAt: return event.firesAt.map(RecordedValue.time)
    case .triggerKind: return event.triggerKind.map { .choice($0.name) }
    case .radius: return event.radius.map { .integer(Int64($0)) }
    case .effectiveRadius: return event.effectiveRadius.map { .integer(Int64($0)) }
    case .up: return event.up.map(RecordedValue.flag)
    case .expensive: return event.expensive.map(RecordedValue.flag)
    case .constrained: return event.constrained.map(RecordedValue.flag)
    case .cellular: return event.cellular.map(RecordedValue.flag)
    case .charging: return event.charging.map(RecordedValue.flag)
    case .battery: return event.battery.map { .integer(Int64($0)) }
    case .free: return event.free.map(RecordedValue.bytes)
    case .openFiles: return event.openFiles.map(RecordedValue.integer)
    case .policy: return event.policy.map { .choice($0.name) }
    case .enabled: return event.enabled.map(RecordedValue.flag)
    case .part: return event.part.map { .integer(Int64($0)) }
    case .cpuTime: return event.cpuTime.map(RecordedValue.duration)
    case .queueDepth: return event.queueDepth.map(RecordedValue.integer)
    case .subsystem: return event.subsystem.map { .text(.plain($0)) }
    case .category: return event.category.map { .text(.plain($0)) }
    case .eventMessage: return event.eventMessage.map(RecordedValue.message)
    case .activity: return event.activity.map { .identifier($0.rawValue) }
    case .parentActivity: return event.parentActivity.map { .identifier($0.rawValue) }
    case .signpost: return event.signpost.map { .identifier($0.rawValue) }
    case .fileID: return event.fileID.map { .text(.plain($0)) }
    case .function: return event.function.map { .text(.plain($0)) }
    case .line: return event.line.map { .integer(Int64($0)) }
    case .settings: return event.settings.map(RecordedValue.text)
    case .setting: return event.setting.map { .text(.plain($0)) }
    case .requested: return event.requested.map { .text(.plain($0)) }
    case .effective: return event.effective.map { .text(.plain($0)) }
    case .cacheAnswer: return event.cacheAnswer.map { .choice($0.name) }
    case .cacheMiss: return event.cacheMiss.map { .choice($0.name) }
    case .cacheRemoval: return event.cacheRemoval.map { .choice($0.name) }
    case .age: return event.age.map(RecordedValue.duration)
    case .lifetime: return event.lifetime.map(RecordedValue.duration)
    case .carrier: return event.carrier.map(RecordedValue.task)
    case .metadata: return event.metadata.map(RecordedValue.text)
    case .acceptedTypes: return event.acceptedTypes.map { .text(.plain($0)) }
    case .phase: return event.phase.map { .choice($0.name) }
    case .uploadOffset: return event.uploadOffset.map(RecordedValue.bytes)
    case .uploadExpires: return event.uploadExpires.map(RecordedValue.time)
    case .resumable: return event.resumable.map(RecordedValue.flag)
    case .secretAnswer: return event.secretAnswer.map { .choice($0.name) }
    case .hasDelegate: return event.hasDelegate.map(RecordedValue.flag)
    case .holder: return event.holder.map(RecordedValue.launch)
    case .owner: return event.owner.map(RecordedValue.text)
    case .lock: return event.lock.map { .identifier($0.rawValue) }
    case .elapsed: return event.elapsed.map(RecordedValue.duration)
    case .logWork: return event.logWork.map { .choice($0.name) }
    case .freeFiles: return event.freeFiles.map(RecordedValue.integer)
    case .lifecycle: return event.lifecycle.map(RecordedValue.flag)
    case .continues: return event.continues.map(RecordedValue.text)
    case .acceptedStatus: return event.acceptedStatus.map { .integer(Int64($0)) }
    case .uncalled: return event.uncalled.map(RecordedValue.flag)
    case .unended: return event.unended.map(RecordedValue.flag)
    case .needsProgress: return event.needsProgress.map(RecordedValue.flag)
    case .unsatisfied: return event.unsatisfied.map { .choice($0.name) }
    case .importFile: return event.importFile.map { .integer(Int64($0)) }
    case .importWriter: return event.importWriter.map { .integer(Int64($0)) }
    case .importLine: return event.importLine.map(RecordedValue.integer)
    case .lastLine: return event.lastLine.map(RecordedValue.integer)
    case .format: return event.format.map { .text(.plain($0)) }
    case .original: return event.original.map(RecordedValue.text)
    case .monotonicClock: return event.monotonicClock.map(RecordedValue.duration)
    case .threadNumber: return event.threadNumber.map(RecordedValue.integer)
    case .recognised: return event.recognised.map(RecordedValue.integer)
    case .installation: return event.installation.map { .text(.plain($0)) }
    case .coverage: return event.coverage.map { .text(.plain($0)) }
    case .coveredEvents: return event.coveredEvents.map(RecordedValue.text)
    case .terms: return event.terms.map { .text(.plain($0)) }
    }
  }
}
