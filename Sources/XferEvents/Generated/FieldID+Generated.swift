// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

/// A field of an event. The cases are in the order of the vocabulary.
public enum FieldID: UInt8, Sendable, CaseIterable {
  /// The task: its uid, its session, and its number in the session.
  case task
  /// The task that continues the work.
  case successor
  /// Tasks, in the order of the list.
  case tasks
  /// A process life.
  case launch
  /// The process life at the other end of the link.
  case peer
  /// A run of the machine.
  case boot
  /// A callback, from the moment it is queued. A redelivery keeps it.
  case delivery
  /// The completion handler of a wake.
  case handler
  /// One session object. Several objects may have the same identifier.
  case instance
  /// A connection to a server.
  case connection
  /// An authentication challenge.
  case challenge
  /// Joins a question with its answer.
  case query
  /// A background assertion.
  case assertion
  /// A dead man's switch.
  case deadman
  /// A launch trigger.
  case trigger
  /// A multipart upload, identified by the server.
  case upload
  /// A piece of the app's own work.
  case work
  /// The number of times that the daemon was started with its database.
  case generation
  /// A session's identifier.
  case session
  /// A delegate object; missing if there is no delegate. delivery.entered has it only where sessions are reused.
  case delegate
  /// The delegate that the caller passed.
  case callerDelegate
  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  case intent
  /// A name from the app's code.
  case name
  /// The app's name for the variable that stores the object.
  case slot
  /// The number of a segment within the log.
  case segment
  /// The writer's previous segment; missing for its first.
  case previousSegment
  /// The form in which private values are stored.
  case captureMode
  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  case levels
  /// A family of events.
  case family
  /// The number of items that were lost.
  case dropped
  /// The reason, as a short word.
  case reason
  /// The wall clock.
  case wallClock
  /// The time since boot, including sleep.
  case boottimeClock
  /// The reason why the clocks were sampled.
  case sampleReason
  /// Whether a generator wrote the event.
  case synthetic
  /// The process id.
  case pid
  /// The process id of the parent.
  case parentPid
  /// The role of the process that writes.
  case role
  /// The reason for the start of the process.
  case startReason
  /// Whether the process was started without a user interface.
  case background
  /// Whether the system started the process before it was needed.
  case prewarmed
  /// Whether a debugger is attached, or the app says so.
  case debugger
  /// Whether the process runs in a simulator or under a test.
  case simulator
  /// Whether callbacks must run on the main thread.
  case mainThreadContract
  /// The file name of the program.
  case executable
  /// The version of the program.
  case version
  /// The version of the operating system.
  case osVersion
  /// The app's data directory.
  case container
  /// The execution state of the app.
  case state
  /// The exit status.
  case code
  /// The number of the signal that ended the process.
  case signal
  /// The way in which the process life ended.
  case exitReason
  /// The party that acted.
  case by
  /// The reason why something was dropped.
  case why
  /// The kind of the session.
  case sessionKind
  /// The digest of the canonical configuration.
  case configuration
  /// The value of `httpMaximumConnectionsPerHost`.
  case connectionsPerHost
  /// The value of `timeoutIntervalForRequest`; missing if unlimited.
  case requestTimeout
  /// The value of `timeoutIntervalForResource`; missing if unlimited.
  case resourceTimeout
  /// The moment at which the request timeout starts.
  case timeoutOrigin
  /// The value of `waitsForConnectivity`.
  case waitsForConnectivity
  /// The requested value of `isDiscretionary`.
  case discretionary
  /// The effective value of `isDiscretionary`.
  case effectiveDiscretionary
  /// The value of `sessionSendsLaunchEvents`.
  case sendsLaunchEvents
  /// The value of `shouldUseExtendedBackgroundIdleMode`.
  case extendedIdle
  /// The value of `allowsCellularAccess`.
  case allowsCellular
  /// The value of `allowsExpensiveNetworkAccess`.
  case allowsExpensive
  /// The value of `allowsConstrainedNetworkAccess`.
  case allowsConstrained
  /// The queue or executor on which callbacks run.
  case queue
  /// The number of live session objects in the process.
  case liveSessions
  /// The number of tasks that have not ended.
  case liveTasks
  /// The number of callbacks to be delivered.
  case pending
  /// The way in which the session is invalidated.
  case invalidation
  /// Whether the session was connected to the daemon.
  case connected
  /// The number of items.
  case count
  /// The reason why the app is woken.
  case wakeCause
  /// The reason why the wake is held.
  case holdWake
  /// The time to wait.
  case delay
  /// The running time that the app has.
  case budget
  /// Whether the code ran on the main thread.
  case onMainThread
  /// The name of the thread or queue.
  case threadName
  /// The type of the task.
  case type
  /// The state of the app when it created the task.
  case origin
  /// The way in which the app receives the completion.
  case completion
  /// The HTTP method.
  case method
  /// The URL scheme.
  case scheme
  /// The host name or address.
  case host
  /// The port; missing if it is the default port of the scheme.
  case port
  /// The URL path, percent-encoded as sent.
  case path
  /// The URL query without signature parameters; missing if there is none.
  case urlQuery
  /// The digest of the whole URL, to distinguish resources.
  case resource
  /// The value of `taskDescription`.
  case label
  /// The path at which the file is stored in the end.
  case destination
  /// The path of the file to upload.
  case sourceFile
  /// The size of the source file.
  case sourceSize
  /// The modification time of the source file.
  case sourceModified
  /// The inode of the file.
  case inode
  /// Whether the source file was created for this task alone.
  case sourceOwned
  /// The value of `countOfBytesClientExpectsToSend`.
  case expectedToSend
  /// The value of `countOfBytesClientExpectsToReceive`.
  case expectedToReceive
  /// The priority, from 0 to 100.
  case priority
  /// The expiry of the request's credential.
  case credentialExpires
  /// The reason why the task was not created.
  case rejection
  /// The reason for the cancellation.
  case cancelReason
  /// The digest of the resume data.
  case resumeData
  /// The reason why the task waits.
  case hold
  /// The number of connections in use.
  case slotsUsed
  /// The number of connections allowed.
  case slots
  /// The end of the period.
  case until
  /// The reason why the daemon removed the task from its list.
  case forgotten
  /// The number of the attempt, from 1.
  case attempt
  /// The number of the request within the attempt, from 1. A redirect adds one.
  case transaction
  /// The byte of the resource at which the request begins.
  case offset
  /// Whether the connection had served another request before.
  case reused
  /// The protocol of the connection, such as `http/1.1` or `h2`.
  case `protocol`
  /// The address of the server.
  case remoteAddress
  /// The port of the server.
  case remotePort
  /// The time from the start of the attempt until libcurl began with it.
  case queueTime
  /// The time for the name lookup, `CURLINFO_NAMELOOKUP_TIME_T`.
  case nameLookupTime
  /// The time from the name lookup to the connection.
  case connectTime
  /// The time from the connection to the end of the TLS handshake.
  case secureTime
  /// The time from the request to the first byte of the response.
  case firstByteTime
  /// The time from the first byte of the response to the last byte of its body.
  case bodyTime
  /// The time for which a reused connection had been idle.
  case idle
  /// The size of the request's header and body.
  case requestBytes
  /// The names of header fields, joined by commas.
  case headers
  /// Whether the request carried credentials.
  case authorized
  /// Whether the range request is conditional on a validator.
  case ifRange
  /// The HTTP status.
  case status
  /// The length that the server declared; missing if it declared none.
  case expected
  /// The number of body bytes received.
  case received
  /// The number of body bytes sent.
  case sent
  /// The number of body bytes after content decoding.
  case decoded
  /// The value of `Content-Type`.
  case contentType
  /// The value of `Content-Encoding`.
  case contentEncoding
  /// Whether the body was sent in chunks, without a declared length.
  case chunked
  /// The value of `ETag`.
  case etag
  /// The value of `Last-Modified`.
  case lastModified
  /// The first byte in `Content-Range`.
  case rangeStart
  /// The full length in `Content-Range`.
  case rangeTotal
  /// Whether the server supports range requests.
  case acceptsRanges
  /// The value of `Retry-After`.
  case retryAfter
  /// The time until the next attempt; missing if there is none.
  case retryIn
  /// The way in which the attempt ended.
  case end
  /// The set of numbers to which the error belongs.
  case domain
  /// The number of the error; missing if there is none.
  case error
  /// The short, fixed name of the error.
  case errorName
  /// A message in words.
  case message
  /// The errno; missing if unknown.
  case osError
  /// The method of the challenge.
  case challengeMethod
  /// The number of earlier answers that were rejected.
  case previousFailures
  /// The answer to the challenge.
  case disposition
  /// The decision about the redirect.
  case decision
  /// Whether credentials are sent to the target of the redirect.
  case credentialsKept
  /// The trace, the attempt's span and the flags, as a value of the header field `traceparent`; missing without a trace.
  case traceParent
  /// The span in the same trace to which the attempt belongs; missing if there is none.
  case parentSpan
  /// The path of a file.
  case file
  /// The size in bytes.
  case size
  /// Whether the file exists.
  case exists
  /// The way in which the app claimed the file.
  case operation
  /// Whether the app claimed the file while the callback ran.
  case inCallback
  /// The digest of the bytes.
  case content
  /// The callback that is delivered.
  case callback
  /// Whether the callback had been sent before.
  case redelivered
  /// A step of the app's own plan.
  case step
  /// Whether the app has stored the intent on disk.
  case durable
  /// The outcome that the app recorded.
  case outcome
  /// The key by which the app finds its record: `uid`, `session+number`, `number` or `description`.
  case key
  /// The last entry that is on disk.
  case upTo
  /// The names of declared modes and permissions, joined by commas.
  case capabilities
  /// The time between two beats, or from the arming of an alarm until it fires.
  case interval
  /// The remaining time.
  case remaining
  /// The time at which the alarm or trigger fires.
  case firesAt
  /// The kind of the trigger.
  case triggerKind
  /// The requested radius, in metres.
  case radius
  /// The effective radius, in metres.
  case effectiveRadius
  /// Whether a network path is available.
  case up
  /// Whether the path is expensive.
  case expensive
  /// Whether the path is in low data mode.
  case constrained
  /// Whether the path is cellular.
  case cellular
  /// Whether the battery is charging.
  case charging
  /// The charge of the battery, in per cent.
  case battery
  /// The free space, in bytes.
  case free
  /// The number of open file descriptors.
  case openFiles
  /// The name of the policy.
  case policy
  /// Whether the policy, or the periodic message, is enabled.
  case enabled
  /// The number of the part, from 1.
  case part
  /// The processor time used.
  case cpuTime
  /// The number of entries in the queue.
  case queueDepth
  /// The subsystem that writes, in reverse domain notation.
  case subsystem
  /// The category within the subsystem.
  case category
  /// The literal text and its arguments, each with its own privacy.
  case eventMessage
  /// The activity to which the code belongs, including all that the code awaits.
  case activity
  /// The activity within which this one began.
  case parentActivity
  /// Distinguishes intervals with the same name.
  case signpost
  /// The module and file of the code, as in Swift's `#fileID`.
  case fileID
  /// The function of the code.
  case function
  /// The line of the code, from 1.
  case line
  /// The settings that differ from their defaults, as `name=value`. A private value is replaced by `set`.
  case settings
  /// The name of a setting in the configuration.
  case setting
  /// The requested value of the setting.
  case requested
  /// The effective value of the setting.
  case effective
  /// The reason why a stored response could be used.
  case cacheAnswer
  /// The reason why the server had to be asked.
  case cacheMiss
  /// The reason why a stored response was removed.
  case cacheRemoval
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  case age
  /// The time for which the response is fresh, from its origin.
  case lifetime
  /// The task that carries the transfer that others share.
  case carrier
  /// The metadata that the app stores with the task, as a JSON object of strings, sorted by key.
  case metadata
  /// The accepted media types as in `Accept`, joined by commas; missing for any.
  case acceptedTypes
  /// The phase that the attempt had reached.
  case phase
  /// The value of `Upload-Offset`: how many bytes of an upload the server has, as the sender of the message knows it.
  case uploadOffset
  /// The value of `Upload-Expires`: until when the server keeps an incomplete upload.
  case uploadExpires
  /// Whether the app intends to continue the upload in a later life.
  case resumable
  /// The result of reading the secret.
  case secretAnswer
  /// Whether the session has a delegate.
  case hasDelegate
  /// The process life that holds the refused session.
  case holder
  /// The uid of the task for which the file was created, if only that is known.
  case owner
  /// One period for which a lock is held.
  case lock
  /// The elapsed time, so far or in total.
  case elapsed
  /// The work for which the log had to wait.
  case logWork
  /// The number of files that can still be created; missing if unlimited.
  case freeFiles
  /// Whether lifecycle events are among the lost ones, rather than only progress and messages.
  case lifecycle
  /// The uid of the earlier task whose partial download the task continues.
  case continues
  /// The HTTP status of 400 or more that the app accepts as a success on purpose.
  case acceptedStatus
  /// Whether the system reports that the completion handler was never called.
  case uncalled
  /// Whether the system reports that the assertion was not ended although it expired.
  case unended
  /// Whether the system expires the assertion unless the app reports steady progress.
  case needsProgress
  /// The reason why the network path could not be used; missing if unknown.
  case unsatisfied
  /// The number of a file from which the log was converted, from 1.
  case importFile
  /// The number of a writer in the files from which the log was converted, from 1.
  case importWriter
  /// The line of the file, or the number of the record in a file without lines, from 1.
  case importLine
  /// The last line of a range, or of the file.
  case lastLine
  /// The name of a log format, such as `har`.
  case format
  /// The text of the line from which an event was read.
  case original
  /// The reading of the clock that stops while the machine sleeps.
  case monotonicClock
  /// The number of a thread.
  case threadNumber
  /// The number of records whose meaning is known.
  case recognised
  /// The identifier of an installation, as a UUID.
  case installation
  /// A noun phrase for a kind of log whose silence proves nothing, such as `an HTTP Archive`.
  case coverage
  /// The events that such a log can contain, joined by commas. `+apple` marks Apple's log, `+open` one that may lack ends.
  case coveredEvents
  /// The words for a file, a stream and a record, such as `file/files stream/streams line/lines`.
  case terms
}
