// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// Who writes.
public enum WriterRole: UInt8, Sendable, CaseIterable {
  /// an app, through the library
  case app
  /// the transfer engine inside a command or a service
  case engine
  /// the transfer daemon
  case daemon
  /// Foundation's URLSession, as seen by its recorder
  case recorder
  /// the reading tool or its tests
  case tool
  /// an app extension, through the library
  case appExtension

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .app: "app"
    case .engine: "engine"
    case .daemon: "daemon"
    case .recorder: "recorder"
    case .tool: "tool"
    case .appExtension: "appExtension"
    }
  }
}

/// What is kept of private values.
public enum CaptureMode: UInt8, Sendable, CaseIterable {
  /// a keyed hash that still joins
  case hashed
  /// nothing
  case redacted
  /// everything, secrets too
  case full

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .hashed: "hashed"
    case .redacted: "redacted"
    case .full: "full"
    }
  }
}

/// Why a process was started.
public enum StartReason: UInt8, Sendable, CaseIterable {
  /// nobody said
  case unknown
  /// the user opened it
  case user
  /// its background transfers have events
  case transfer
  /// a background transfer needs authentication
  case challenge
  /// the device moved far
  case significantLocation
  /// a region was left or entered
  case region
  /// a push or a call
  case push
  /// a timer or a scheduled refresh
  case timer
  /// the system prepared it before use
  case prewarm
  /// a shell or a script
  case command
  /// its supervisor started it again
  case restart

  /// The word in messages and documents.
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

/// What an app may do.
public enum AppState: UInt8, Sendable, CaseIterable {
  /// in front of the user
  case foreground
  /// running unseen
  case background
  /// about to be stopped
  case suspending
  /// stopped, still in memory
  case suspended
  /// running again after a stop
  case resumed

  /// The word in messages and documents.
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

/// How a process life ended.
public enum ExitReason: UInt8, Sendable, CaseIterable {
  /// gone, and nobody saw how
  case unknown
  /// main returned
  case returned
  /// its own code called exit
  case exitCall
  /// a signal ended it
  case signal
  /// found dead by the next opener of the log
  case missing
  /// the machine was restarted
  case rebooted
  /// the user quit it from the switcher
  case userQuit
  /// the system needed its memory
  case memoryPressure
  /// it took too long
  case watchdog
  /// it was stopped while it held a shared lock
  case suspendedHoldingLock
  /// its background time ran out
  case assertionExpired
  /// the debugger ended the run
  case debuggerEnded
  /// it was replaced by a newer version
  case upgraded

  /// The word in messages and documents.
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
    }
  }
}

/// Who did it.
public enum Actor: UInt8, Sendable, CaseIterable {
  /// not known
  case unknown
  /// the app's own code
  case app
  /// the transfer engine
  case engine
  /// the daemon
  case daemon
  /// a policy of the system
  case policy
  /// the user
  case user
  /// the other end
  case server
  /// a progress object
  case progress

  /// The word in messages and documents.
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

/// URLSession's kinds of configuration.
public enum SessionKind: UInt8, Sendable, CaseIterable {
  /// caches and cookies on disk
  case `default`
  /// nothing on disk
  case ephemeral
  /// carried by the daemon
  case background
  /// the process-wide default
  case shared

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .`default`: "default"
    case .ephemeral: "ephemeral"
    case .background: "background"
    case .shared: "shared"
    }
  }
}

/// What a task does.
public enum TaskType: UInt8, Sendable, CaseIterable {
  /// into memory
  case data
  /// a body to the server
  case upload
  /// into a file
  case download

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .data: "data"
    case .upload: "upload"
    case .download: "download"
    }
  }
}

/// How the app hears of the end.
public enum CompletionStyle: UInt8, Sendable, CaseIterable {
  /// an async function returns
  case async
  /// a completion handler of the task
  case closure
  /// the session's delegate
  case delegate
  /// the tasks that share its transfer
  case shared

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .async: "async"
    case .closure: "closure"
    case .delegate: "delegate"
    case .shared: "shared"
    }
  }
}

/// Where the app was when it made the task.
public enum TaskOrigin: UInt8, Sendable, CaseIterable {
  /// not known
  case unknown
  /// in front
  case foreground
  /// in the background
  case background

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .unknown: "unknown"
    case .foreground: "foreground"
    case .background: "background"
    }
  }
}

/// When the request timer starts.
public enum TimeoutOrigin: UInt8, Sendable, CaseIterable {
  /// when the attempt starts
  case connection
  /// when the task is resumed
  case resume

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .connection: "connection"
    case .resume: "resume"
    }
  }
}

/// Why a task was not made.
public enum RejectionReason: UInt8, Sendable, CaseIterable {
  /// the session was invalidated
  case invalidSession
  /// neither http nor https
  case unsupportedScheme
  /// the URL cannot be read
  case badURL
  /// background sessions have no completion handlers
  case completionHandlerInBackground
  /// background uploads come from files
  case bodyFromMemory
  /// background uploads come from files
  case bodyFromStream
  /// background sessions have no data tasks
  case dataTaskInBackground
  /// an extension needs a shared container
  case missingContainer
  /// the session's limit is reached
  case tooManyTasks
  /// the file to send is not there
  case missingSource
  /// the resume data cannot be used
  case resumeDataInvalid
  /// the app wants too much kept with it
  case metadataTooLarge

  /// The word in messages and documents.
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

/// URLSession's reasons for a cancellation.
public enum CancelReason: UInt8, Sendable, CaseIterable {
  /// the app asked for it
  case `none`
  /// the user quit the app
  case userForceQuit
  /// the user switched background refresh off
  case backgroundUpdatesDisabled
  /// the system was short of something
  case insufficientResources
  /// its session was invalidated
  case sessionInvalidated
  /// the body was larger than allowed
  case sizeLimit

  /// The word in messages and documents.
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

/// The one reason why a task does not move.
public enum HoldReason: UInt8, Sendable, CaseIterable {
  /// all connections of its host are taken
  case hostSlots
  /// all connections of its session are taken
  case sessionSlots
  /// there is no network path
  case network
  /// the path is there but not allowed
  case networkPolicy
  /// the system waits for a better time
  case discretionary
  /// the app was woken too often
  case wakeDelay
  /// its earliest begin date has not come
  case beginDate
  /// the app was asked whether to begin
  case delayAnswer
  /// an authentication challenge is open
  case challenge
  /// the app was asked about a redirect
  case redirect
  /// it waits before the next attempt
  case backoff
  /// the device is locked
  case protectedData
  /// there is no room
  case diskSpace
  /// the daemon is not ready
  case daemonStarting

  /// The word in messages and documents.
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

/// Why the daemon no longer knows a task.
public enum ForgetReason: UInt8, Sendable, CaseIterable {
  /// the app has its completion
  case acknowledged
  /// it was cancelled
  case cancelled
  /// nobody fetched it in time
  case expired
  /// its app is gone
  case appRemoved
  /// its session was invalidated
  case sessionInvalidated
  /// its row could not be read
  case corrupt
  /// the user quit the app
  case userForceQuit

  /// The word in messages and documents.
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

/// How an attempt ended.
public enum AttemptEnd: UInt8, Sendable, CaseIterable {
  /// the response is whole
  case finished
  /// the transport failed
  case transport
  /// a time limit passed
  case timeout
  /// the task was cancelled
  case cancelled
  /// the task was suspended
  case suspended
  /// the engine refused the answer
  case refused
  /// a redirect was not followed
  case redirectRefused
  /// the local file could not be read or written
  case file
  /// the app left the foreground
  case appBackgrounded
  /// the process that ran it is gone
  case processEnded
  /// a limit of the engine was reached
  case limit
  /// another task goes on with the response
  case handedOff

  /// The word in messages and documents.
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

/// Whose numbers an error code is from.
public enum ErrorDomain: UInt8, Sendable, CaseIterable {
  /// libcurl's CURLcode
  case curl
  /// errno
  case posix
  /// an HTTP status
  case http
  /// NSURLErrorDomain
  case url
  /// the engine's own
  case xfer

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .curl: "curl"
    case .posix: "posix"
    case .http: "http"
    case .url: "url"
    case .xfer: "xfer"
    }
  }
}

/// Which callback a delivery carries.
public enum Callback: UInt8, Sendable, CaseIterable {
  /// the task is complete
  case didComplete
  /// the file is there
  case didFinishDownloading
  /// the response's head is there
  case didReceiveResponse
  /// bytes of the body
  case didReceiveData
  /// progress of a download
  case didWriteData
  /// progress of an upload
  case didSendBodyData
  /// a redirect was received
  case willPerformRedirect
  /// an authentication challenge was received
  case didReceiveChallenge
  /// the body has to be sent again
  case needNewBodyStream
  /// the metrics are there
  case didFinishCollectingMetrics
  /// the task waits for the network
  case waitingForConnectivity
  /// the earliest begin date has come
  case willBeginDelayedRequest
  /// a response is about to be cached
  case willCacheResponse
  /// all events of a background session are delivered
  case didFinishEvents
  /// the session is invalid
  case didBecomeInvalid
  /// the download goes on where it was
  case didResume
  /// a data task is a download from now on
  case didBecomeDownload

  /// The word in messages and documents.
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

/// Why something did not arrive or was not written.
public enum DropReason: UInt8, Sendable, CaseIterable {
  /// not known
  case unknown
  /// nobody listens
  case noConsumer
  /// the app has no record of it
  case noRecord
  /// the delegate no longer exists
  case delegateGone
  /// it is no longer wanted
  case cancelled
  /// there was no room
  case diskFull
  /// the system refused
  case ioError
  /// it is larger than allowed
  case tooLarge
  /// the log was closed
  case closed
  /// too many at once
  case rateLimited

  /// The word in messages and documents.
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

/// How a file was taken over.
public enum ClaimOperation: UInt8, Sendable, CaseIterable {
  /// renamed into place
  case move
  /// copied
  case copy
  /// opened during the callback
  case `open`
  /// linked elsewhere during the callback
  case link
  /// gone when the callback returned
  case unknown

  /// The word in messages and documents.
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

/// URLSession's authentication methods.
public enum ChallengeMethod: UInt8, Sendable, CaseIterable {
  /// is the server's certificate to be trusted
  case serverTrust
  /// the server asks for a certificate
  case clientCertificate
  /// user and password
  case basic
  /// user and password, hashed
  case digest
  /// a token
  case bearer
  /// another scheme
  case other

  /// The word in messages and documents.
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

/// URLSession's answers to a challenge.
public enum ChallengeDisposition: UInt8, Sendable, CaseIterable {
  /// with this credential
  case useCredential
  /// as if nobody had been asked
  case performDefaultHandling
  /// give up
  case cancel
  /// try the next method
  case rejectProtectionSpace

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .useCredential: "useCredential"
    case .performDefaultHandling: "performDefaultHandling"
    case .cancel: "cancel"
    case .rejectProtectionSpace: "rejectProtectionSpace"
    }
  }
}

/// What was done about a redirect.
public enum RedirectDecision: UInt8, Sendable, CaseIterable {
  /// the new request is made
  case followed
  /// the app declined
  case refusedByApp
  /// it leads to something other than http or https
  case refusedScheme
  /// it leads from https to http
  case refusedDowngrade
  /// the limit is reached
  case tooMany
  /// the new address cannot be read
  case badLocation

  /// The word in messages and documents.
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

/// Why an app is wanted.
public enum WakeCause: UInt8, Sendable, CaseIterable {
  /// tasks are complete
  case completion
  /// authentication is required
  case challenge
  /// a delayed request may begin
  case delayed

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .completion: "completion"
    case .challenge: "challenge"
    case .delayed: "delayed"
    }
  }
}

/// Why a wake waits.
public enum HoldWakeReason: UInt8, Sendable, CaseIterable {
  /// it was woken too often
  case rateLimit
  /// the session does not send launch events
  case suppressed
  /// the user quit the app
  case userQuit
  /// background refresh is off
  case policy
  /// the program could not be started
  case launchFailed
  /// the app is already there
  case running
  /// it ends too soon after each start
  case storm

  /// The word in messages and documents.
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

/// What the app made of it.
public enum Outcome: UInt8, Sendable, CaseIterable {
  /// it counts as done
  case success
  /// it counts as failed
  case failure
  /// it is not wanted any more
  case discarded
  /// the app gave it up
  case cancelled

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .discarded: "discarded"
    case .cancelled: "cancelled"
    }
  }
}

/// How a session is invalidated.
public enum InvalidationMode: UInt8, Sendable, CaseIterable {
  /// after its tasks
  case finishTasks
  /// at once
  case cancel

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .finishTasks: "finishTasks"
    case .cancel: "cancel"
    }
  }
}

/// Why the clocks were read.
public enum SampleReason: UInt8, Sendable, CaseIterable {
  /// the log was opened
  case opened
  /// it was time
  case periodic
  /// a new segment began
  case rotated
  /// the wall clock had moved
  case stepped
  /// the machine had slept
  case resumed

  /// The word in messages and documents.
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

/// Launch reasons beside transfers.
public enum TriggerKind: UInt8, Sendable, CaseIterable {
  /// the device moved far
  case significantLocation
  /// a region was left or entered
  case region
  /// a push or a call
  case push
  /// a time came
  case timer

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .significantLocation: "significantLocation"
    case .region: "region"
    case .push: "push"
    case .timer: "timer"
    }
  }
}

/// The user's switches.
public enum PolicyName: UInt8, Sendable, CaseIterable {
  /// whether apps may refresh in the background
  case backgroundRefresh
  /// whether the app may use the cellular network
  case cellularData
  /// whether to save data
  case lowDataMode
  /// whether to save power
  case lowPowerMode

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .backgroundRefresh: "backgroundRefresh"
    case .cellularData: "cellularData"
    case .lowDataMode: "lowDataMode"
    case .lowPowerMode: "lowPowerMode"
    }
  }
}

/// By what right a stored response was given.
public enum CacheAnswer: UInt8, Sendable, CaseIterable {
  /// it was not older than it may be
  case fresh
  /// the server says that it is still good
  case validated
  /// the request takes what is older, too
  case stale
  /// the server could not be asked, and the response may stand in
  case staleIfError
  /// the cache policy takes it whatever its age
  case ageIgnored

  /// The word in messages and documents.
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

/// Why the server had to be asked.
public enum CacheMiss: UInt8, Sendable, CaseIterable {
  /// there is no stored response
  case absent
  /// what is stored answers a request with other fields or credentials
  case otherRequest
  /// it is older than it may be
  case stale
  /// it is not to be used without asking
  case mustValidate
  /// the request does not want a stored response
  case reload

  /// The word in messages and documents.
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

/// Why a response is no longer kept.
public enum CacheRemoval: UInt8, Sendable, CaseIterable {
  /// its bytes are not those that were stored
  case damaged
  /// a request has changed what it describes
  case invalidated
  /// the server's new answer is not to be kept
  case superseded
  /// the server calls it good and describes another version
  case contradicted
  /// there was no more room
  case evicted

  /// The word in messages and documents.
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

/// How far an attempt had got.
public enum AttemptPhase: UInt8, Sendable, CaseIterable {
  /// nothing had been done for it
  case queued
  /// the host's address was looked for
  case resolving
  /// a connection was being made
  case connecting
  /// TLS was being agreed on
  case securing
  /// the request was on its way
  case sending
  /// the request was sent, and no answer had come
  case waiting
  /// the answer was on its way
  case receiving

  /// The word in messages and documents.
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

/// What comes of reading a secret, a token for instance.
public enum SecretAnswer: UInt8, Sendable, CaseIterable {
  /// it is there
  case read
  /// there is none
  case absent
  /// it is there and cannot be read now, as while the device is locked
  case unavailable
  /// the app may not read it
  case denied
  /// something else went wrong
  case failed

  /// The word in messages and documents.
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

/// What a log does that may take a disk's time.
public enum LogWork: UInt8, Sendable, CaseIterable {
  /// it brings what was written to the disk
  case sync
  /// it begins another segment
  case segment
  /// it copies what was written for somebody else
  case export

  /// The word in messages and documents.
  public var name: String {
    switch self {
    case .sync: "sync"
    case .segment: "segment"
    case .export: "export"
    }
  }
}
