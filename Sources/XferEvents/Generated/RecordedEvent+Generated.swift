// swift-format-ignore-file
// Generated from Vocabulary by `xferlog-dev generate`; changes made here are lost.

extension EventView {
  package var task: TaskIdentity? { taskIdentity(.task) }
  package var successor: TaskIdentity? { taskIdentity(.successor) }
  package var tasks: [TaskIdentity]? { taskList(.tasks) }
  package var launch: LaunchID? { pair(.launch).map(LaunchID.init) }
  package var peer: LaunchID? { pair(.peer).map(LaunchID.init) }
  package var boot: BootID? { pair(.boot).map(BootID.init) }
  package var delivery: DeliveryID? { word(.delivery).map(DeliveryID.init) }
  package var handler: HandlerID? { word(.handler).map(HandlerID.init) }
  package var instance: CorrelationID? { word(.instance).map(CorrelationID.init) }
  package var connection: CorrelationID? { word(.connection).map(CorrelationID.init) }
  package var challenge: CorrelationID? { word(.challenge).map(CorrelationID.init) }
  package var query: CorrelationID? { word(.query).map(CorrelationID.init) }
  package var assertion: CorrelationID? { word(.assertion).map(CorrelationID.init) }
  package var deadman: CorrelationID? { word(.deadman).map(CorrelationID.init) }
  package var trigger: CorrelationID? { word(.trigger).map(CorrelationID.init) }
  package var upload: CorrelationID? { word(.upload).map(CorrelationID.init) }
  package var work: CorrelationID? { word(.work).map(CorrelationID.init) }
  package var generation: Int64? { signedWord(.generation) }
  package var session: String? { symbol(.session) }
  package var delegate: CorrelationID? { word(.delegate).map(CorrelationID.init) }
  package var callerDelegate: CorrelationID? { word(.callerDelegate).map(CorrelationID.init) }
  package var intent: RecordedText? { text(.intent) }
  package var name: String? { symbol(.name) }
  package var slot: String? { symbol(.slot) }
  package var segment: Int64? { signedWord(.segment) }
  package var previousSegment: Int64? { signedWord(.previousSegment) }
  package var captureMode: CaptureMode? { byte(.captureMode).flatMap(CaptureMode.init) }
  package var levels: String? { symbol(.levels) }
  package var family: String? { symbol(.family) }
  package var dropped: Int64? { signedWord(.dropped) }
  package var reason: String? { symbol(.reason) }
  package var wallClock: WallTime? { signedWord(.wallClock).map(WallTime.init) }
  package var boottimeClock: Duration? { signedWord(.boottimeClock).map(Duration.nanoseconds) }
  package var sampleReason: SampleReason? { byte(.sampleReason).flatMap(SampleReason.init) }
  package var synthetic: Bool? { byte(.synthetic).map { $0 != 0 } }
  package var pid: Int? { number(.pid) }
  package var parentPid: Int? { number(.parentPid) }
  package var role: WriterRole? { byte(.role).flatMap(WriterRole.init) }
  package var startReason: StartReason? { byte(.startReason).flatMap(StartReason.init) }
  package var background: Bool? { byte(.background).map { $0 != 0 } }
  package var prewarmed: Bool? { byte(.prewarmed).map { $0 != 0 } }
  package var debugger: Bool? { byte(.debugger).map { $0 != 0 } }
  package var simulator: Bool? { byte(.simulator).map { $0 != 0 } }
  package var mainThreadContract: Bool? { byte(.mainThreadContract).map { $0 != 0 } }
  package var executable: String? { symbol(.executable) }
  package var version: String? { symbol(.version) }
  package var osVersion: String? { symbol(.osVersion) }
  package var container: RecordedText? { text(.container) }
  package var state: AppState? { byte(.state).flatMap(AppState.init) }
  package var code: Int? { number(.code) }
  package var signal: Int? { number(.signal) }
  package var exitReason: ExitReason? { byte(.exitReason).flatMap(ExitReason.init) }
  package var by: Actor? { byte(.by).flatMap(Actor.init) }
  package var why: DropReason? { byte(.why).flatMap(DropReason.init) }
  package var sessionKind: SessionKind? { byte(.sessionKind).flatMap(SessionKind.init) }
  package var configuration: ValueDigest? { word(.configuration).map(ValueDigest.init) }
  package var connectionsPerHost: Int? { number(.connectionsPerHost) }
  package var requestTimeout: Duration? { signedWord(.requestTimeout).map(Duration.nanoseconds) }
  package var resourceTimeout: Duration? { signedWord(.resourceTimeout).map(Duration.nanoseconds) }
  package var timeoutOrigin: TimeoutOrigin? { byte(.timeoutOrigin).flatMap(TimeoutOrigin.init) }
  package var waitsForConnectivity: Bool? { byte(.waitsForConnectivity).map { $0 != 0 } }
  package var discretionary: Bool? { byte(.discretionary).map { $0 != 0 } }
  package var effectiveDiscretionary: Bool? { byte(.effectiveDiscretionary).map { $0 != 0 } }
  package var sendsLaunchEvents: Bool? { byte(.sendsLaunchEvents).map { $0 != 0 } }
  package var extendedIdle: Bool? { byte(.extendedIdle).map { $0 != 0 } }
  package var allowsCellular: Bool? { byte(.allowsCellular).map { $0 != 0 } }
  package var allowsExpensive: Bool? { byte(.allowsExpensive).map { $0 != 0 } }
  package var allowsConstrained: Bool? { byte(.allowsConstrained).map { $0 != 0 } }
  package var queue: String? { symbol(.queue) }
  package var liveSessions: Int64? { signedWord(.liveSessions) }
  package var liveTasks: Int64? { signedWord(.liveTasks) }
  package var pending: Int64? { signedWord(.pending) }
  package var invalidation: InvalidationMode? { byte(.invalidation).flatMap(InvalidationMode.init) }
  package var connected: Bool? { byte(.connected).map { $0 != 0 } }
  package var count: Int64? { signedWord(.count) }
  package var wakeCause: WakeCause? { byte(.wakeCause).flatMap(WakeCause.init) }
  package var holdWake: HoldWakeReason? { byte(.holdWake).flatMap(HoldWakeReason.init) }
  package var delay: Duration? { signedWord(.delay).map(Duration.nanoseconds) }
  package var budget: Duration? { signedWord(.budget).map(Duration.nanoseconds) }
  package var onMainThread: Bool? { byte(.onMainThread).map { $0 != 0 } }
  package var threadName: String? { symbol(.threadName) }
  package var type: TaskType? { byte(.type).flatMap(TaskType.init) }
  package var origin: TaskOrigin? { byte(.origin).flatMap(TaskOrigin.init) }
  package var completion: CompletionStyle? { byte(.completion).flatMap(CompletionStyle.init) }
  package var method: String? { symbol(.method) }
  package var scheme: String? { symbol(.scheme) }
  package var host: String? { symbol(.host) }
  package var port: Int? { number(.port) }
  package var path: RecordedText? { text(.path) }
  package var urlQuery: RecordedText? { text(.urlQuery) }
  package var resource: ValueDigest? { word(.resource).map(ValueDigest.init) }
  package var label: RecordedText? { text(.label) }
  package var destination: RecordedText? { text(.destination) }
  package var sourceFile: RecordedText? { text(.sourceFile) }
  package var sourceSize: Int64? { signedWord(.sourceSize) }
  package var sourceModified: WallTime? { signedWord(.sourceModified).map(WallTime.init) }
  package var inode: Int64? { signedWord(.inode) }
  package var sourceOwned: Bool? { byte(.sourceOwned).map { $0 != 0 } }
  package var expectedToSend: Int64? { signedWord(.expectedToSend) }
  package var expectedToReceive: Int64? { signedWord(.expectedToReceive) }
  package var priority: Int? { number(.priority) }
  package var credentialExpires: WallTime? { signedWord(.credentialExpires).map(WallTime.init) }
  package var rejection: RejectionReason? { byte(.rejection).flatMap(RejectionReason.init) }
  package var cancelReason: CancelReason? { byte(.cancelReason).flatMap(CancelReason.init) }
  package var resumeData: ValueDigest? { word(.resumeData).map(ValueDigest.init) }
  package var hold: HoldReason? { byte(.hold).flatMap(HoldReason.init) }
  package var slotsUsed: Int? { number(.slotsUsed) }
  package var slots: Int? { number(.slots) }
  package var until: WallTime? { signedWord(.until).map(WallTime.init) }
  package var forgotten: ForgetReason? { byte(.forgotten).flatMap(ForgetReason.init) }
  package var attempt: Int? { number(.attempt) }
  package var transaction: Int? { number(.transaction) }
  package var offset: Int64? { signedWord(.offset) }
  package var reused: Bool? { byte(.reused).map { $0 != 0 } }
  package var `protocol`: String? { symbol(.protocol) }
  package var remoteAddress: RecordedText? { text(.remoteAddress) }
  package var remotePort: Int? { number(.remotePort) }
  package var queueTime: Duration? { signedWord(.queueTime).map(Duration.nanoseconds) }
  package var nameLookupTime: Duration? { signedWord(.nameLookupTime).map(Duration.nanoseconds) }
  package var connectTime: Duration? { signedWord(.connectTime).map(Duration.nanoseconds) }
  package var secureTime: Duration? { signedWord(.secureTime).map(Duration.nanoseconds) }
  package var firstByteTime: Duration? { signedWord(.firstByteTime).map(Duration.nanoseconds) }
  package var bodyTime: Duration? { signedWord(.bodyTime).map(Duration.nanoseconds) }
  package var idle: Duration? { signedWord(.idle).map(Duration.nanoseconds) }
  package var requestBytes: Int64? { signedWord(.requestBytes) }
  package var headers: String? { symbol(.headers) }
  package var authorized: Bool? { byte(.authorized).map { $0 != 0 } }
  package var ifRange: Bool? { byte(.ifRange).map { $0 != 0 } }
  package var status: Int? { number(.status) }
  package var expected: Int64? { signedWord(.expected) }
  package var received: Int64? { signedWord(.received) }
  package var sent: Int64? { signedWord(.sent) }
  package var decoded: Int64? { signedWord(.decoded) }
  package var contentType: String? { symbol(.contentType) }
  package var contentEncoding: String? { symbol(.contentEncoding) }
  package var chunked: Bool? { byte(.chunked).map { $0 != 0 } }
  package var etag: RecordedText? { text(.etag) }
  package var lastModified: RecordedText? { text(.lastModified) }
  package var rangeStart: Int64? { signedWord(.rangeStart) }
  package var rangeTotal: Int64? { signedWord(.rangeTotal) }
  package var acceptsRanges: Bool? { byte(.acceptsRanges).map { $0 != 0 } }
  package var retryAfter: Duration? { signedWord(.retryAfter).map(Duration.nanoseconds) }
  package var retryIn: Duration? { signedWord(.retryIn).map(Duration.nanoseconds) }
  package var end: AttemptEnd? { byte(.end).flatMap(AttemptEnd.init) }
  package var domain: ErrorDomain? { byte(.domain).flatMap(ErrorDomain.init) }
  package var error: Int? { number(.error) }
  package var errorName: String? { symbol(.errorName) }
  package var message: RecordedText? { text(.message) }
  package var osError: Int? { number(.osError) }
  package var challengeMethod: ChallengeMethod? { byte(.challengeMethod).flatMap(ChallengeMethod.init) }
  package var previousFailures: Int? { number(.previousFailures) }
  package var disposition: ChallengeDisposition? { byte(.disposition).flatMap(ChallengeDisposition.init) }
  package var decision: RedirectDecision? { byte(.decision).flatMap(RedirectDecision.init) }
  package var credentialsKept: Bool? { byte(.credentialsKept).map { $0 != 0 } }
  package var file: RecordedText? { text(.file) }
  package var size: Int64? { signedWord(.size) }
  package var exists: Bool? { byte(.exists).map { $0 != 0 } }
  package var operation: ClaimOperation? { byte(.operation).flatMap(ClaimOperation.init) }
  package var inCallback: Bool? { byte(.inCallback).map { $0 != 0 } }
  package var content: ValueDigest? { word(.content).map(ValueDigest.init) }
  package var callback: Callback? { byte(.callback).flatMap(Callback.init) }
  package var redelivered: Bool? { byte(.redelivered).map { $0 != 0 } }
  package var step: String? { symbol(.step) }
  package var durable: Bool? { byte(.durable).map { $0 != 0 } }
  package var outcome: Outcome? { byte(.outcome).flatMap(Outcome.init) }
  package var key: String? { symbol(.key) }
  package var upTo: Int64? { signedWord(.upTo) }
  package var capabilities: String? { symbol(.capabilities) }
  package var interval: Duration? { signedWord(.interval).map(Duration.nanoseconds) }
  package var remaining: Duration? { signedWord(.remaining).map(Duration.nanoseconds) }
  package var firesAt: WallTime? { signedWord(.firesAt).map(WallTime.init) }
  package var triggerKind: TriggerKind? { byte(.triggerKind).flatMap(TriggerKind.init) }
  package var radius: Int? { number(.radius) }
  package var effectiveRadius: Int? { number(.effectiveRadius) }
  package var up: Bool? { byte(.up).map { $0 != 0 } }
  package var expensive: Bool? { byte(.expensive).map { $0 != 0 } }
  package var constrained: Bool? { byte(.constrained).map { $0 != 0 } }
  package var cellular: Bool? { byte(.cellular).map { $0 != 0 } }
  package var charging: Bool? { byte(.charging).map { $0 != 0 } }
  package var battery: Int? { number(.battery) }
  package var free: Int64? { signedWord(.free) }
  package var openFiles: Int64? { signedWord(.openFiles) }
  package var policy: PolicyName? { byte(.policy).flatMap(PolicyName.init) }
  package var enabled: Bool? { byte(.enabled).map { $0 != 0 } }
  package var part: Int? { number(.part) }
  package var cpuTime: Duration? { signedWord(.cpuTime).map(Duration.nanoseconds) }
  package var queueDepth: Int64? { signedWord(.queueDepth) }
  package var subsystem: String? { symbol(.subsystem) }
  package var category: String? { symbol(.category) }
  package var eventMessage: RecordedMessage? { message(.eventMessage) }
  package var activity: CorrelationID? { word(.activity).map(CorrelationID.init) }
  package var parentActivity: CorrelationID? { word(.parentActivity).map(CorrelationID.init) }
  package var signpost: CorrelationID? { word(.signpost).map(CorrelationID.init) }
  package var fileID: String? { symbol(.fileID) }
  package var function: String? { symbol(.function) }
  package var line: Int? { number(.line) }
  package var settings: RecordedText? { text(.settings) }
  package var setting: String? { symbol(.setting) }
  package var requested: String? { symbol(.requested) }
  package var effective: String? { symbol(.effective) }
  package var cacheAnswer: CacheAnswer? { byte(.cacheAnswer).flatMap(CacheAnswer.init) }
  package var cacheMiss: CacheMiss? { byte(.cacheMiss).flatMap(CacheMiss.init) }
  package var cacheRemoval: CacheRemoval? { byte(.cacheRemoval).flatMap(CacheRemoval.init) }
  package var age: Duration? { signedWord(.age).map(Duration.nanoseconds) }
  package var lifetime: Duration? { signedWord(.lifetime).map(Duration.nanoseconds) }
  package var carrier: TaskIdentity? { taskIdentity(.carrier) }
  package var metadata: RecordedText? { text(.metadata) }
  package var acceptedTypes: String? { symbol(.acceptedTypes) }
  package var phase: AttemptPhase? { byte(.phase).flatMap(AttemptPhase.init) }
  package var uploadOffset: Int64? { signedWord(.uploadOffset) }
  package var uploadExpires: WallTime? { signedWord(.uploadExpires).map(WallTime.init) }
  package var resumable: Bool? { byte(.resumable).map { $0 != 0 } }
  package var secretAnswer: SecretAnswer? { byte(.secretAnswer).flatMap(SecretAnswer.init) }
  package var hasDelegate: Bool? { byte(.hasDelegate).map { $0 != 0 } }
  package var holder: LaunchID? { pair(.holder).map(LaunchID.init) }
  package var owner: RecordedText? { text(.owner) }
  package var lock: CorrelationID? { word(.lock).map(CorrelationID.init) }
  package var elapsed: Duration? { signedWord(.elapsed).map(Duration.nanoseconds) }
  package var logWork: LogWork? { byte(.logWork).flatMap(LogWork.init) }
  package var freeFiles: Int64? { signedWord(.freeFiles) }
  package var lifecycle: Bool? { byte(.lifecycle).map { $0 != 0 } }
}

extension RecordedEvent {
  /// The task: its uid, its session and its number there.
  public var task: TaskIdentity? { view.task }
  /// The task that goes on with the work.
  public var successor: TaskIdentity? { view.successor }
  /// Tasks, in the order in which they were listed.
  public var tasks: [TaskIdentity]? { view.tasks }
  /// A process life.
  public var launch: LaunchID? { view.launch }
  /// The process life at the other end.
  public var peer: LaunchID? { view.peer }
  /// A run of the machine.
  public var boot: BootID? { view.boot }
  /// A callback, from the moment it is queued; a redelivery keeps it.
  public var delivery: DeliveryID? { view.delivery }
  /// A completion handler of a wake.
  public var handler: HandlerID? { view.handler }
  /// One session object, as opposed to its identifier.
  public var instance: CorrelationID? { view.instance }
  /// A connection to a server.
  public var connection: CorrelationID? { view.connection }
  /// An authentication challenge.
  public var challenge: CorrelationID? { view.challenge }
  /// A question and its answer.
  public var query: CorrelationID? { view.query }
  /// A stretch of background time.
  public var assertion: CorrelationID? { view.assertion }
  /// An alarm.
  public var deadman: CorrelationID? { view.deadman }
  /// A launch trigger.
  public var trigger: CorrelationID? { view.trigger }
  /// An upload in parts, as the server names it.
  public var upload: CorrelationID? { view.upload }
  /// A piece of the app's own work.
  public var work: CorrelationID? { view.work }
  /// How often the daemon has been started with this database.
  public var generation: Int64? { view.generation }
  /// A session's identifier.
  public var session: String? { view.session }
  /// A delegate object; none when there is no delegate.
  public var delegate: CorrelationID? { view.delegate }
  /// The delegate that the caller passed.
  public var callerDelegate: CorrelationID? { view.callerDelegate }
  /// The app's own key for what it wants done; not to hold private text. A URL is treated as a private value.
  public var intent: RecordedText? { view.intent }
  /// A name that the code gave.
  public var name: String? { view.name }
  /// The variable that holds it, as the app names it.
  public var slot: String? { view.slot }
  /// A segment's number within the log.
  public var segment: Int64? { view.segment }
  /// The writer's segment before this one; none for its first.
  public var previousSegment: Int64? { view.previousSegment }
  /// What is kept of private values.
  public var captureMode: CaptureMode? { view.captureMode }
  /// The lowest level written, and exceptions, as `default` or `debug,info`.
  public var levels: String? { view.levels }
  /// A family of events.
  public var family: String? { view.family }
  /// How many events were not written.
  public var dropped: Int64? { view.dropped }
  /// Why, in a word.
  public var reason: String? { view.reason }
  /// Wall clock.
  public var wallClock: WallTime? { view.wallClock }
  /// Time since boot, sleep included.
  public var boottimeClock: Duration? { view.boottimeClock }
  /// Why the clocks were read.
  public var sampleReason: SampleReason? { view.sampleReason }
  /// Whether the event was written by a generator, not by what it describes.
  public var synthetic: Bool? { view.synthetic }
  /// Process id.
  public var pid: Int? { view.pid }
  /// Process id of the parent.
  public var parentPid: Int? { view.parentPid }
  /// Who writes.
  public var role: WriterRole? { view.role }
  /// Why the process was started.
  public var startReason: StartReason? { view.startReason }
  /// Whether it was started without a user interface.
  public var background: Bool? { view.background }
  /// Whether the system started it before it was needed.
  public var prewarmed: Bool? { view.prewarmed }
  /// Whether a debugger is attached, or the app says so.
  public var debugger: Bool? { view.debugger }
  /// Whether it runs in a simulator or under a test.
  public var simulator: Bool? { view.simulator }
  /// Whether callbacks must run on the main thread.
  public var mainThreadContract: Bool? { view.mainThreadContract }
  /// The program's file name.
  public var executable: String? { view.executable }
  /// A version.
  public var version: String? { view.version }
  /// The system's version.
  public var osVersion: String? { view.osVersion }
  /// The app's data directory.
  public var container: RecordedText? { view.container }
  /// What the app may do.
  public var state: AppState? { view.state }
  /// Exit status.
  public var code: Int? { view.code }
  /// The signal that ended it.
  public var signal: Int? { view.signal }
  /// How the process life ended.
  public var exitReason: ExitReason? { view.exitReason }
  /// Who did it.
  public var by: Actor? { view.by }
  /// Why it did not arrive.
  public var why: DropReason? { view.why }
  /// The kind of session.
  public var sessionKind: SessionKind? { view.sessionKind }
  /// Digest of the canonical configuration.
  public var configuration: ValueDigest? { view.configuration }
  /// `httpMaximumConnectionsPerHost`.
  public var connectionsPerHost: Int? { view.connectionsPerHost }
  /// `timeoutIntervalForRequest`; none when there is no limit.
  public var requestTimeout: Duration? { view.requestTimeout }
  /// `timeoutIntervalForResource`; none when there is no limit.
  public var resourceTimeout: Duration? { view.resourceTimeout }
  /// When the request timer starts.
  public var timeoutOrigin: TimeoutOrigin? { view.timeoutOrigin }
  /// `waitsForConnectivity`.
  public var waitsForConnectivity: Bool? { view.waitsForConnectivity }
  /// `isDiscretionary` as asked for.
  public var discretionary: Bool? { view.discretionary }
  /// `isDiscretionary` as it applies.
  public var effectiveDiscretionary: Bool? { view.effectiveDiscretionary }
  /// `sessionSendsLaunchEvents`.
  public var sendsLaunchEvents: Bool? { view.sendsLaunchEvents }
  /// `shouldUseExtendedBackgroundIdleMode`.
  public var extendedIdle: Bool? { view.extendedIdle }
  /// `allowsCellularAccess`.
  public var allowsCellular: Bool? { view.allowsCellular }
  /// `allowsExpensiveNetworkAccess`.
  public var allowsExpensive: Bool? { view.allowsExpensive }
  /// `allowsConstrainedNetworkAccess`.
  public var allowsConstrained: Bool? { view.allowsConstrained }
  /// The queue or executor that callbacks run on.
  public var queue: String? { view.queue }
  /// Session objects alive in the process.
  public var liveSessions: Int64? { view.liveSessions }
  /// Tasks of the session that have not ended.
  public var liveTasks: Int64? { view.liveTasks }
  /// Callbacks that wait to be delivered.
  public var pending: Int64? { view.pending }
  /// How the session is invalidated.
  public var invalidation: InvalidationMode? { view.invalidation }
  /// Whether the session was connected to the daemon.
  public var connected: Bool? { view.connected }
  /// How many.
  public var count: Int64? { view.count }
  /// Why the app is wanted.
  public var wakeCause: WakeCause? { view.wakeCause }
  /// Why the wake waits.
  public var holdWake: HoldWakeReason? { view.holdWake }
  /// How long to wait.
  public var delay: Duration? { view.delay }
  /// How much running time there is.
  public var budget: Duration? { view.budget }
  /// Whether it ran on the main thread.
  public var onMainThread: Bool? { view.onMainThread }
  /// The thread's or queue's name.
  public var threadName: String? { view.threadName }
  /// What the task does.
  public var type: TaskType? { view.type }
  /// Where the app was when it made the task.
  public var origin: TaskOrigin? { view.origin }
  /// How the app hears of the end.
  public var completion: CompletionStyle? { view.completion }
  /// HTTP method.
  public var method: String? { view.method }
  /// URL scheme.
  public var scheme: String? { view.scheme }
  /// Host name or address.
  public var host: String? { view.host }
  /// Port; none for the scheme's own.
  public var port: Int? { view.port }
  /// URL path, percent-encoded as sent.
  public var path: RecordedText? { view.path }
  /// URL query without signature parameters; none when there is no query.
  public var urlQuery: RecordedText? { view.urlQuery }
  /// Digest of the whole URL, to tell one resource from another.
  public var resource: ValueDigest? { view.resource }
  /// `taskDescription`.
  public var label: RecordedText? { view.label }
  /// Where the file is to end up.
  public var destination: RecordedText? { view.destination }
  /// The file to send.
  public var sourceFile: RecordedText? { view.sourceFile }
  /// Its size.
  public var sourceSize: Int64? { view.sourceSize }
  /// When it was last modified.
  public var sourceModified: WallTime? { view.sourceModified }
  /// A file's inode.
  public var inode: Int64? { view.inode }
  /// Whether the file was made for this task alone.
  public var sourceOwned: Bool? { view.sourceOwned }
  /// `countOfBytesClientExpectsToSend`.
  public var expectedToSend: Int64? { view.expectedToSend }
  /// `countOfBytesClientExpectsToReceive`.
  public var expectedToReceive: Int64? { view.expectedToReceive }
  /// Priority, 0 to 100.
  public var priority: Int? { view.priority }
  /// When the credential that the request carries expires.
  public var credentialExpires: WallTime? { view.credentialExpires }
  /// Why the task was not made.
  public var rejection: RejectionReason? { view.rejection }
  /// Why it was cancelled.
  public var cancelReason: CancelReason? { view.cancelReason }
  /// Digest of resume data.
  public var resumeData: ValueDigest? { view.resumeData }
  /// Why the task does not move.
  public var hold: HoldReason? { view.hold }
  /// Connections in use.
  public var slotsUsed: Int? { view.slotsUsed }
  /// Connections allowed.
  public var slots: Int? { view.slots }
  /// Until when.
  public var until: WallTime? { view.until }
  /// Why the daemon no longer knows the task.
  public var forgotten: ForgetReason? { view.forgotten }
  /// The try's number, from 1.
  public var attempt: Int? { view.attempt }
  /// The request and response within the attempt, from 1; a redirect adds one.
  public var transaction: Int? { view.transaction }
  /// Where in the resource the request begins.
  public var offset: Int64? { view.offset }
  /// Whether the connection had served another request before.
  public var reused: Bool? { view.reused }
  /// `http/1.1`, `h2`.
  public var `protocol`: String? { view.`protocol` }
  /// The server's address.
  public var remoteAddress: RecordedText? { view.remoteAddress }
  /// The server's port.
  public var remotePort: Int? { view.remotePort }
  /// From the start of the attempt until libcurl took it up.
  public var queueTime: Duration? { view.queueTime }
  /// For the name, `CURLINFO_NAMELOOKUP_TIME_T`.
  public var nameLookupTime: Duration? { view.nameLookupTime }
  /// For the connection, after the name.
  public var connectTime: Duration? { view.connectTime }
  /// For TLS, after the connection.
  public var secureTime: Duration? { view.secureTime }
  /// From the request until the first byte of the response.
  public var firstByteTime: Duration? { view.firstByteTime }
  /// From the first byte of the response until the last of its body.
  public var bodyTime: Duration? { view.bodyTime }
  /// How long a reused connection had been idle.
  public var idle: Duration? { view.idle }
  /// Head and body of the request.
  public var requestBytes: Int64? { view.requestBytes }
  /// Names of header fields, joined by commas.
  public var headers: String? { view.headers }
  /// Whether the request carried credentials.
  public var authorized: Bool? { view.authorized }
  /// Whether the range depends on a validator.
  public var ifRange: Bool? { view.ifRange }
  /// HTTP status.
  public var status: Int? { view.status }
  /// The length that the server declared; none when it declared none.
  public var expected: Int64? { view.expected }
  /// Bytes of the body received.
  public var received: Int64? { view.received }
  /// Bytes of the body sent.
  public var sent: Int64? { view.sent }
  /// Bytes of the body after content decoding.
  public var decoded: Int64? { view.decoded }
  /// `Content-Type`.
  public var contentType: String? { view.contentType }
  /// `Content-Encoding`.
  public var contentEncoding: String? { view.contentEncoding }
  /// Whether the body came in chunks, without a declared length.
  public var chunked: Bool? { view.chunked }
  /// `ETag`.
  public var etag: RecordedText? { view.etag }
  /// `Last-Modified`.
  public var lastModified: RecordedText? { view.lastModified }
  /// First byte of `Content-Range`.
  public var rangeStart: Int64? { view.rangeStart }
  /// Full length in `Content-Range`.
  public var rangeTotal: Int64? { view.rangeTotal }
  /// Whether the server offers ranges.
  public var acceptsRanges: Bool? { view.acceptsRanges }
  /// `Retry-After`.
  public var retryAfter: Duration? { view.retryAfter }
  /// When the next attempt comes; none when there is none.
  public var retryIn: Duration? { view.retryIn }
  /// How the attempt ended.
  public var end: AttemptEnd? { view.end }
  /// Whose number the error is.
  public var domain: ErrorDomain? { view.domain }
  /// The error's number; none when there is no error.
  public var error: Int? { view.error }
  /// The error's short and fixed name.
  public var errorName: String? { view.errorName }
  /// What was said in words.
  public var message: RecordedText? { view.message }
  /// errno, when the system gave one.
  public var osError: Int? { view.osError }
  /// What is asked for.
  public var challengeMethod: ChallengeMethod? { view.challengeMethod }
  /// How often the answer was refused.
  public var previousFailures: Int? { view.previousFailures }
  /// The answer.
  public var disposition: ChallengeDisposition? { view.disposition }
  /// What was done about the redirect.
  public var decision: RedirectDecision? { view.decision }
  /// Whether credentials go along.
  public var credentialsKept: Bool? { view.credentialsKept }
  /// A file's path.
  public var file: RecordedText? { view.file }
  /// A file's size.
  public var size: Int64? { view.size }
  /// Whether the file was there.
  public var exists: Bool? { view.exists }
  /// How the file was taken over.
  public var operation: ClaimOperation? { view.operation }
  /// Whether it happened while the callback ran.
  public var inCallback: Bool? { view.inCallback }
  /// Digest of the bytes.
  public var content: ValueDigest? { view.content }
  /// Which callback.
  public var callback: Callback? { view.callback }
  /// Whether it had been sent before.
  public var redelivered: Bool? { view.redelivered }
  /// A step of the app's own plan.
  public var step: String? { view.step }
  /// Whether the app has it on disk.
  public var durable: Bool? { view.durable }
  /// What the app made of it.
  public var outcome: Outcome? { view.outcome }
  /// By what the app finds its record: `uid`, `session+number`, `number`, `description`.
  public var key: String? { view.key }
  /// The last entry that is on disk.
  public var upTo: Int64? { view.upTo }
  /// Names of declared modes and permissions, joined by commas.
  public var capabilities: String? { view.capabilities }
  /// Time between two.
  public var interval: Duration? { view.interval }
  /// Time left.
  public var remaining: Duration? { view.remaining }
  /// When it rings.
  public var firesAt: WallTime? { view.firesAt }
  /// What the trigger waits for.
  public var triggerKind: TriggerKind? { view.triggerKind }
  /// Metres, as asked for.
  public var radius: Int? { view.radius }
  /// Metres, as it applies.
  public var effectiveRadius: Int? { view.effectiveRadius }
  /// Whether there is a path.
  public var up: Bool? { view.up }
  /// Whether the path is expensive.
  public var expensive: Bool? { view.expensive }
  /// Whether the path is in low data mode.
  public var constrained: Bool? { view.constrained }
  /// Whether the path is cellular.
  public var cellular: Bool? { view.cellular }
  /// Whether it is charging.
  public var charging: Bool? { view.charging }
  /// Per cent.
  public var battery: Int? { view.battery }
  /// Bytes free.
  public var free: Int64? { view.free }
  /// Open file descriptors.
  public var openFiles: Int64? { view.openFiles }
  /// Which switch.
  public var policy: PolicyName? { view.policy }
  /// Whether it is on.
  public var enabled: Bool? { view.enabled }
  /// A part's number, from 1.
  public var part: Int? { view.part }
  /// Processor time used.
  public var cpuTime: Duration? { view.cpuTime }
  /// Entries that wait.
  public var queueDepth: Int64? { view.queueDepth }
  /// Which part of the system speaks, in reverse domain notation.
  public var subsystem: String? { view.subsystem }
  /// Which part of the subsystem.
  public var category: String? { view.category }
  /// What is said: the literal text and its arguments, each with its own privacy.
  public var eventMessage: RecordedMessage? { view.eventMessage }
  /// What the code is about when it speaks: one stretch of work, with all that it awaits.
  public var activity: CorrelationID? { view.activity }
  /// The activity within which this one began.
  public var parentActivity: CorrelationID? { view.parentActivity }
  /// Tells intervals of one name from each other.
  public var signpost: CorrelationID? { view.signpost }
  /// The module and file of the code that speaks, as Swift's `#fileID`.
  public var fileID: String? { view.fileID }
  /// Its function.
  public var function: String? { view.function }
  /// Its line, from 1.
  public var line: Int? { view.line }
  /// Settings that are not as they are by default, as `name=value`; what is private only as `set`.
  public var settings: RecordedText? { view.settings }
  /// A setting's name, as the configuration has it.
  public var setting: String? { view.setting }
  /// Its value as it was asked for.
  public var requested: String? { view.requested }
  /// Its value as it applies.
  public var effective: String? { view.effective }
  /// By what right a stored response was given.
  public var cacheAnswer: CacheAnswer? { view.cacheAnswer }
  /// Why the server had to be asked.
  public var cacheMiss: CacheMiss? { view.cacheMiss }
  /// Why it is no longer kept.
  public var cacheRemoval: CacheRemoval? { view.cacheRemoval }
  /// How old the stored response is (RFC 9111 §4.2.3).
  public var age: Duration? { view.age }
  /// How long it counts as fresh, from its origin.
  public var lifetime: Duration? { view.lifetime }
  /// The task that carries the transfer which others share.
  public var carrier: TaskIdentity? { view.carrier }
  /// What the app keeps with the task, as a JSON object of strings, sorted by key.
  public var metadata: RecordedText? { view.metadata }
  /// Media types that the app takes, joined by commas, as `Accept` has them; none for any.
  public var acceptedTypes: String? { view.acceptedTypes }
  /// How far the attempt had got.
  public var phase: AttemptPhase? { view.phase }
  /// `Upload-Offset`: how much of an upload the server has, as the sender of the message knows it.
  public var uploadOffset: Int64? { view.uploadOffset }
  /// `Upload-Expires`: until when the server keeps an upload that is not complete.
  public var uploadExpires: WallTime? { view.uploadExpires }
  /// Whether the app means to go on with it in a later life.
  public var resumable: Bool? { view.resumable }
  /// What came of reading a secret.
  public var secretAnswer: SecretAnswer? { view.secretAnswer }
  /// Whether the session was given a delegate.
  public var hasDelegate: Bool? { view.hasDelegate }
  /// The process life that has what was refused.
  public var holder: LaunchID? { view.holder }
  /// The uid of the task that it was made for, where only that is known.
  public var owner: RecordedText? { view.owner }
  /// One time that a lock is held.
  public var lock: CorrelationID? { view.lock }
  /// How long it took, or has taken so far.
  public var elapsed: Duration? { view.elapsed }
  /// What the log was about.
  public var logWork: LogWork? { view.logWork }
  /// How many files the file system has room for; none where it has no limit of its own.
  public var freeFiles: Int64? { view.freeFiles }
  /// Whether events of a life are among them, and not progress or words alone.
  public var lifecycle: Bool? { view.lifecycle }
}
