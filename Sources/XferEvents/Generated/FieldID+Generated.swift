// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// The fields of the vocabulary, in its order.
public enum FieldID: UInt8, Sendable, CaseIterable {
  /// The task: its uid, its session and its number there.
  case task
  /// The task that goes on with the work.
  case successor
  /// Tasks, in the order in which they were listed.
  case tasks
  /// A process life.
  case launch
  /// The process life at the other end.
  case peer
  /// A run of the machine.
  case boot
  /// A callback, from the moment it is queued; a redelivery keeps it.
  case delivery
  /// A completion handler of a wake.
  case handler
  /// One session object, as opposed to its identifier.
  case instance
  /// A connection to a server.
  case connection
  /// An authentication challenge.
  case challenge
  /// A question and its answer.
  case query
  /// A stretch of background time.
  case assertion
  /// An alarm.
  case deadman
  /// A launch trigger.
  case trigger
  /// An upload in parts, as the server names it.
  case upload
  /// A piece of the app's own work.
  case work
  /// How often the daemon has been started with this database.
  case generation
  /// A session's identifier.
  case session
  /// A delegate object; none when there is no delegate.
  case delegate
  /// The delegate that the caller passed.
  case callerDelegate
  /// The app's own key for what it wants done; not to hold private text. A URL is treated as a private value.
  case intent
  /// A name that the code gave.
  case name
  /// The variable that holds it, as the app names it.
  case slot
  /// A segment's number within the log.
  case segment
  /// The writer's segment before this one; none for its first.
  case previousSegment
  /// What is kept of private values.
  case captureMode
  /// The lowest level written, and exceptions, as `default` or `debug,info`.
  case levels
  /// A family of events.
  case family
  /// How many events were not written.
  case dropped
  /// Why, in a word.
  case reason
  /// Wall clock.
  case wallClock
  /// Time since boot, sleep included.
  case boottimeClock
  /// Why the clocks were read.
  case sampleReason
  /// Whether the event was written by a generator, not by what it describes.
  case synthetic
  /// Process id.
  case pid
  /// Process id of the parent.
  case parentPid
  /// Who writes.
  case role
  /// Why the process was started.
  case startReason
  /// Whether it was started without a user interface.
  case background
  /// Whether the system started it before it was needed.
  case prewarmed
  /// Whether a debugger is attached, or the app says so.
  case debugger
  /// Whether it runs in a simulator or under a test.
  case simulator
  /// Whether callbacks must run on the main thread.
  case mainThreadContract
  /// The program's file name.
  case executable
  /// A version.
  case version
  /// The system's version.
  case osVersion
  /// The app's data directory.
  case container
  /// What the app may do.
  case state
  /// Exit status.
  case code
  /// The signal that ended it.
  case signal
  /// How the process life ended.
  case exitReason
  /// Who did it.
  case by
  /// Why it did not arrive.
  case why
  /// The kind of session.
  case sessionKind
  /// Digest of the canonical configuration.
  case configuration
  /// `httpMaximumConnectionsPerHost`.
  case connectionsPerHost
  /// `timeoutIntervalForRequest`; none when there is no limit.
  case requestTimeout
  /// `timeoutIntervalForResource`; none when there is no limit.
  case resourceTimeout
  /// When the request timer starts.
  case timeoutOrigin
  /// `waitsForConnectivity`.
  case waitsForConnectivity
  /// `isDiscretionary` as asked for.
  case discretionary
  /// `isDiscretionary` as it applies.
  case effectiveDiscretionary
  /// `sessionSendsLaunchEvents`.
  case sendsLaunchEvents
  /// `shouldUseExtendedBackgroundIdleMode`.
  case extendedIdle
  /// `allowsCellularAccess`.
  case allowsCellular
  /// `allowsExpensiveNetworkAccess`.
  case allowsExpensive
  /// `allowsConstrainedNetworkAccess`.
  case allowsConstrained
  /// The queue or executor that callbacks run on.
  case queue
  /// Session objects alive in the process.
  case liveSessions
  /// Tasks of the session that have not ended.
  case liveTasks
  /// Callbacks that wait to be delivered.
  case pending
  /// How the session is invalidated.
  case invalidation
  /// Whether the session was connected to the daemon.
  case connected
  /// How many.
  case count
  /// Why the app is wanted.
  case wakeCause
  /// Why the wake waits.
  case holdWake
  /// How long to wait.
  case delay
  /// How much running time there is.
  case budget
  /// Whether it ran on the main thread.
  case onMainThread
  /// The thread's or queue's name.
  case threadName
  /// What the task does.
  case type
  /// Where the app was when it made the task.
  case origin
  /// How the app hears of the end.
  case completion
  /// HTTP method.
  case method
  /// URL scheme.
  case scheme
  /// Host name or address.
  case host
  /// Port; none for the scheme's own.
  case port
  /// URL path, percent-encoded as sent.
  case path
  /// URL query without signature parameters; none when there is no query.
  case urlQuery
  /// Digest of the whole URL, to tell one resource from another.
  case resource
  /// `taskDescription`.
  case label
  /// Where the file is to end up.
  case destination
  /// The file to send.
  case sourceFile
  /// Its size.
  case sourceSize
  /// When it was last modified.
  case sourceModified
  /// A file's inode.
  case inode
  /// Whether the file was made for this task alone.
  case sourceOwned
  /// `countOfBytesClientExpectsToSend`.
  case expectedToSend
  /// `countOfBytesClientExpectsToReceive`.
  case expectedToReceive
  /// Priority, 0 to 100.
  case priority
  /// When the credential that the request carries expires.
  case credentialExpires
  /// Why the task was not made.
  case rejection
  /// Why it was cancelled.
  case cancelReason
  /// Digest of resume data.
  case resumeData
  /// Why the task does not move.
  case hold
  /// Connections in use.
  case slotsUsed
  /// Connections allowed.
  case slots
  /// Until when.
  case until
  /// Why the daemon no longer knows the task.
  case forgotten
  /// The try's number, from 1.
  case attempt
  /// The request and response within the attempt, from 1; a redirect adds one.
  case transaction
  /// Where in the resource the request begins.
  case offset
  /// Whether the connection had served another request before.
  case reused
  /// `http/1.1`, `h2`.
  case `protocol`
  /// The server's address.
  case remoteAddress
  /// The server's port.
  case remotePort
  /// From the start of the attempt until libcurl took it up.
  case queueTime
  /// For the name, `CURLINFO_NAMELOOKUP_TIME_T`.
  case nameLookupTime
  /// For the connection, after the name.
  case connectTime
  /// For TLS, after the connection.
  case secureTime
  /// From the request until the first byte of the response.
  case firstByteTime
  /// From the first byte of the response until the last of its body.
  case bodyTime
  /// How long a reused connection had been idle.
  case idle
  /// Head and body of the request.
  case requestBytes
  /// Names of header fields, joined by commas.
  case headers
  /// Whether the request carried credentials.
  case authorized
  /// Whether the range depends on a validator.
  case ifRange
  /// HTTP status.
  case status
  /// The length that the server declared; none when it declared none.
  case expected
  /// Bytes of the body received.
  case received
  /// Bytes of the body sent.
  case sent
  /// Bytes of the body after content decoding.
  case decoded
  /// `Content-Type`.
  case contentType
  /// `Content-Encoding`.
  case contentEncoding
  /// Whether the body came in chunks, without a declared length.
  case chunked
  /// `ETag`.
  case etag
  /// `Last-Modified`.
  case lastModified
  /// First byte of `Content-Range`.
  case rangeStart
  /// Full length in `Content-Range`.
  case rangeTotal
  /// Whether the server offers ranges.
  case acceptsRanges
  /// `Retry-After`.
  case retryAfter
  /// When the next attempt comes; none when there is none.
  case retryIn
  /// How the attempt ended.
  case end
  /// Whose number the error is.
  case domain
  /// The error's number; none when there is no error.
  case error
  /// The error's short and fixed name.
  case errorName
  /// What was said in words.
  case message
  /// errno, when the system gave one.
  case osError
  /// What is asked for.
  case challengeMethod
  /// How often the answer was refused.
  case previousFailures
  /// The answer.
  case disposition
  /// What was done about the redirect.
  case decision
  /// Whether credentials go along.
  case credentialsKept
  /// A file's path.
  case file
  /// A file's size.
  case size
  /// Whether the file was there.
  case exists
  /// How the file was taken over.
  case operation
  /// Whether it happened while the callback ran.
  case inCallback
  /// Digest of the bytes.
  case content
  /// Which callback.
  case callback
  /// Whether it had been sent before.
  case redelivered
  /// A step of the app's own plan.
  case step
  /// Whether the app has it on disk.
  case durable
  /// What the app made of it.
  case outcome
  /// By what the app finds its record: `uid`, `session+number`, `number`, `description`.
  case key
  /// The last entry that is on disk.
  case upTo
  /// Names of declared modes and permissions, joined by commas.
  case capabilities
  /// Time between two.
  case interval
  /// Time left.
  case remaining
  /// When it rings.
  case firesAt
  /// What the trigger waits for.
  case triggerKind
  /// Metres, as asked for.
  case radius
  /// Metres, as it applies.
  case effectiveRadius
  /// Whether there is a path.
  case up
  /// Whether the path is expensive.
  case expensive
  /// Whether the path is in low data mode.
  case constrained
  /// Whether the path is cellular.
  case cellular
  /// Whether it is charging.
  case charging
  /// Per cent.
  case battery
  /// Bytes free.
  case free
  /// Open file descriptors.
  case openFiles
  /// Which switch.
  case policy
  /// Whether it is on.
  case enabled
  /// A part's number, from 1.
  case part
  /// Processor time used.
  case cpuTime
  /// Entries that wait.
  case queueDepth
  /// Which part of the system speaks, in reverse domain notation.
  case subsystem
  /// Which part of the subsystem.
  case category
  /// What is said: the literal text and its arguments, each with its own privacy.
  case eventMessage
  /// What the code is about when it speaks: one stretch of work, with all that it awaits.
  case activity
  /// The activity within which this one began.
  case parentActivity
  /// Tells intervals of one name from each other.
  case signpost
  /// The module and file of the code that speaks, as Swift's `#fileID`.
  case fileID
  /// Its function.
  case function
  /// Its line, from 1.
  case line
  /// Settings that are not as they are by default, as `name=value`; what is private only as `set`.
  case settings
  /// A setting's name, as the configuration has it.
  case setting
  /// Its value as it was asked for.
  case requested
  /// Its value as it applies.
  case effective
  /// By what right a stored response was given.
  case cacheAnswer
  /// Why the server had to be asked.
  case cacheMiss
  /// Why it is no longer kept.
  case cacheRemoval
  /// How old the stored response is (RFC 9111 §4.2.3).
  case age
  /// How long it counts as fresh, from its origin.
  case lifetime
  /// The task that carries the transfer which others share.
  case carrier
  /// What the app keeps with the task, as a JSON object of strings, sorted by key.
  case metadata
  /// Media types that the app takes, joined by commas, as `Accept` has them; none for any.
  case acceptedTypes
  /// How far the attempt had got.
  case phase
  /// `Upload-Offset`: how much of an upload the server has, as the sender of the message knows it.
  case uploadOffset
  /// `Upload-Expires`: until when the server keeps an upload that is not complete.
  case uploadExpires
  /// Whether the app means to go on with it in a later life.
  case resumable
  /// What came of reading a secret.
  case secretAnswer
  /// Whether the session was given a delegate.
  case hasDelegate
  /// The process life that has what was refused.
  case holder
  /// The uid of the task that it was made for, where only that is known.
  case owner
  /// One time that a lock is held.
  case lock
  /// How long it took, or has taken so far.
  case elapsed
  /// What the log was about.
  case logWork
  /// How many files the file system has room for; none where it has no limit of its own.
  case freeFiles
  /// Whether events of a life are among them, and not progress or words alone.
  case lifecycle
}
