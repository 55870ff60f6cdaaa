extension Vocabulary {
  package static let events: [EventDefinition] = [
    // log
    .init(
      1, "log.opened", "segment {segment} opened, capture {captureMode}, levels {levels}",
      fields: "segment previousSegment captureMode levels version synthetic", follows: "start log.rotated log.closed"),
    .init(2, "log.closed", "closed, {dropped} dropped", fields: "dropped", follows: "any"),
    .init(
      3, "log.rotated", "rotated from segment {previousSegment} to segment {segment}", fields: "segment previousSegment reason",
      follows: "any"),
    .init(
      4, "log.dropped", level: .error, "{count} events of {family} could not be written: {why}",
      fields: "family count why osError lifecycle", follows: "any"),
    .init(
      5, "log.heartbeatWritten", "heartbeat: {liveTasks} live tasks, {received} received",
      fields: "liveTasks received queueDepth cpuTime", follows: "any"),
    .init(6, "log.levelsChanged", "levels are now {levels}", fields: "levels by", follows: "any"),
    .init(
      15, "log.levelsIgnored", level: .error, "the levels file could not be read ({reason}), levels remain {levels}",
      fields: "levels reason", follows: "any"),
    .init(
      7, "clock.sampled", "wall {wallClock}, boottime {boottimeClock} ({sampleReason})",
      fields: "wallClock boottimeClock sampleReason",
      follows: "any"),
    .init(
      8, "log.syncFailed", level: .error, "segment {segment} could not be synced to disk (errno {osError})",
      fields: "segment osError", follows: "any"),
    .init(
      9, "log.segmentsRemoved", "{count} segments removed, {size}, with events up to {until}: {reason}",
      fields: "count size until reason segment", follows: "any"),
    .init(
      190, "log.levelsThinned", "{count} events below {levels} removed from segment {segment}",
      fields: "segment count levels until", follows: "any", model: .unconsumed),

    // process
    .init(
      10, "process.started", "{executable} started as {role}, pid {pid}, because of {startReason}",
      fields:
        "launch boot pid parentPid role startReason background prewarmed debugger simulator mainThreadContract executable version osVersion container synthetic",
      follows: "start", cause: .init("wake.launched", joinedBy: "launch", where: ("startReason", "transfer"))),
    .init(
      11, "process.stateChanged", "now {state}", fields: "launch state",
      follows: "process.started process.stateChanged process.terminationAnnounced"),
    .init(
      12, "process.exited", "exits with {code} ({exitReason})", fields: "launch code exitReason by",
      follows: "process.started process.stateChanged process.terminationAnnounced"),
    .init(
      13, "process.exitObserved", level: .error, "process {pid} has ended: {exitReason}",
      fields: "launch boot pid code signal exitReason by executable segment",
      follows: "start process.started process.stateChanged process.terminationAnnounced process.exited process.exitObserved"),
    .init(
      14, "process.terminationAnnounced", "termination announced to the app", fields: "launch by",
      follows: "process.started process.stateChanged", writers: [.apps, .tool]),

    // daemon
    .init(16, "daemon.started", "daemon generation {generation} started", fields: "generation version", follows: "any"),
    .init(
      17, "daemon.recovered", "recovered {count} tasks, {dropped} unreadable",
      fields: "generation count dropped tasks", follows: "daemon.started"),
    .init(18, "daemon.exited", "daemon generation {generation} exited: {reason}", fields: "generation reason", follows: "any"),
    .init(
      19, "daemon.tasksListed", "daemon generation {generation} has {count} tasks", fields: "generation count tasks",
      follows: "any"),
    .init(20, "link.connected", "linked to {peer}", fields: "peer generation", follows: "start link.disconnected"),
    .init(
      21, "link.disconnected", "disconnected from {peer}: {reason}", fields: "peer generation reason", follows: "link.connected"),

    // session
    .init(
      24, "session.created", "{sessionKind} session {session}",
      fields:
        "session instance sessionKind delegate queue configuration connectionsPerHost requestTimeout resourceTimeout timeoutOrigin waitsForConnectivity discretionary effectiveDiscretionary sendsLaunchEvents extendedIdle allowsCellular allowsExpensive allowsConstrained container liveSessions hasDelegate",
      follows: "start"),
    .init(
      25, "session.reused", "existing session {session} reused", fields: "session instance delegate callerDelegate",
      follows: "any", writers: .library),
    .init(
      26, "session.connectStarted", "connecting {session} to the daemon", fields: "session instance", follows: "any",
      writers: .library, opens: .connection),
    .init(
      27, "session.connected", "{session} connected, {pending} callbacks pending", fields: "session instance generation pending",
      follows: "session.connectStarted", writers: .library, closes: .connection),
    .init(
      28, "session.connectFailed", level: .error, "{session} could not connect: {errorName}",
      fields: "session instance domain error errorName message holder", follows: "session.connectStarted", writers: .library,
      closes: .connection),
    .init(
      29, "session.invalidationRequested", "invalidation of {session} requested ({invalidation})",
      fields: "session instance invalidation by liveTasks", follows: "any"),
    .init(
      30, "session.invalidated", "{session} was invalidated", fields: "session instance domain error errorName",
      follows:
        "session.invalidationRequested session.connectFailed session.eventsFinished session.tasksQueried session.tasksAnswered"),
    .init(31, "session.released", "{session} was released", fields: "session instance liveTasks", follows: "any"),
    .init(
      32, "session.eventsFinished", "all events of {session} delivered, {liveTasks} tasks still running",
      fields: "session instance handler liveTasks", follows: "any", writers: .apps),
    .init(
      33, "session.tasksQueried", "tasks of {session} queried", fields: "session instance query", follows: "any",
      writers: .apps, opens: .query),
    .init(
      34, "session.tasksAnswered", "{count} tasks of {session}", fields: "session instance query count tasks connected",
      follows: "any", writers: .apps, closes: .query),
    .init(
      35, "session.configured", "{session} configured with {settings}", fields: "session instance settings", follows: "any",
      writers: .engines
    ),
    .init(
      36, "session.settingAdjusted", "{setting} adjusted from {requested} to {effective}",
      fields: "session instance setting requested effective", follows: "any", writers: .engines),

    // wake
    .init(
      40, "wake.wanted", "{session} requested a wake of its app, {pending} callbacks pending",
      fields: "session handler wakeCause pending",
      follows: "start", writers: .daemon),
    .init(
      41, "wake.held", "the wake of {session} is held for {delay}: {holdWake}", fields: "session handler holdWake delay",
      follows: "wake.wanted wake.held", writers: .daemon),
    .init(
      42, "wake.launched", "{executable} was launched for {session}, pid {pid}",
      fields: "session handler launch pid executable wakeCause osError", follows: "wake.wanted wake.held", writers: .daemon),
    .init(
      43, "wake.delivered", "the wake of {session} reached the app", fields: "session handler",
      follows: "start wake.wanted wake.held wake.launched wake.deadlineSet"),
    .init(
      44, "wake.handlerStored", "the completion handler of {session} is stored", fields: "session handler slot",
      follows: "wake.delivered wake.deadlineSet"),
    .init(
      45, "wake.handlerCalled", "the completion handler of {session} is called",
      fields: "session handler onMainThread threadName",
      follows: "wake.delivered wake.handlerStored wake.deadlineSet wake.deadlinePassed",
      cause: .init("wake.delivered", joinedBy: "handler")),
    .init(
      46, "wake.handlerReleased", "the completion handler of {session} was released", fields: "session handler",
      added: [2: "uncalled"], follows: "wake.delivered wake.handlerStored wake.handlerCalled wake.deadlineSet wake.deadlinePassed"
    ),
    .init(
      47, "wake.deadlineSet", "the app has {budget} to handle the events of {session}", fields: "session handler budget",
      follows: "wake.wanted wake.held wake.launched wake.delivered wake.handlerStored", writers: .engines),
    .init(
      48, "wake.deadlinePassed", level: .error, "the time to handle the events of {session} has expired",
      fields: "session handler budget",
      follows: "wake.delivered wake.handlerStored wake.deadlineSet", writers: .engines),

    // task
    .init(
      60, "task.created", "{type} {method} {scheme}://{host}{path}",
      fields:
        "task type origin completion method scheme host port path urlQuery resource label intent destination sourceFile sourceSize sourceModified inode sourceOwned expectedToSend expectedToReceive requestTimeout resourceTimeout discretionary effectiveDiscretionary allowsCellular priority credentialExpires resumeData offset handler liveTasks synthetic metadata content",
      added: [2: "continues"],
      follows: "start"),
    .init(
      61, "task.rejected", level: .error, "{session} rejected a task: {rejection}",
      fields: "session instance type rejection message",
      required: "", follows: "any", model: .session),
    .init(
      62, "task.resumed", "resumed", fields: "task by",
      follows:
        "task.created task.suspended task.resumed task.held task.holdEnded task.adopted task.delayAnswered task.changed task.coalesced"
    ),
    .init(
      63, "task.suspended", "suspended", fields: "task by",
      follows: "task.created task.resumed task.held task.holdEnded task.adopted task.suspended task.changed task.coalesced"),
    .init(
      64, "task.cancelRequested", "cancellation requested by {by}", fields: "task by cancelReason resumeData",
      follows:
        "task.created task.resumed task.suspended task.held task.holdEnded task.adopted task.delayAsked task.delayAnswered task.transferred task.cancelRequested task.handedOff task.changed task.coalesced"
    ),
    .init(
      65, "task.held", "waits for {hold} {slotsUsed}/{slots}", fields: "task hold host slotsUsed slots delay until",
      follows: "task.created task.resumed task.holdEnded task.adopted task.held task.delayAsked task.delayAnswered task.changed"),
    .init(
      66, "task.holdEnded", "no longer waits for {hold}", fields: "task hold",
      follows: "task.held task.adopted task.suspended task.resumed task.changed"),
    .init(
      67, "task.delayAsked", "the app was asked whether the task may begin", fields: "task query",
      follows: "task.resumed task.held task.holdEnded task.adopted task.changed", writers: .library, opens: .delay),
    .init(
      68, "task.delayAnswered", "the app answered whether the task may begin: {reason}", fields: "task query reason",
      follows: "task.delayAsked", writers: .library,
      closes: .delay),
    .init(
      69, "task.adopted", "adopted after a relaunch", fields: "task launch label",
      follows:
        "start task.created task.resumed task.suspended task.held task.holdEnded task.transferred task.adopted task.cancelRequested task.delayAsked task.completed",
      writers: .apps
    ),
    .init(
      70, "task.transferred", "transferred: {received} received, {sent} sent, status {status} {errorName}",
      fields: "task received sent status domain error errorName content",
      follows:
        "task.created task.resumed task.held task.holdEnded task.adopted task.cancelRequested task.suspended task.delayAnswered task.handedOff task.changed task.coalesced"
    ),
    .init(
      71, "task.completed", "complete: status {status}, {received} received {errorName}",
      fields: "task delivery received sent status domain error errorName message osError cancelReason resumeData",
      added: [2: "unsatisfied"],
      follows:
        "task.transferred task.adopted task.cancelRequested task.completed task.created task.resumed task.suspended task.held task.holdEnded task.delayAnswered task.handedOff task.changed task.coalesced"
    ),
    .init(
      72, "task.acknowledged", "the app received the completion", fields: "task delivery",
      follows: "task.completed task.transferred task.cancelRequested task.changed"),
    .init(
      73, "task.forgotten", "removed from the daemon's list: {forgotten}", fields: "task forgotten",
      follows:
        "task.created task.resumed task.suspended task.held task.holdEnded task.adopted task.transferred task.completed task.acknowledged task.cancelRequested task.changed",
      writers: .daemon
    ),
    .init(74, "task.handedOff", "continued as {successor}", fields: "task successor received", follows: "any"),
    .init(
      75, "task.changed", "task properties changed by {by}",
      fields: "task label priority expectedToSend expectedToReceive by",
      follows: "any", writers: .engines),
    .init(76, "task.coalesced", "shares the transfer of {carrier}", fields: "task carrier", follows: "any", writers: .engines),
    .init(
      77, "task.creationFailed", level: .error, "{session} returned neither a task nor an error", fields: "session instance type",
      required: "", follows: "any", model: .session),

    // attempt
    .init(
      80, "attempt.started", "attempt {attempt} to {host} from byte {offset}",
      fields: "task attempt scheme host port offset sourceSize sourceModified content",
      added: [4: "traceParent parentSpan"],
      follows: "start attempt.ended", opens: .attempt),
    .init(
      81, "attempt.connectionAcquired", "{protocol} connection to {host}, reused {reused}",
      fields:
        "task attempt transaction connection reused protocol host remoteAddress remotePort queueTime nameLookupTime connectTime secureTime idle",
      follows:
        "attempt.started attempt.connectionAcquired attempt.requestSent attempt.responseReceived attempt.bytesReceived attempt.bytesSent attempt.redirectAnswered attempt.challengeAnswered attempt.networkAwaited"
    ),
    .init(
      82, "attempt.requestSent", "{method} sent, {requestBytes}",
      fields: "task attempt transaction method requestBytes headers authorized offset ifRange uploadOffset acceptedTypes",
      follows:
        "attempt.started attempt.connectionAcquired attempt.bytesSent attempt.redirectAnswered attempt.challengeAnswered attempt.networkAwaited"
    ),
    .init(
      83, "attempt.responseReceived", "{status} {contentType} {expected}",
      fields:
        "task attempt transaction status expected contentType contentEncoding chunked etag lastModified rangeStart rangeTotal acceptsRanges retryAfter protocol firstByteTime headers host uploadOffset uploadExpires",
      follows:
        "attempt.requestSent attempt.bytesSent attempt.bytesReceived attempt.connectionAcquired attempt.responseReceived attempt.started"
    ),
    .init(
      84, "attempt.bytesReceived", importance: .progress, "{received} of {expected}",
      fields: "task attempt received expected",
      follows:
        "attempt.requestSent attempt.responseReceived attempt.bytesReceived attempt.redirectAnswered attempt.challengeAnswered"),
    .init(
      85, "attempt.bytesSent", importance: .progress, "{sent} of {expected} sent", fields: "task attempt sent expected",
      follows: "attempt.started attempt.connectionAcquired attempt.requestSent attempt.bytesSent"),
    .init(
      86, "attempt.ended", "{end} {errorName}: {received} received",
      fields:
        "task attempt end domain error errorName message osError received sent decoded bodyTime retryIn queueTime nameLookupTime connectTime secureTime firstByteTime phase",
      added: [5: "sourceSize sourceModified"],
      follows:
        "attempt.started attempt.connectionAcquired attempt.requestSent attempt.responseReceived attempt.bytesReceived attempt.bytesSent attempt.networkAwaited attempt.challengeReceived attempt.challengeAnswered attempt.redirectReceived attempt.redirectAnswered",
      closes: .attempt
    ),
    .init(
      87, "attempt.networkAwaited", "waits for the network", fields: "task attempt hold",
      follows:
        "attempt.started attempt.networkAwaited attempt.redirectAnswered attempt.challengeAnswered attempt.responseReceived attempt.bytesReceived"
    ),
    .init(
      88, "attempt.challengeReceived", "{challengeMethod} challenge from {host}",
      fields: "task attempt challenge challengeMethod host previousFailures",
      follows:
        "attempt.started attempt.connectionAcquired attempt.requestSent attempt.bytesSent attempt.responseReceived attempt.bytesReceived attempt.challengeAnswered",
      opens: .challenge
    ),
    .init(
      89, "attempt.challengeAnswered", "challenge answered: {disposition}", fields: "task attempt challenge disposition by",
      follows: "attempt.challengeReceived", closes: .challenge),
    .init(
      90, "attempt.redirectReceived", "{status} to {scheme}://{host}{path}",
      fields: "task attempt transaction status scheme host port path", follows: "attempt.responseReceived attempt.bytesReceived",
      opens: .redirect),
    .init(
      91, "attempt.redirectAnswered", "redirect {decision}", fields: "task attempt transaction decision credentialsKept by",
      follows: "attempt.redirectReceived", closes: .redirect),

    // file
    .init(
      100, "file.offered", "temporary file offered to the app, {size}", fields: "task delivery file inode size exists content",
      follows: "start file.reaped file.claimed file.unclaimed file.offered"),
    .init(
      101, "file.claimed", "{operation} to {destination} {osError}",
      fields: "task delivery operation destination osError inCallback size",
      follows: "file.offered file.claimed file.unclaimed file.reaped", writers: .apps),
    .init(
      102, "file.reaped", "the temporary file was removed", fields: "task inode size",
      follows: "file.offered file.claimed file.unclaimed"),
    .init(103, "file.deleted", "{file} was deleted by {by}", fields: "task file by reason", follows: "any"),
    .init(
      104, "file.unclaimed", "the app did not claim the temporary file", fields: "task delivery inode size",
      follows: "file.offered file.claimed", writers: .apps),

    // delivery
    .init(
      110, "delivery.sent", "{callback} is queued", fields: "task session delivery callback redelivered",
      follows: "start delivery.sent delivery.received delivery.entered delivery.left", writers: .carriers),
    .init(
      111, "delivery.received", "{callback} was received", fields: "task session delivery callback",
      follows: "start delivery.sent", cause: .init("delivery.sent", joinedBy: "delivery")),
    .init(
      112, "delivery.entered", "{callback} is called", fields: "task session delivery callback queue onMainThread delegate",
      follows: "delivery.received", opens: .callback),
    .init(
      113, "delivery.left", "{callback} has returned", fields: "task session delivery callback", follows: "delivery.entered",
      closes: .callback),
    .init(
      114, "delivery.dropped", level: .error, "{callback} was dropped: {why}", fields: "task session delivery callback why by",
      follows: "delivery.sent delivery.received delivery.entered"),

    // app
    .init(
      120, "app.intentDeclared", "intent {intent} declared, step {step}", fields: "intent task step durable", follows: "any",
      model: .intent,
      writers: [.apps, .tool]),
    .init(
      121, "app.intentBound", "intent {intent} bound to the task by {key}", fields: "intent task key", follows: "any",
      model: .intent),
    .init(
      122, "app.intentUnbound", "intent {intent} unbound from the task", fields: "intent task reason", follows: "any",
      model: .intent),
    .init(
      123, "app.outcomeRecorded", "outcome {outcome} for intent {intent}", fields: "intent task outcome message",
      added: [2: "acceptedStatus"],
      follows: "any",
      model: .intent,
      writers: [.apps, .tool]),
    .init(124, "app.listenerAttached", "{name} listens to {session}", fields: "session name", follows: "any", model: .listener),
    .init(125, "app.workBegun", "{name} begins", fields: "work name task", follows: "any", model: .work, opens: .work),
    .init(126, "app.workEnded", "{name} ends", fields: "work name task", follows: "any", model: .work, closes: .work),
    .init(127, "app.journalSaved", "journal saved up to entry {upTo}", fields: "upTo", follows: "any", model: .unconsumed),
    .init(
      128, "app.capabilitiesRecorded", "declared capabilities {capabilities}", fields: "capabilities", follows: "any",
      model: .condition),
    .init(
      129, "app.noted", "{message}", fields: "task intent message", follows: "any", model: .unconsumed, writers: [.apps, .tool]),
    .init(
      130, "app.beatExpected", "{name} is due every {interval}", fields: "name interval enabled", follows: "any", model: .beat),
    .init(131, "app.beatSent", "{name} was sent", fields: "name", follows: "any", model: .beat),

    .init(
      136, "app.secretRead", "reading the secret {name}: {secretAnswer} {osError}", fields: "name secretAnswer osError task",
      follows: "any", model: .secret),
    .init(
      137, "app.secretDeleted", "the secret {name} was deleted: {reason}", fields: "name reason", follows: "any", model: .secret),

    // assertion, deadman, trigger
    .init(
      140, "assertion.begun", "{name} begins", fields: "assertion name slot remaining", added: [2: "needsProgress"],
      follows: "start", opens: .assertion),
    .init(
      141, "assertion.expired", level: .error, "{name} expired", fields: "assertion name", added: [2: "unended"],
      follows: "assertion.begun", closes: .assertion),
    .init(
      142, "assertion.ended", "{name} ends", fields: "assertion name", follows: "assertion.begun assertion.expired",
      closes: .assertion),
    .init(
      150, "deadman.armed", "fires at {firesAt} unless it is re-armed", fields: "deadman name firesAt interval",
      follows: "start deadman.disarmed deadman.checked deadman.armed", writers: .apps),
    .init(
      151, "deadman.checked", "{remaining} remaining", fields: "deadman remaining", follows: "deadman.armed deadman.checked",
      writers: .apps),
    .init(152, "deadman.disarmed", "disarmed", fields: "deadman by", follows: "deadman.armed deadman.checked deadman.fired"),
    .init(
      153, "deadman.fired", level: .error, "fired, {count} times since it was armed", fields: "deadman count",
      follows: "deadman.armed deadman.checked deadman.fired", writers: .daemon),
    .init(
      156, "trigger.armed", "{triggerKind} {name} is armed", fields: "trigger triggerKind name radius effectiveRadius firesAt",
      follows: "start trigger.fired trigger.armed", writers: .apps),
    .init(
      157, "trigger.fired", "{triggerKind} {name} fires", fields: "trigger triggerKind name",
      follows: "trigger.armed trigger.fired"),

    // network, power, disk, protection, policy
    .init(
      160, "network.pathChanged", "network up {up}, expensive {expensive}, constrained {constrained}, cellular {cellular}",
      fields: "up expensive constrained cellular name", follows: "any"),
    .init(161, "power.changed", "charging {charging}, battery {battery} %", fields: "charging battery", follows: "any"),
    .init(
      162, "disk.spaceSampled", "{free} free, {openFiles} files open", fields: "free openFiles freeFiles", follows: "any",
      model: .condition),
    .init(163, "protection.enabled", "protected files cannot be read", fields: "", follows: "any"),
    .init(164, "protection.disabled", "protected files can be read", fields: "", follows: "any"),
    .init(165, "policy.changed", "{policy} changed, enabled {enabled}", fields: "policy enabled by", follows: "any"),

    // multipart
    .init(170, "multipart.started", "multipart upload started", fields: "upload task resumable", follows: "start"),
    .init(
      171, "multipart.partStored", "part {part} stored, {sent}",
      fields: "upload task part sent sourceSize sourceModified content",
      follows: "multipart.started multipart.partStored"),
    .init(
      172, "multipart.completed", "multipart upload completed", fields: "upload task",
      follows: "multipart.started multipart.partStored"),
    .init(
      173, "multipart.aborted", "multipart upload aborted", fields: "upload task",
      follows: "multipart.started multipart.partStored"
    ),

    // message: one event per level, because the level of an event is fixed
    .init(
      180, "message.debug", level: .debug, importance: .diagnostic, "[{subsystem}:{category}] {eventMessage}",
      fields: "subsystem category eventMessage activity task fileID function line", follows: "any"),
    .init(
      181, "message.info", level: .info, importance: .diagnostic, "[{subsystem}:{category}] {eventMessage}",
      fields: "subsystem category eventMessage activity task fileID function line", follows: "any"),
    .init(
      182, "message.default", "[{subsystem}:{category}] {eventMessage}",
      fields: "subsystem category eventMessage activity task fileID function line", follows: "any"),
    .init(
      183, "message.error", level: .error, "[{subsystem}:{category}] {eventMessage}",
      fields: "subsystem category eventMessage activity task fileID function line", follows: "any"),
    .init(
      184, "message.fault", level: .fault, "[{subsystem}:{category}] {eventMessage}",
      fields: "subsystem category eventMessage activity task fileID function line", follows: "any"),

    // signpost
    .init(
      185, "signpost.begun", level: .info, importance: .diagnostic, "[{subsystem}:{category}] {name} begins: {eventMessage}",
      fields: "signpost subsystem category name eventMessage activity task", follows: "any"),
    .init(
      186, "signpost.ended", level: .info, importance: .diagnostic, "[{subsystem}:{category}] {name} ends: {eventMessage}",
      fields: "signpost subsystem category name eventMessage activity task", follows: "any"),
    .init(
      187, "signpost.emitted", level: .info, importance: .diagnostic, "[{subsystem}:{category}] {name}: {eventMessage}",
      fields: "signpost subsystem category name eventMessage activity task", follows: "any"),

    // activity
    .init(
      188, "activity.begun", "activity {name} begins", fields: "activity parentActivity name subsystem category",
      follows: "start"),
    .init(189, "activity.ended", "activity {name} ends", fields: "activity name", follows: "activity.begun"),

    // cache
    .init(
      200, "cache.answered", "answered from the cache ({cacheAnswer}): {status}, {size}, {age} old",
      fields: "task resource cacheAnswer status size age lifetime etag lastModified", follows: "any"),
    .init(
      201, "cache.missed", level: .info, importance: .diagnostic, "no stored response could be used: {cacheMiss}",
      fields: "task resource cacheMiss age lifetime", follows: "any"),
    .init(
      202, "cache.stored", "{size} stored, fresh for {lifetime}", fields: "task resource status size age lifetime",
      follows: "any"),
    .init(
      203, "cache.removed", "{count} stored responses removed: {cacheRemoval}",
      fields: "task resource cacheRemoval count size", follows: "any"),

    // events of the families above that were added later
    .init(
      220, "disk.openFailed", level: .error, "{file} cannot be opened (errno {osError})",
      fields: "task file osError container exists", follows: "any"),
    .init(
      221, "disk.leftOverFound", "{file} is left over: {size}, {age} old", fields: "task file inode size age owner",
      follows: "any"),
    .init(222, "app.lockTaken", "lock {name} acquired", fields: "lock name", follows: "any", model: .work),
    .init(223, "app.lockReleased", "lock {name} released", fields: "lock name", follows: "any", model: .work),
    .init(
      224, "app.lockTimedOut", level: .error, "lock {name} timed out, waited {elapsed}", fields: "lock name elapsed",
      follows: "any", model: .work),
    .init(
      225, "log.stalled", level: .error, "the log blocked its writer for {elapsed}: {logWork}",
      fields: "logWork elapsed onMainThread segment", follows: "any"),

    // events of the families above that only logs of other programs contain
    .init(
      226, "task.observed", "another program's log names the task: {type}", since: 2, fields: "task type sessionKind",
      follows: "any", writers: .all),
    .init(
      227, "session.observed", "another program's log names the {sessionKind} session {session}", since: 2,
      fields: "session instance sessionKind executable", follows: "any", writers: .all),
    .init(
      228, "assertion.overdue", level: .error, "{name} has not been ended for {elapsed}", since: 2,
      fields: "assertion name elapsed", follows: "any"),
    .init(
      229, "process.assertionTimedOut", level: .error,
      "the system took back an expired assertion on {executable}",
      since: 2, fields: "launch pid executable name", follows: "any"),
    .init(
      230, "process.launchFailed", level: .error, "{executable} could not be launched", since: 2,
      fields: "launch pid executable osError message", follows: "any"),
    .init(
      231, "process.watchdogWithheld", level: .error,
      "{executable} exceeded the limit of the watchdog {name} and was not terminated",
      since: 2, fields: "launch pid executable name debugger", follows: "any"),

    // import: the account of a converted log. All its other events follow an import.eventRead each.
    .init(
      232, "import.fileOpened", "file {importFile} is {name}, in the format {format}", since: 3,
      fields: "importFile name format size content", follows: "any"),
    .init(
      233, "import.writerFound", "writer {importWriter} of file {importFile} is {executable}", since: 3,
      fields:
        "importWriter importFile launch boot installation pid role executable version osVersion captureMode levels coverage coveredEvents",
      follows: "any"),
    .init(
      234, "import.eventRead", "line {importLine}: {original}", since: 3,
      fields: "importWriter importLine wallClock boottimeClock monotonicClock threadNumber original", follows: "any"),
    .init(
      235, "import.gapFound", "lines {importLine} to {lastLine} of file {importFile} are missing: {reason} {message}", since: 3,
      fields:
        "importFile reason message importLine lastLine wallClock boottimeClock monotonicClock launch installation boot terms",
      follows: "any"),
    .init(
      236, "import.gapEnded", "the gap in file {importFile} ended", since: 3,
      fields: "importFile wallClock boottimeClock monotonicClock", follows: "any"),
    .init(
      237, "import.fileRead", "file {importFile} has {lastLine} lines, {count} records, {recognised} recognised", since: 3,
      fields: "importFile lastLine count recognised", follows: "any"),
    .init(
      238, "import.fileIncomplete", "file {importFile} is incomplete: {message}", since: 3, fields: "importFile message",
      follows: "any"),
  ]
}
