// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// The role of the process that writes.
public enum WriterRole: UInt8, Sendable, CaseIterable {
  /// An app that uses this library.
  case app
  /// The transfer engine within a command or a service.
  case engine
  /// The transfer daemon.
  case daemon
  /// An app that uses Foundation's URLSession with this library's recorder.
  case recorder
  /// The reading tool or a test.
  case tool
  /// An app extension that uses this library.
  case appExtension
  /// A process of the operating system, such as the one that starts and ends apps.
  case system

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .app: "app"
    case .engine: "engine"
    case .daemon: "daemon"
    case .recorder: "recorder"
    case .tool: "tool"
    case .appExtension: "appExtension"
    case .system: "system"
    }
  }
}

/// The form in which private values are stored.
public enum CaptureMode: UInt8, Sendable, CaseIterable {
  /// A keyed hash, so that equal values can be joined.
  case hashed
  /// Not stored.
  case redacted
  /// All values, including secrets.
  case full

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .hashed: "hashed"
    case .redacted: "redacted"
    case .full: "full"
    }
  }
}

/// The reason for the start of a process.
public enum StartReason: UInt8, Sendable, CaseIterable {
  /// The reason is unknown.
  case unknown
  /// The user opened the app.
  case user
  /// A background session has events for the app.
  case transfer
  /// A background transfer needs authentication.
  case challenge
  /// The device moved far.
  case significantLocation
  /// The device left or entered a region.
  case region
  /// A push notification or a call arrived.
  case push
  /// A timer or a scheduled refresh fired.
  case timer
  /// The system prepared the app before its use.
  case prewarm
  /// A shell or a script started it.
  case command
  /// Its supervisor restarted it.
  case restart

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .user: "user"
    case .transfer: "transfer"
    case .challenge: "challenge"
    case .significantLocation: "significantLocation"
    case .region: "region"
    case .push: "push"
    case .timer: "timer"
    case .prewarm: "prewarm"
    case .command: "command"
    case .restart: "restart"
    }
  }
}

/// The execution state of an app.
public enum AppState: UInt8, Sendable, CaseIterable {
  /// The app is in the foreground.
  case foreground
  /// The app is running in the background.
  case background
  /// The app is about to be suspended.
  case suspending
  /// The app is suspended in memory.
  case suspended
  /// The app is running again after a suspension.
  case resumed

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .foreground: "foreground"
    case .background: "background"
    case .suspending: "suspending"
    case .suspended: "suspended"
    case .resumed: "resumed"
    }
  }
}

/// The way in which a process life ended.
public enum ExitReason: UInt8, Sendable, CaseIterable {
  /// The process is gone, and the reason is unknown.
  case unknown
  /// Its main function returned.
  case returned
  /// Its own code called exit.
  case exitCall
  /// A signal ended it.
  case signal
  /// The next process that opened the log found it missing.
  case missing
  /// The machine was restarted.
  case rebooted
  /// The user quit the app.
  case userQuit
  /// The system needed its memory.
  case memoryPressure
  /// A watchdog ended it because it was unresponsive.
  case watchdog
  /// It was suspended while it held a shared lock.
  case suspendedHoldingLock
  /// Its background time expired.
  case assertionExpired
  /// The debugger ended it.
  case debuggerEnded
  /// It was replaced by a newer version.
  case upgraded
  /// The system reported a crash.
  case crashed

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .returned: "returned"
    case .exitCall: "exitCall"
    case .signal: "signal"
    case .missing: "missing"
    case .rebooted: "rebooted"
    case .userQuit: "userQuit"
    case .memoryPressure: "memoryPressure"
    case .watchdog: "watchdog"
    case .suspendedHoldingLock: "suspendedHoldingLock"
    case .assertionExpired: "assertionExpired"
    case .debuggerEnded: "debuggerEnded"
    case .upgraded: "upgraded"
    case .crashed: "crashed"
    }
  }
}

/// The party that acted.
public enum Actor: UInt8, Sendable, CaseIterable {
  /// An unknown party.
  case unknown
  /// The app's own code.
  case app
  /// The transfer engine.
  case engine
  /// The daemon.
  case daemon
  /// A policy of the system.
  case policy
  /// The user.
  case user
  /// The server.
  case server
  /// A progress object.
  case progress

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .app: "app"
    case .engine: "engine"
    case .daemon: "daemon"
    case .policy: "policy"
    case .user: "user"
    case .server: "server"
    case .progress: "progress"
    }
  }
}

/// The kind of a session, after URLSession's configurations.
public enum SessionKind: UInt8, Sendable, CaseIterable {
  /// Caches and cookies are stored on disk.
  case `default`
  /// Nothing is stored on disk.
  case ephemeral
  /// The daemon carries the tasks.
  case background
  /// The shared session of the process.
  case shared

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .`default`: "default"
    case .ephemeral: "ephemeral"
    case .background: "background"
    case .shared: "shared"
    }
  }
}

/// The type of a task.
public enum TaskType: UInt8, Sendable, CaseIterable {
  /// Receives the body in memory.
  case data
  /// Sends a body.
  case upload
  /// Receives the body in a file.
  case download

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .data: "data"
    case .upload: "upload"
    case .download: "download"
    }
  }
}

/// The way in which the app receives the completion.
public enum CompletionStyle: UInt8, Sendable, CaseIterable {
  /// An async function returns.
  case async
  /// The task's completion handler is called.
  case closure
  /// The session's delegate is called.
  case delegate
  /// The completion belongs to tasks that share the transfer.
  case shared

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .async: "async"
    case .closure: "closure"
    case .delegate: "delegate"
    case .shared: "shared"
    }
  }
}

/// The state of the app when it created a task.
public enum TaskOrigin: UInt8, Sendable, CaseIterable {
  /// The state is unknown.
  case unknown
  /// The app was in the foreground.
  case foreground
  /// The app was in the background.
  case background

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .foreground: "foreground"
    case .background: "background"
    }
  }
}

/// The moment at which the request timeout starts.
public enum TimeoutOrigin: UInt8, Sendable, CaseIterable {
  /// The start of the attempt.
  case connection
  /// The resume of the task.
  case resume

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .connection: "connection"
    case .resume: "resume"
    }
  }
}

/// The reason why a task was not created.
public enum RejectionReason: UInt8, Sendable, CaseIterable {
  /// The session was invalidated.
  case invalidSession
  /// The URL scheme is neither http nor https.
  case unsupportedScheme
  /// The URL is invalid.
  case badURL
  /// Background sessions do not support completion handlers.
  case completionHandlerInBackground
  /// Background sessions upload only from files, not from memory.
  case bodyFromMemory
  /// Background sessions upload only from files, not from streams.
  case bodyFromStream
  /// Background sessions do not support data tasks.
  case dataTaskInBackground
  /// An extension needs a shared container.
  case missingContainer
  /// The session's limit of tasks is reached.
  case tooManyTasks
  /// The file to upload does not exist.
  case missingSource
  /// The resume data is invalid.
  case resumeDataInvalid
  /// The task's metadata exceeds the limit.
  case metadataTooLarge

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .invalidSession: "invalidSession"
    case .unsupportedScheme: "unsupportedScheme"
    case .badURL: "badURL"
    case .completionHandlerInBackground: "completionHandlerInBackground"
    case .bodyFromMemory: "bodyFromMemory"
    case .bodyFromStream: "bodyFromStream"
    case .dataTaskInBackground: "dataTaskInBackground"
    case .missingContainer: "missingContainer"
    case .tooManyTasks: "tooManyTasks"
    case .missingSource: "missingSource"
    case .resumeDataInvalid: "resumeDataInvalid"
    case .metadataTooLarge: "metadataTooLarge"
    }
  }
}

/// URLSession's reason for a cancellation.
public enum CancelReason: UInt8, Sendable, CaseIterable {
  /// The app requested it.
  case `none`
  /// The user quit the app.
  case userForceQuit
  /// The user disabled background refresh.
  case backgroundUpdatesDisabled
  /// The system lacked resources.
  case insufficientResources
  /// The session was invalidated.
  case sessionInvalidated
  /// The body exceeded the size limit.
  case sizeLimit

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .`none`: "none"
    case .userForceQuit: "userForceQuit"
    case .backgroundUpdatesDisabled: "backgroundUpdatesDisabled"
    case .insufficientResources: "insufficientResources"
    case .sessionInvalidated: "sessionInvalidated"
    case .sizeLimit: "sizeLimit"
    }
  }
}

/// The reason why a task waits. A task has one at a time.
public enum HoldReason: UInt8, Sendable, CaseIterable {
  /// All connections to its host are in use.
  case hostSlots
  /// All connections of its session are in use.
  case sessionSlots
  /// No network path is available.
  case network
  /// The available network path is not allowed.
  case networkPolicy
  /// The system waits for a better time.
  case discretionary
  /// The app was woken too often.
  case wakeDelay
  /// Its earliest begin date has not been reached.
  case beginDate
  /// The app was asked whether to begin and has not answered.
  case delayAnswer
  /// An authentication challenge is open.
  case challenge
  /// The app was asked about a redirect and has not answered.
  case redirect
  /// A delay before the next attempt is running.
  case backoff
  /// The device is locked.
  case protectedData
  /// The disk is full.
  case diskSpace
  /// The daemon is not ready.
  case daemonStarting

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .hostSlots: "hostSlots"
    case .sessionSlots: "sessionSlots"
    case .network: "network"
    case .networkPolicy: "networkPolicy"
    case .discretionary: "discretionary"
    case .wakeDelay: "wakeDelay"
    case .beginDate: "beginDate"
    case .delayAnswer: "delayAnswer"
    case .challenge: "challenge"
    case .redirect: "redirect"
    case .backoff: "backoff"
    case .protectedData: "protectedData"
    case .diskSpace: "diskSpace"
    case .daemonStarting: "daemonStarting"
    }
  }
}

/// The reason why the daemon removed a task from its list.
public enum ForgetReason: UInt8, Sendable, CaseIterable {
  /// The app has received the completion.
  case acknowledged
  /// The task was cancelled.
  case cancelled
  /// The app did not fetch the completion in time.
  case expired
  /// The app was removed.
  case appRemoved
  /// The session was invalidated.
  case sessionInvalidated
  /// The task's record in the database was unreadable.
  case corrupt
  /// The user quit the app.
  case userForceQuit

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .acknowledged: "acknowledged"
    case .cancelled: "cancelled"
    case .expired: "expired"
    case .appRemoved: "appRemoved"
    case .sessionInvalidated: "sessionInvalidated"
    case .corrupt: "corrupt"
    case .userForceQuit: "userForceQuit"
    }
  }
}

/// The way in which an attempt ended.
public enum AttemptEnd: UInt8, Sendable, CaseIterable {
  /// The response is complete.
  case finished
  /// The transport failed.
  case transport
  /// A time limit passed.
  case timeout
  /// The task was cancelled.
  case cancelled
  /// The task was suspended.
  case suspended
  /// The engine refused the response.
  case refused
  /// A redirect was not followed.
  case redirectRefused
  /// A local file could not be read or written.
  case file
  /// The app left the foreground.
  case appBackgrounded
  /// The process that ran the attempt ended.
  case processEnded
  /// A limit of the engine was reached.
  case limit
  /// Another task continues with the response.
  case handedOff

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .transport: "transport"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    case .suspended: "suspended"
    case .refused: "refused"
    case .redirectRefused: "redirectRefused"
    case .file: "file"
    case .appBackgrounded: "appBackgrounded"
    case .processEnded: "processEnded"
    case .limit: "limit"
    case .handedOff: "handedOff"
    }
  }
}

/// The set of numbers to which an error code belongs.
public enum ErrorDomain: UInt8, Sendable, CaseIterable {
  /// Libcurl's CURLcode.
  case curl
  /// Errno.
  case posix
  /// HTTP status codes.
  case http
  /// NSURLErrorDomain.
  case url
  /// The engine's own error codes.
  case xfer
  /// NSCocoaErrorDomain.
  case cocoa
  /// KCFErrorDomainCFNetwork.
  case cfnetwork
  /// Another domain.
  case other

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .curl: "curl"
    case .posix: "posix"
    case .http: "http"
    case .url: "url"
    case .xfer: "xfer"
    case .cocoa: "cocoa"
    case .cfnetwork: "cfnetwork"
    case .other: "other"
    }
  }
}

/// The delegate callback or completion handler call that a delivery carries.
public enum Callback: UInt8, Sendable, CaseIterable {
  /// The task is complete.
  case didComplete
  /// The downloaded file is available.
  case didFinishDownloading
  /// The response's header was received.
  case didReceiveResponse
  /// Bytes of the body were received.
  case didReceiveData
  /// A download has made progress.
  case didWriteData
  /// An upload has made progress.
  case didSendBodyData
  /// A redirect was received.
  case willPerformRedirect
  /// An authentication challenge was received.
  case didReceiveChallenge
  /// The body has to be sent again.
  case needNewBodyStream
  /// The metrics are available.
  case didFinishCollectingMetrics
  /// The task waits for the network.
  case waitingForConnectivity
  /// The earliest begin date was reached.
  case willBeginDelayedRequest
  /// A response is about to be cached.
  case willCacheResponse
  /// All events of a background session are delivered.
  case didFinishEvents
  /// The session is invalid.
  case didBecomeInvalid
  /// A download continues from resume data.
  case didResume
  /// A data task has become a download.
  case didBecomeDownload

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .didComplete: "didComplete"
    case .didFinishDownloading: "didFinishDownloading"
    case .didReceiveResponse: "didReceiveResponse"
    case .didReceiveData: "didReceiveData"
    case .didWriteData: "didWriteData"
    case .didSendBodyData: "didSendBodyData"
    case .willPerformRedirect: "willPerformRedirect"
    case .didReceiveChallenge: "didReceiveChallenge"
    case .needNewBodyStream: "needNewBodyStream"
    case .didFinishCollectingMetrics: "didFinishCollectingMetrics"
    case .waitingForConnectivity: "waitingForConnectivity"
    case .willBeginDelayedRequest: "willBeginDelayedRequest"
    case .willCacheResponse: "willCacheResponse"
    case .didFinishEvents: "didFinishEvents"
    case .didBecomeInvalid: "didBecomeInvalid"
    case .didResume: "didResume"
    case .didBecomeDownload: "didBecomeDownload"
    }
  }
}

/// The reason why an event or a callback was dropped.
public enum DropReason: UInt8, Sendable, CaseIterable {
  /// The reason is unknown.
  case unknown
  /// No code listens.
  case noConsumer
  /// The app has no record of the task.
  case noRecord
  /// The delegate no longer exists.
  case delegateGone
  /// The app does not want it any more.
  case cancelled
  /// The disk was full.
  case diskFull
  /// An input or output error occurred.
  case ioError
  /// It exceeded the size limit.
  case tooLarge
  /// The log was closed.
  case closed
  /// The rate limit was exceeded.
  case rateLimited

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .noConsumer: "noConsumer"
    case .noRecord: "noRecord"
    case .delegateGone: "delegateGone"
    case .cancelled: "cancelled"
    case .diskFull: "diskFull"
    case .ioError: "ioError"
    case .tooLarge: "tooLarge"
    case .closed: "closed"
    case .rateLimited: "rateLimited"
    }
  }
}

/// The way in which the app claimed a file.
public enum ClaimOperation: UInt8, Sendable, CaseIterable {
  /// The app moved the file.
  case move
  /// The app copied the file.
  case copy
  /// The app opened the file during the callback.
  case `open`
  /// The app linked the file elsewhere during the callback.
  case link
  /// The file was gone when the callback returned.
  case unknown

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .move: "move"
    case .copy: "copy"
    case .`open`: "open"
    case .link: "link"
    case .unknown: "unknown"
    }
  }
}

/// The method of an authentication challenge, after URLSession.
public enum ChallengeMethod: UInt8, Sendable, CaseIterable {
  /// Evaluate the server's certificate.
  case serverTrust
  /// Provide a client certificate.
  case clientCertificate
  /// User and password.
  case basic
  /// User and password, hashed.
  case digest
  /// A token.
  case bearer
  /// Another method.
  case other

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .serverTrust: "serverTrust"
    case .clientCertificate: "clientCertificate"
    case .basic: "basic"
    case .digest: "digest"
    case .bearer: "bearer"
    case .other: "other"
    }
  }
}

/// The answer to an authentication challenge, after URLSession.
public enum ChallengeDisposition: UInt8, Sendable, CaseIterable {
  /// Use this credential.
  case useCredential
  /// Use the default handling.
  case performDefaultHandling
  /// Cancel the request.
  case cancel
  /// Try the next method.
  case rejectProtectionSpace

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .useCredential: "useCredential"
    case .performDefaultHandling: "performDefaultHandling"
    case .cancel: "cancel"
    case .rejectProtectionSpace: "rejectProtectionSpace"
    }
  }
}

/// The decision about a redirect.
public enum RedirectDecision: UInt8, Sendable, CaseIterable {
  /// The redirect was followed.
  case followed
  /// The app declined it.
  case refusedByApp
  /// The target is neither http nor https.
  case refusedScheme
  /// The redirect leads from https to http.
  case refusedDowngrade
  /// The limit of redirects was reached.
  case tooMany
  /// The target address is invalid.
  case badLocation

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .followed: "followed"
    case .refusedByApp: "refusedByApp"
    case .refusedScheme: "refusedScheme"
    case .refusedDowngrade: "refusedDowngrade"
    case .tooMany: "tooMany"
    case .badLocation: "badLocation"
    }
  }
}

/// The reason why an app is woken.
public enum WakeCause: UInt8, Sendable, CaseIterable {
  /// Tasks are complete.
  case completion
  /// A transfer needs authentication.
  case challenge
  /// A delayed request may begin.
  case delayed

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .completion: "completion"
    case .challenge: "challenge"
    case .delayed: "delayed"
    }
  }
}

/// The reason why a wake is held.
public enum HoldWakeReason: UInt8, Sendable, CaseIterable {
  /// The app was woken too often.
  case rateLimit
  /// The session does not send launch events.
  case suppressed
  /// The user quit the app.
  case userQuit
  /// Background refresh is disabled.
  case policy
  /// The program could not be started.
  case launchFailed
  /// The app is already running.
  case running
  /// The app exits too soon after each start.
  case storm

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .rateLimit: "rateLimit"
    case .suppressed: "suppressed"
    case .userQuit: "userQuit"
    case .policy: "policy"
    case .launchFailed: "launchFailed"
    case .running: "running"
    case .storm: "storm"
    }
  }
}

/// The outcome of an intent that the app recorded.
public enum Outcome: UInt8, Sendable, CaseIterable {
  /// It succeeded.
  case success
  /// It failed.
  case failure
  /// The app does not want it any more.
  case discarded
  /// The app cancelled it.
  case cancelled

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .discarded: "discarded"
    case .cancelled: "cancelled"
    }
  }
}

/// The way in which a session is invalidated.
public enum InvalidationMode: UInt8, Sendable, CaseIterable {
  /// After its tasks have completed.
  case finishTasks
  /// Immediately, cancelling its tasks.
  case cancel

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .finishTasks: "finishTasks"
    case .cancel: "cancel"
    }
  }
}

/// The reason why the clocks were sampled.
public enum SampleReason: UInt8, Sendable, CaseIterable {
  /// The log was opened.
  case opened
  /// A regular sample was due.
  case periodic
  /// A new segment began.
  case rotated
  /// The wall clock was changed.
  case stepped
  /// The machine woke from sleep.
  case resumed

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .opened: "opened"
    case .periodic: "periodic"
    case .rotated: "rotated"
    case .stepped: "stepped"
    case .resumed: "resumed"
    }
  }
}

/// The kind of a launch trigger.
public enum TriggerKind: UInt8, Sendable, CaseIterable {
  /// The device moved far.
  case significantLocation
  /// The device left or entered a region.
  case region
  /// A push notification or a call arrived.
  case push
  /// A timer fired.
  case timer
  /// The system granted a submitted app refresh, such as a BGAppRefreshTask.
  case appRefresh
  /// The system granted a submitted processing request, such as a BGProcessingTask.
  case processing

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .significantLocation: "significantLocation"
    case .region: "region"
    case .push: "push"
    case .timer: "timer"
    case .appRefresh: "appRefresh"
    case .processing: "processing"
    }
  }
}

/// The reason why a network path could not be used, as in `NWPath.UnsatisfiedReason`.
public enum UnsatisfiedReason: UInt8, Sendable, CaseIterable {
  /// No network is available.
  case notAvailable
  /// The user denied the app the cellular network.
  case cellularDenied
  /// The user denied the app Wi-Fi.
  case wifiDenied
  /// The user denied the app the local network.
  case localNetworkDenied
  /// A required VPN is not active.
  case vpnInactive

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .notAvailable: "notAvailable"
    case .cellularDenied: "cellularDenied"
    case .wifiDenied: "wifiDenied"
    case .localNetworkDenied: "localNetworkDenied"
    case .vpnInactive: "vpnInactive"
    }
  }
}

/// The name of a policy that the user can change.
public enum PolicyName: UInt8, Sendable, CaseIterable {
  /// Whether apps may refresh in the background.
  case backgroundRefresh
  /// Whether the app may use the cellular network.
  case cellularData
  /// Whether to save data.
  case lowDataMode
  /// Whether to save power.
  case lowPowerMode

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .backgroundRefresh: "backgroundRefresh"
    case .cellularData: "cellularData"
    case .lowDataMode: "lowDataMode"
    case .lowPowerMode: "lowPowerMode"
    }
  }
}

/// The reason why a stored response could be used.
public enum CacheAnswer: UInt8, Sendable, CaseIterable {
  /// It was fresh.
  case fresh
  /// The server confirmed that it is still valid.
  case validated
  /// The request accepts stale responses.
  case stale
  /// The server could not be reached, and a stale response is allowed in this case.
  case staleIfError
  /// The cache policy ignores the age.
  case ageIgnored

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .fresh: "fresh"
    case .validated: "validated"
    case .stale: "stale"
    case .staleIfError: "staleIfError"
    case .ageIgnored: "ageIgnored"
    }
  }
}

/// The reason why the server had to be asked.
public enum CacheMiss: UInt8, Sendable, CaseIterable {
  /// No response is stored.
  case absent
  /// The stored response is for a request with other header fields or credentials.
  case otherRequest
  /// The stored response is stale.
  case stale
  /// The stored response must be validated before use.
  case mustValidate
  /// The request does not accept stored responses.
  case reload

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .absent: "absent"
    case .otherRequest: "otherRequest"
    case .stale: "stale"
    case .mustValidate: "mustValidate"
    case .reload: "reload"
    }
  }
}

/// The reason why a stored response was removed.
public enum CacheRemoval: UInt8, Sendable, CaseIterable {
  /// Its bytes have changed since they were stored.
  case damaged
  /// A request has changed the resource.
  case invalidated
  /// The server's new response must not be stored.
  case superseded
  /// The server confirmed it but describes another version.
  case contradicted
  /// The cache was full.
  case evicted

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .damaged: "damaged"
    case .invalidated: "invalidated"
    case .superseded: "superseded"
    case .contradicted: "contradicted"
    case .evicted: "evicted"
    }
  }
}

/// The phase that an attempt had reached.
public enum AttemptPhase: UInt8, Sendable, CaseIterable {
  /// It had not started.
  case queued
  /// The host name was being resolved.
  case resolving
  /// A connection was being established.
  case connecting
  /// TLS was being negotiated.
  case securing
  /// The request was being sent.
  case sending
  /// The request was sent, and no response had arrived.
  case waiting
  /// The response was being received.
  case receiving

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .queued: "queued"
    case .resolving: "resolving"
    case .connecting: "connecting"
    case .securing: "securing"
    case .sending: "sending"
    case .waiting: "waiting"
    case .receiving: "receiving"
    }
  }
}

/// The result of reading a secret, such as a token.
public enum SecretAnswer: UInt8, Sendable, CaseIterable {
  /// The secret was read.
  case read
  /// The secret does not exist.
  case absent
  /// The secret cannot be read now, for example because the device is locked.
  case unavailable
  /// The app may not read the secret.
  case denied
  /// Another error occurred.
  case failed

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .read: "read"
    case .absent: "absent"
    case .unavailable: "unavailable"
    case .denied: "denied"
    case .failed: "failed"
    }
  }
}

/// The log's work that may have to wait for a disk.
public enum LogWork: UInt8, Sendable, CaseIterable {
  /// It synchronizes written events to the disk.
  case sync
  /// It begins another segment.
  case segment
  /// It exports written events.
  case export

  /// The name in messages and documents.
  public var name: String {
    switch self {
    case .sync: "sync"
    case .segment: "segment"
    case .export: "export"
    }
  }
}
