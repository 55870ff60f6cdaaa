// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

extension RecordedEvent {
  /// The task: its uid, its session and its number there.
  public var task: TaskIdentity? { taskIdentity(.task) }
  /// The task that goes on with the work.
  public var successor: TaskIdentity? { taskIdentity(.successor) }
  /// Tasks, in the order in which they were listed.
  public var tasks: [TaskIdentity]? { taskList(.tasks) }
  /// A process life.
  public var launch: LaunchID? { pair(.launch).map(LaunchID.init) }
  /// The process life at the other end.
  public var peer: LaunchID? { pair(.peer).map(LaunchID.init) }
  /// A run of the machine.
  public var boot: BootID? { pair(.boot).map(BootID.init) }
  /// A callback, from the moment it is queued; a redelivery keeps it.
  public var delivery: DeliveryID? { word(.delivery).map(DeliveryID.init) }
  /// A completion handler of a wake.
  public var handler: HandlerID? { word(.handler).map(HandlerID.init) }
  /// One session object, as opposed to its identifier.
  public var instance: CorrelationID? { word(.instance).map(CorrelationID.init) }
  /// A connection to a server.
  public var connection: CorrelationID? { word(.connection).map(CorrelationID.init) }
  /// An authentication challenge.
  public var challenge: CorrelationID? { word(.challenge).map(CorrelationID.init) }
  /// A question and its answer.
  public var query: CorrelationID? { word(.query).map(CorrelationID.init) }
  /// A stretch of background time.
  public var assertion: CorrelationID? { word(.assertion).map(CorrelationID.init) }
  /// An alarm.
  public var deadman: CorrelationID? { word(.deadman).map(CorrelationID.init) }
  /// A launch trigger.
  public var trigger: CorrelationID? { word(.trigger).map(CorrelationID.init) }
  /// An upload in parts, as the server names it.
  public var upload: CorrelationID? { word(.upload).map(CorrelationID.init) }
  /// A piece of the app's own work.
  public var work: CorrelationID? { word(.work).map(CorrelationID.init) }
  /// How often the daemon has been started with this database.
  public var generation: Int64? { signedWord(.generation) }
  /// A session's identifier.
  public var session: String? { symbol(.session) }
  /// A delegate object; none when there is no delegate.
  public var delegate: CorrelationID? { word(.delegate).map(CorrelationID.init) }
  /// The delegate that the caller passed.
  public var callerDelegate: CorrelationID? { word(.callerDelegate).map(CorrelationID.init) }
  /// The app's own key for what it wants done; not to hold private text.
  public var intent: RecordedText? { text(.intent) }
  /// A name that the code gave.
  public var name: String? { symbol(.name) }
  /// The variable that holds it, as the app names it.
  public var slot: String? { symbol(.slot) }
  /// A segment's number within the log.
  public var segment: Int64? { signedWord(.segment) }
  /// The writer's segment before this one; none for its first.
  public var previousSegment: Int64? { signedWord(.previousSegment) }
  /// What is kept of private values.
  public var captureMode: CaptureMode? { byte(.captureMode).flatMap(CaptureMode.init) }
  /// The lowest level written, and exceptions, as `default` or `debug,info`.
  public var levels: String? { symbol(.levels) }
  /// A family of events.
  public var family: String? { symbol(.family) }
  /// How many events were not written.
  public var dropped: Int64? { signedWord(.dropped) }
  /// Why, in a word.
  public var reason: String? { symbol(.reason) }
  /// Wall clock.
  public var wallClock: WallTime? { signedWord(.wallClock).map(WallTime.init) }
  /// Time since boot, sleep included.
  public var boottimeClock: Duration? { signedWord(.boottimeClock).map(Duration.nanoseconds) }
  /// Why the clocks were read.
  public var sampleReason: SampleReason? { byte(.sampleReason).flatMap(SampleReason.init) }
  /// Whether the event was written by a generator, not by what it describes.
  public var synthetic: Bool? { byte(.synthetic).map { $0 != 0 } }
  /// Process id.
  public var pid: Int? { number(.pid) }
  /// Process id of the parent.
  public var parentPid: Int? { number(.parentPid) }
  /// Who writes.
  public var role: WriterRole? { byte(.role).flatMap(WriterRole.init) }
  /// Why the process was started.
  public var startReason: StartReason? { byte(.startReason).flatMap(StartReason.init) }
  /// Whether it was started without a user interface.
  public var background: Bool? { byte(.background).map { $0 != 0 } }
  /// Whether the system started it before it was needed.
  public var prewarmed: Bool? { byte(.prewarmed).map { $0 != 0 } }
  /// Whether a debugger is attached, or the app says so.
  public var debugger: Bool? { byte(.debugger).map { $0 != 0 } }
  /// Whether it runs in a simulator or under a test.
  public var simulator: Bool? { byte(.simulator).map { $0 != 0 } }
  /// Whether callbacks must run on the main thread.
  public var mainThreadContract: Bool? { byte(.mainThreadContract).map { $0 != 0 } }
  /// The program's file name.
  public var executable: String? { symbol(.executable) }
  /// A version.
  public var version: String? { symbol(.version) }
  /// The system's version.
  public var osVersion: String? { symbol(.osVersion) }
  /// The app's data directory.
  public var container: RecordedText? { text(.container) }
  /// What the app may do.
  public var state: AppState? { byte(.state).flatMap(AppState.init) }
  /// Exit status.
  public var code: Int? { number(.code) }
  /// The signal that ended it.
  public var signal: Int? { number(.signal) }
  /// How the process life ended.
  public var exitReason: ExitReason? { byte(.exitReason).flatMap(ExitReason.init) }
  /// Who did it.
  public var by: Actor? { byte(.by).flatMap(Actor.init) }
  /// Why it did not arrive.
  public var why: DropReason? { byte(.why).flatMap(DropReason.init) }
  /// The kind of session.
  public var sessionKind: SessionKind? { byte(.sessionKind).flatMap(SessionKind.init) }
  /// Digest of the canonical configuration.
  public var configuration: ValueDigest? { word(.configuration).map(ValueDigest.init) }
  /// `httpMaximumConnectionsPerHost`.
  public var connectionsPerHost: Int? { number(.connectionsPerHost) }
  /// `timeoutIntervalForRequest`; none when there is no limit.
  public var requestTimeout: Duration? { signedWord(.requestTimeout).map(Duration.nanoseconds) }
  /// `timeoutIntervalForResource`; none when there is no limit.
  public var resourceTimeout: Duration? { signedWord(.resourceTimeout).map(Duration.nanoseconds) }
  /// When the request timer starts.
  public var timeoutOrigin: TimeoutOrigin? { byte(.timeoutOrigin).flatMap(TimeoutOrigin.init) }
  /// `waitsForConnectivity`.
  public var waitsForConnectivity: Bool? { byte(.waitsForConnectivity).map { $0 != 0 } }
  /// `isDiscretionary` as asked for.
  public var discretionary: Bool? { byte(.discretionary).map { $0 != 0 } }
  /// `isDiscretionary` as it applies.
  public var effectiveDiscretionary: Bool? { byte(.effectiveDiscretionary).map { $0 != 0 } }
  /// `sessionSendsLaunchEvents`.
  public var sendsLaunchEvents: Bool? { byte(.sendsLaunchEvents).map { $0 != 0 } }
  /// `shouldUseExtendedBackgroundIdleMode`.
  public var extendedIdle: Bool? { byte(.extendedIdle).map { $0 != 0 } }
  /// `allowsCellularAccess`.
  public var allowsCellular: Bool? { byte(.allowsCellular).map { $0 != 0 } }
  /// `allowsExpensiveNetworkAccess`.
  public var allowsExpensive: Bool? { byte(.allowsExpensive).map { $0 != 0 } }
  /// `allowsConstrainedNetworkAccess`.
  public var allowsConstrained: Bool? { byte(.allowsConstrained).map { $0 != 0 } }
  /// The queue or executor that callbacks run on.
  public var queue: String? { symbol(.queue) }
  /// Session objects alive in the process.
  public var liveSessions: Int64? { signedWord(.liveSessions) }
  /// Tasks of the session that have not ended.
  public var liveTasks: Int64? { signedWord(.liveTasks) }
  /// Callbacks that wait to be delivered.
  public var pending: Int64? { signedWord(.pending) }
  /// How the session is invalidated.
  public var invalidation: InvalidationMode? { byte(.invalidation).flatMap(InvalidationMode.init) }
  /// Whether the session was connected to the daemon.
  public var connected: Bool? { byte(.connected).map { $0 != 0 } }
  /// How many.
  public var count: Int64? { signedWord(.count) }
  /// Why the app is wanted.
  public var wakeCause: WakeCause? { byte(.wakeCause).flatMap(WakeCause.init) }
  /// Why the wake waits.
  public var holdWake: HoldWakeReason? { byte(.holdWake).flatMap(HoldWakeReason.init) }
  /// How long to wait.
  public var delay: Duration? { signedWord(.delay).map(Duration.nanoseconds) }
  /// How much running time there is.
  public var budget: Duration? { signedWord(.budget).map(Duration.nanoseconds) }
  /// Whether it ran on the main thread.
  public var onMainThread: Bool? { byte(.onMainThread).map { $0 != 0 } }
  /// The thread's or queue's name.
  public var threadName: String? { symbol(.threadName) }
  /// What the task does.
  public var type: TaskType? { byte(.type).flatMap(TaskType.init) }
  /// Where the app was when it made the task.
  public var origin: TaskOrigin? { byte(.origin).flatMap(TaskOrigin.init) }
  /// How the app hears of the end.
  public var completion: CompletionStyle? { byte(.completion).flatMap(CompletionStyle.init) }
  /// HTTP method.
  public var method: String? { symbol(.method) }
  /// URL scheme.
  public var scheme: String? { symbol(.scheme) }
  /// Host name or address.
  public var host: String? { symbol(.host) }
  /// Port; none for the scheme's own.
  public var port: Int? { number(.port) }
  /// URL path, percent-encoded as sent.
  public var path: RecordedText? { text(.path) }
  /// URL query without signature parameters; none when there is no query.
  public var urlQuery: RecordedText? { text(.urlQuery) }
  /// Digest of the whole URL, to tell one resource from another.
  public var resource: ValueDigest? { word(.resource).map(ValueDigest.init) }
  /// `taskDescription`.
  public var label: RecordedText? { text(.label) }
  /// Where the file is to end up.
  public var destination: RecordedText? { text(.destination) }
  /// The file to send.
  public var sourceFile: RecordedText? { text(.sourceFile) }
  /// Its size.
  public var sourceSize: Int64? { signedWord(.sourceSize) }
  /// When it was last modified.
  public var sourceModified: WallTime? { signedWord(.sourceModified).map(WallTime.init) }
  /// A file's inode.
  public var inode: Int64? { signedWord(.inode) }
  /// Whether the file was made for this task alone.
  public var sourceOwned: Bool? { byte(.sourceOwned).map { $0 != 0 } }
  /// `countOfBytesClientExpectsToSend`.
  public var expectedToSend: Int64? { signedWord(.expectedToSend) }
  /// `countOfBytesClientExpectsToReceive`.
  public var expectedToReceive: Int64? { signedWord(.expectedToReceive) }
  /// Priority, 0 to 100.
  public var priority: Int? { number(.priority) }
  /// When the credential that the request carries expires.
  public var credentialExpires: WallTime? { signedWord(.credentialExpires).map(WallTime.init) }
  /// Why the task was not made.
  public var rejection: RejectionReason? { byte(.rejection).flatMap(RejectionReason.init) }
  /// Why it was cancelled.
  public var cancelReason: CancelReason? { byte(.cancelReason).flatMap(CancelReason.init) }
  /// Digest of resume data.
  public var resumeData: ValueDigest? { word(.resumeData).map(ValueDigest.init) }
  /// Why the task does not move.
  public var hold: HoldReason? { byte(.hold).flatMap(HoldReason.init) }
  /// Connections in use.
  public var slotsUsed: Int? { number(.slotsUsed) }
  /// Connections allowed.
  public var slots: Int? { number(.slots) }
  /// Until when.
  public var until: WallTime? { signedWord(.until).map(WallTime.init) }
  /// Why the daemon no longer knows the task.
  public var forgotten: ForgetReason? { byte(.forgotten).flatMap(ForgetReason.init) }
  /// The try's number, from 1.
  public var attempt: Int? { number(.attempt) }
  /// The request and response within the attempt, from 1; a redirect adds one.
  public var transaction: Int? { number(.transaction) }
  /// Where in the resource the request begins.
  public var offset: Int64? { signedWord(.offset) }
  /// Whether the connection had served another request before.
  public var reused: Bool? { byte(.reused).map { $0 != 0 } }
  /// `http/1.1`, `h2`.
  public var `protocol`: String? { symbol(.protocol) }
  /// The server's address.
  public var remoteAddress: RecordedText? { text(.remoteAddress) }
  /// The server's port.
  public var remotePort: Int? { number(.remotePort) }
  /// From the start of the attempt until libcurl took it up.
  public var queueTime: Duration? { signedWord(.queueTime).map(Duration.nanoseconds) }
  /// For the name, `CURLINFO_NAMELOOKUP_TIME_T`.
  public var nameLookupTime: Duration? { signedWord(.nameLookupTime).map(Duration.nanoseconds) }
  /// For the connection, after the name.
  public var connectTime: Duration? { signedWord(.connectTime).map(Duration.nanoseconds) }
  /// For TLS, after the connection.
  public var secureTime: Duration? { signedWord(.secureTime).map(Duration.nanoseconds) }
  /// From the request until the first byte of the response.
  public var firstByteTime: Duration? { signedWord(.firstByteTime).map(Duration.nanoseconds) }
  /// From the first byte of the response until the last of its body.
  public var bodyTime: Duration? { signedWord(.bodyTime).map(Duration.nanoseconds) }
  /// How long a reused connection had been idle.
  public var idle: Duration? { signedWord(.idle).map(Duration.nanoseconds) }
  /// Head and body of the request.
  public var requestBytes: Int64? { signedWord(.requestBytes) }
  /// Names of header fields, joined by commas.
  public var headers: String? { symbol(.headers) }
  /// Whether the request carried credentials.
  public var authorized: Bool? { byte(.authorized).map { $0 != 0 } }
  /// Whether the range depends on a validator.
  public var ifRange: Bool? { byte(.ifRange).map { $0 != 0 } }
  /// HTTP status.
  public var status: Int? { number(.status) }
  /// The length that the server declared; none when it declared none.
  public var expected: Int64? { signedWord(.expected) }
  /// Bytes of the body received.
  public var received: Int64? { signedWord(.received) }
  /// Bytes of the body sent.
  public var sent: Int64? { signedWord(.sent) }
  /// Bytes of the body after content decoding.
  public var decoded: Int64? { signedWord(.decoded) }
  /// `Content-Type`.
  public var contentType: String? { symbol(.contentType) }
  /// `Content-Encoding`.
  public var contentEncoding: String? { symbol(.contentEncoding) }
  /// Whether the body came in chunks, without a declared length.
  public var chunked: Bool? { byte(.chunked).map { $0 != 0 } }
  /// `ETag`.
  public var etag: RecordedText? { text(.etag) }
  /// `Last-Modified`.
  public var lastModified: RecordedText? { text(.lastModified) }
  /// First byte of `Content-Range`.
  public var rangeStart: Int64? { signedWord(.rangeStart) }
  /// Full length in `Content-Range`.
  public var rangeTotal: Int64? { signedWord(.rangeTotal) }
  /// Whether the server offers ranges.
  public var acceptsRanges: Bool? { byte(.acceptsRanges).map { $0 != 0 } }
  /// `Retry-After`.
  public var retryAfter: Duration? { signedWord(.retryAfter).map(Duration.nanoseconds) }
  /// When the next attempt comes; none when there is none.
  public var retryIn: Duration? { signedWord(.retryIn).map(Duration.nanoseconds) }
  /// How the attempt ended.
  public var end: AttemptEnd? { byte(.end).flatMap(AttemptEnd.init) }
  /// Whose number the error is.
  public var domain: ErrorDomain? { byte(.domain).flatMap(ErrorDomain.init) }
  /// The error's number; none when there is no error.
  public var error: Int? { number(.error) }
  /// The error's short and fixed name.
  public var errorName: String? { symbol(.errorName) }
  /// What was said in words.
  public var message: RecordedText? { text(.message) }
  /// errno, when the system gave one.
  public var osError: Int? { number(.osError) }
  /// What is asked for.
  public var challengeMethod: ChallengeMethod? { byte(.challengeMethod).flatMap(ChallengeMethod.init) }
  /// How often the answer was refused.
  public var previousFailures: Int? { number(.previousFailures) }
  /// The answer.
  public var disposition: ChallengeDisposition? { byte(.disposition).flatMap(ChallengeDisposition.init) }
  /// What was done about the redirect.
  public var decision: RedirectDecision? { byte(.decision).flatMap(RedirectDecision.init) }
  /// Whether credentials go along.
  public var credentialsKept: Bool? { byte(.credentialsKept).map { $0 != 0 } }
  /// A file's path.
  public var file: RecordedText? { text(.file) }
  /// A file's size.
  public var size: Int64? { signedWord(.size) }
  /// Whether the file was there.
  public var exists: Bool? { byte(.exists).map { $0 != 0 } }
  /// How the file was taken over.
  public var operation: ClaimOperation? { byte(.operation).flatMap(ClaimOperation.init) }
  /// Whether it happened while the callback ran.
  public var inCallback: Bool? { byte(.inCallback).map { $0 != 0 } }
  /// Digest of the bytes.
  public var content: ValueDigest? { word(.content).map(ValueDigest.init) }
  /// Which callback.
  public var callback: Callback? { byte(.callback).flatMap(Callback.init) }
  /// Whether it had been sent before.
  public var redelivered: Bool? { byte(.redelivered).map { $0 != 0 } }
  /// A step of the app's own plan.
  public var step: String? { symbol(.step) }
  /// Whether the app has it on disk.
  public var durable: Bool? { byte(.durable).map { $0 != 0 } }
  /// What the app made of it.
  public var outcome: Outcome? { byte(.outcome).flatMap(Outcome.init) }
  /// By what the app finds its record: `uid`, `session+number`, `number`, `description`.
  public var key: String? { symbol(.key) }
  /// The last entry that is on disk.
  public var upTo: Int64? { signedWord(.upTo) }
  /// Names of declared modes and permissions, joined by commas.
  public var capabilities: String? { symbol(.capabilities) }
  /// Time between two.
  public var interval: Duration? { signedWord(.interval).map(Duration.nanoseconds) }
  /// Time left.
  public var remaining: Duration? { signedWord(.remaining).map(Duration.nanoseconds) }
  /// When it rings.
  public var firesAt: WallTime? { signedWord(.firesAt).map(WallTime.init) }
  /// What the trigger waits for.
  public var triggerKind: TriggerKind? { byte(.triggerKind).flatMap(TriggerKind.init) }
  /// Metres, as asked for.
  public var radius: Int? { number(.radius) }
  /// Metres, as it applies.
  public var effectiveRadius: Int? { number(.effectiveRadius) }
  /// Whether there is a path.
  public var up: Bool? { byte(.up).map { $0 != 0 } }
  /// Whether the path is expensive.
  public var expensive: Bool? { byte(.expensive).map { $0 != 0 } }
  /// Whether the path is in low data mode.
  public var constrained: Bool? { byte(.constrained).map { $0 != 0 } }
  /// Whether the path is cellular.
  public var cellular: Bool? { byte(.cellular).map { $0 != 0 } }
  /// Whether it is charging.
  public var charging: Bool? { byte(.charging).map { $0 != 0 } }
  /// Per cent.
  public var battery: Int? { number(.battery) }
  /// Bytes free.
  public var free: Int64? { signedWord(.free) }
  /// Open file descriptors.
  public var openFiles: Int64? { signedWord(.openFiles) }
  /// Which switch.
  public var policy: PolicyName? { byte(.policy).flatMap(PolicyName.init) }
  /// Whether it is on.
  public var enabled: Bool? { byte(.enabled).map { $0 != 0 } }
  /// A part's number, from 1.
  public var part: Int? { number(.part) }
  /// Processor time used.
  public var cpuTime: Duration? { signedWord(.cpuTime).map(Duration.nanoseconds) }
  /// Entries that wait.
  public var queueDepth: Int64? { signedWord(.queueDepth) }
  /// Which part of the system speaks, in reverse domain notation.
  public var subsystem: String? { symbol(.subsystem) }
  /// Which part of the subsystem.
  public var category: String? { symbol(.category) }
  /// What is said: the literal text and its arguments, each with its own privacy.
  public var eventMessage: RecordedMessage? { message(.eventMessage) }
  /// What the code is about when it speaks: one stretch of work, with all that it awaits.
  public var activity: CorrelationID? { word(.activity).map(CorrelationID.init) }
  /// The activity within which this one began.
  public var parentActivity: CorrelationID? { word(.parentActivity).map(CorrelationID.init) }
  /// Tells intervals of one name from each other.
  public var signpost: CorrelationID? { word(.signpost).map(CorrelationID.init) }
  /// The module and file of the code that speaks, as Swift's `#fileID`.
  public var fileID: String? { symbol(.fileID) }
  /// Its function.
  public var function: String? { symbol(.function) }
  /// Its line, from 1.
  public var line: Int? { number(.line) }
  /// Settings that are not as they are by default, as `name=value`; what is private only as `set`.
  public var settings: RecordedText? { text(.settings) }
  /// A setting's name, as the configuration has it.
  public var setting: String? { symbol(.setting) }
  /// Its value as it was asked for.
  public var requested: String? { symbol(.requested) }
  /// Its value as it applies.
  public var effective: String? { symbol(.effective) }
  /// By what right a stored response was given.
  public var cacheAnswer: CacheAnswer? { byte(.cacheAnswer).flatMap(CacheAnswer.init) }
  /// Why the server had to be asked.
  public var cacheMiss: CacheMiss? { byte(.cacheMiss).flatMap(CacheMiss.init) }
  /// Why it is no longer kept.
  public var cacheRemoval: CacheRemoval? { byte(.cacheRemoval).flatMap(CacheRemoval.init) }
  /// How old the stored response is (RFC 9111 §4.2.3).
  public var age: Duration? { signedWord(.age).map(Duration.nanoseconds) }
  /// How long it counts as fresh, from its origin.
  public var lifetime: Duration? { signedWord(.lifetime).map(Duration.nanoseconds) }
  /// The task that carries the transfer which others share.
  public var carrier: TaskIdentity? { taskIdentity(.carrier) }
  /// What the app keeps with the task, as a JSON object of strings, sorted by key.
  public var metadata: RecordedText? { text(.metadata) }
  /// The uid of the task that it was made for, where only that is known.
  public var owner: RecordedText? { text(.owner) }
  /// One time that a lock is held.
  public var lock: CorrelationID? { word(.lock).map(CorrelationID.init) }
  /// How long it took, or has taken so far.
  public var elapsed: Duration? { signedWord(.elapsed).map(Duration.nanoseconds) }
  /// What the log was about.
  public var logWork: LogWork? { byte(.logWork).flatMap(LogWork.init) }
  /// How many files the file system has room for; none where it has no limit of its own.
  public var freeFiles: Int64? { signedWord(.freeFiles) }
  /// Whether events of a life are among them, and not progress or words alone.
  public var lifecycle: Bool? { byte(.lifecycle).map { $0 != 0 } }
}
