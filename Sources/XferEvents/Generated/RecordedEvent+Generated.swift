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
  package var traceParent: RecordedText? { text(.traceParent) }
  package var parentSpan: ValueDigest? { word(.parentSpan).map(ValueDigest.init) }
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
  package var continues: RecordedText? { text(.continues) }
  package var acceptedStatus: Int? { number(.acceptedStatus) }
  package var uncalled: Bool? { byte(.uncalled).map { $0 != 0 } }
  package var unended: Bool? { byte(.unended).map { $0 != 0 } }
  package var needsProgress: Bool? { byte(.needsProgress).map { $0 != 0 } }
  package var unsatisfied: UnsatisfiedReason? { byte(.unsatisfied).flatMap(UnsatisfiedReason.init) }
  package var importFile: Int? { number(.importFile) }
  package var importWriter: Int? { number(.importWriter) }
  package var importLine: Int64? { signedWord(.importLine) }
  package var lastLine: Int64? { signedWord(.lastLine) }
  package var format: String? { symbol(.format) }
  package var original: RecordedText? { text(.original) }
  package var monotonicClock: Duration? { signedWord(.monotonicClock).map(Duration.nanoseconds) }
  package var threadNumber: Int64? { signedWord(.threadNumber) }
  package var recognised: Int64? { signedWord(.recognised) }
  package var installation: String? { symbol(.installation) }
  package var coverage: String? { symbol(.coverage) }
  package var coveredEvents: RecordedText? { text(.coveredEvents) }
  package var terms: String? { symbol(.terms) }
}

extension RecordedEvent {
  /// The task: its uid, its session, and its number in the session.
  public var task: TaskIdentity? { view.task }
  /// The task that continues the work.
  public var successor: TaskIdentity? { view.successor }
  /// Tasks, in the order of the list.
  public var tasks: [TaskIdentity]? { view.tasks }
  /// A process life.
  public var launch: LaunchID? { view.launch }
  /// The process life at the other end of the link.
  public var peer: LaunchID? { view.peer }
  /// A run of the machine.
  public var boot: BootID? { view.boot }
  /// A callback, from the moment it is queued. A redelivery keeps it.
  public var delivery: DeliveryID? { view.delivery }
  /// The completion handler of a wake.
  public var handler: HandlerID? { view.handler }
  /// One session object. Several objects may have the same identifier.
  public var instance: CorrelationID? { view.instance }
  /// A connection to a server.
  public var connection: CorrelationID? { view.connection }
  /// An authentication challenge.
  public var challenge: CorrelationID? { view.challenge }
  /// Joins a question with its answer.
  public var query: CorrelationID? { view.query }
  /// A background assertion.
  public var assertion: CorrelationID? { view.assertion }
  /// A dead man's switch.
  public var deadman: CorrelationID? { view.deadman }
  /// A launch trigger.
  public var trigger: CorrelationID? { view.trigger }
  /// A multipart upload, identified by the server.
  public var upload: CorrelationID? { view.upload }
  /// A piece of the app's own work.
  public var work: CorrelationID? { view.work }
  /// The number of times that the daemon was started with its database.
  public var generation: Int64? { view.generation }
  /// A session's identifier.
  public var session: String? { view.session }
  /// A delegate object; missing if there is no delegate. delivery.entered has it only where sessions are reused.
  public var delegate: CorrelationID? { view.delegate }
  /// The delegate that the caller passed.
  public var callerDelegate: CorrelationID? { view.callerDelegate }
  /// The app's own key for something that it wants done. It must not contain private text; a URL is treated as a private value.
  public var intent: RecordedText? { view.intent }
  /// A name from the app's code.
  public var name: String? { view.name }
  /// The app's name for the variable that stores the object.
  public var slot: String? { view.slot }
  /// The number of a segment within the log.
  public var segment: Int64? { view.segment }
  /// The writer's previous segment; missing for its first.
  public var previousSegment: Int64? { view.previousSegment }
  /// The form in which private values are stored.
  public var captureMode: CaptureMode? { view.captureMode }
  /// The lowest level that is written, with exceptions, such as `default` or `default,com.example=debug`.
  public var levels: String? { view.levels }
  /// A family of events.
  public var family: String? { view.family }
  /// The number of items that were lost.
  public var dropped: Int64? { view.dropped }
  /// The reason, as a short word.
  public var reason: String? { view.reason }
  /// The wall clock.
  public var wallClock: WallTime? { view.wallClock }
  /// The time since boot, including sleep.
  public var boottimeClock: Duration? { view.boottimeClock }
  /// The reason why the clocks were sampled.
  public var sampleReason: SampleReason? { view.sampleReason }
  /// Whether a generator wrote the event.
  public var synthetic: Bool? { view.synthetic }
  /// The process id.
  public var pid: Int? { view.pid }
  /// The process id of the parent.
  public var parentPid: Int? { view.parentPid }
  /// The role of the process that writes.
  public var role: WriterRole? { view.role }
  /// The reason for the start of the process.
  public var startReason: StartReason? { view.startReason }
  /// Whether the process was started without a user interface.
  public var background: Bool? { view.background }
  /// Whether the system started the process before it was needed.
  public var prewarmed: Bool? { view.prewarmed }
  /// Whether a debugger is attached, or the app says so.
  public var debugger: Bool? { view.debugger }
  /// Whether the process runs in a simulator or under a test.
  public var simulator: Bool? { view.simulator }
  /// Whether callbacks must run on the main thread.
  public var mainThreadContract: Bool? { view.mainThreadContract }
  /// The file name of the program.
  public var executable: String? { view.executable }
  /// The version of the program.
  public var version: String? { view.version }
  /// The version of the operating system.
  public var osVersion: String? { view.osVersion }
  /// The app's data directory.
  public var container: RecordedText? { view.container }
  /// The execution state of the app.
  public var state: AppState? { view.state }
  /// The exit status.
  public var code: Int? { view.code }
  /// The number of the signal that ended the process.
  public var signal: Int? { view.signal }
  /// The way in which the process life ended.
  public var exitReason: ExitReason? { view.exitReason }
  /// The party that acted.
  public var by: Actor? { view.by }
  /// The reason why something was dropped.
  public var why: DropReason? { view.why }
  /// The kind of the session.
  public var sessionKind: SessionKind? { view.sessionKind }
  /// The digest of the canonical configuration.
  public var configuration: ValueDigest? { view.configuration }
  /// The value of `httpMaximumConnectionsPerHost`.
  public var connectionsPerHost: Int? { view.connectionsPerHost }
  /// The value of `timeoutIntervalForRequest`; missing if unlimited.
  public var requestTimeout: Duration? { view.requestTimeout }
  /// The value of `timeoutIntervalForResource`; missing if unlimited.
  public var resourceTimeout: Duration? { view.resourceTimeout }
  /// The moment at which the request timeout starts.
  public var timeoutOrigin: TimeoutOrigin? { view.timeoutOrigin }
  /// The value of `waitsForConnectivity`.
  public var waitsForConnectivity: Bool? { view.waitsForConnectivity }
  /// The requested value of `isDiscretionary`.
  public var discretionary: Bool? { view.discretionary }
  /// The effective value of `isDiscretionary`.
  public var effectiveDiscretionary: Bool? { view.effectiveDiscretionary }
  /// The value of `sessionSendsLaunchEvents`.
  public var sendsLaunchEvents: Bool? { view.sendsLaunchEvents }
  /// The value of `shouldUseExtendedBackgroundIdleMode`.
  public var extendedIdle: Bool? { view.extendedIdle }
  /// The value of `allowsCellularAccess`.
  public var allowsCellular: Bool? { view.allowsCellular }
  /// The value of `allowsExpensiveNetworkAccess`.
  public var allowsExpensive: Bool? { view.allowsExpensive }
  /// The value of `allowsConstrainedNetworkAccess`.
  public var allowsConstrained: Bool? { view.allowsConstrained }
  /// The queue or executor on which callbacks run.
  public var queue: String? { view.queue }
  /// The number of live session objects in the process.
  public var liveSessions: Int64? { view.liveSessions }
  /// The number of tasks that have not ended.
  public var liveTasks: Int64? { view.liveTasks }
  /// The number of callbacks to be delivered.
  public var pending: Int64? { view.pending }
  /// The way in which the session is invalidated.
  public var invalidation: InvalidationMode? { view.invalidation }
  /// Whether the session was connected to the daemon.
  public var connected: Bool? { view.connected }
  /// The number of items.
  public var count: Int64? { view.count }
  /// The reason why the app is woken.
  public var wakeCause: WakeCause? { view.wakeCause }
  /// The reason why the wake is held.
  public var holdWake: HoldWakeReason? { view.holdWake }
  /// The time to wait.
  public var delay: Duration? { view.delay }
  /// The running time that the app has.
  public var budget: Duration? { view.budget }
  /// Whether the code ran on the main thread.
  public var onMainThread: Bool? { view.onMainThread }
  /// The name of the thread or queue.
  public var threadName: String? { view.threadName }
  /// The type of the task.
  public var type: TaskType? { view.type }
  /// The state of the app when it created the task.
  public var origin: TaskOrigin? { view.origin }
  /// The way in which the app receives the completion.
  public var completion: CompletionStyle? { view.completion }
  /// The HTTP method.
  public var method: String? { view.method }
  /// The URL scheme.
  public var scheme: String? { view.scheme }
  /// The host name or address.
  public var host: String? { view.host }
  /// The port; missing if it is the default port of the scheme.
  public var port: Int? { view.port }
  /// The URL path, percent-encoded as sent.
  public var path: RecordedText? { view.path }
  /// The URL query without signature parameters; missing if there is none.
  public var urlQuery: RecordedText? { view.urlQuery }
  /// The digest of the whole URL, to distinguish resources.
  public var resource: ValueDigest? { view.resource }
  /// The value of `taskDescription`.
  public var label: RecordedText? { view.label }
  /// The path at which the file is stored in the end.
  public var destination: RecordedText? { view.destination }
  /// The path of the file to upload.
  public var sourceFile: RecordedText? { view.sourceFile }
  /// The size of the source file.
  public var sourceSize: Int64? { view.sourceSize }
  /// The modification time of the source file.
  public var sourceModified: WallTime? { view.sourceModified }
  /// The inode of the file.
  public var inode: Int64? { view.inode }
  /// Whether the source file was created for this task alone.
  public var sourceOwned: Bool? { view.sourceOwned }
  /// The value of `countOfBytesClientExpectsToSend`.
  public var expectedToSend: Int64? { view.expectedToSend }
  /// The value of `countOfBytesClientExpectsToReceive`.
  public var expectedToReceive: Int64? { view.expectedToReceive }
  /// The priority, from 0 to 100.
  public var priority: Int? { view.priority }
  /// The expiry of the request's credential.
  public var credentialExpires: WallTime? { view.credentialExpires }
  /// The reason why the task was not created.
  public var rejection: RejectionReason? { view.rejection }
  /// The reason for the cancellation.
  public var cancelReason: CancelReason? { view.cancelReason }
  /// The digest of the resume data.
  public var resumeData: ValueDigest? { view.resumeData }
  /// The reason why the task waits.
  public var hold: HoldReason? { view.hold }
  /// The number of connections in use.
  public var slotsUsed: Int? { view.slotsUsed }
  /// The number of connections allowed.
  public var slots: Int? { view.slots }
  /// The end of the period.
  public var until: WallTime? { view.until }
  /// The reason why the daemon removed the task from its list.
  public var forgotten: ForgetReason? { view.forgotten }
  /// The number of the attempt, from 1.
  public var attempt: Int? { view.attempt }
  /// The number of the request within the attempt, from 1. A redirect adds one.
  public var transaction: Int? { view.transaction }
  /// The byte of the resource at which the request begins.
  public var offset: Int64? { view.offset }
  /// Whether the connection had served another request before.
  public var reused: Bool? { view.reused }
  /// The protocol of the connection, such as `http/1.1` or `h2`.
  public var `protocol`: String? { view.`protocol` }
  /// The address of the server.
  public var remoteAddress: RecordedText? { view.remoteAddress }
  /// The port of the server.
  public var remotePort: Int? { view.remotePort }
  /// The time from the start of the attempt until libcurl began with it.
  public var queueTime: Duration? { view.queueTime }
  /// The time for the name lookup, `CURLINFO_NAMELOOKUP_TIME_T`.
  public var nameLookupTime: Duration? { view.nameLookupTime }
  /// The time from the name lookup to the connection.
  public var connectTime: Duration? { view.connectTime }
  /// The time from the connection to the end of the TLS handshake.
  public var secureTime: Duration? { view.secureTime }
  /// The time from the request to the first byte of the response.
  public var firstByteTime: Duration? { view.firstByteTime }
  /// The time from the first byte of the response to the last byte of its body.
  public var bodyTime: Duration? { view.bodyTime }
  /// The time for which a reused connection had been idle.
  public var idle: Duration? { view.idle }
  /// The size of the request's header and body.
  public var requestBytes: Int64? { view.requestBytes }
  /// The names of header fields, joined by commas.
  public var headers: String? { view.headers }
  /// Whether the request carried credentials.
  public var authorized: Bool? { view.authorized }
  /// Whether the range request is conditional on a validator.
  public var ifRange: Bool? { view.ifRange }
  /// The HTTP status.
  public var status: Int? { view.status }
  /// The length that the server declared; missing if it declared none.
  public var expected: Int64? { view.expected }
  /// The number of body bytes received.
  public var received: Int64? { view.received }
  /// The number of body bytes sent.
  public var sent: Int64? { view.sent }
  /// The number of body bytes after content decoding.
  public var decoded: Int64? { view.decoded }
  /// The value of `Content-Type`.
  public var contentType: String? { view.contentType }
  /// The value of `Content-Encoding`.
  public var contentEncoding: String? { view.contentEncoding }
  /// Whether the body was sent in chunks, without a declared length.
  public var chunked: Bool? { view.chunked }
  /// The value of `ETag`.
  public var etag: RecordedText? { view.etag }
  /// The value of `Last-Modified`.
  public var lastModified: RecordedText? { view.lastModified }
  /// The first byte in `Content-Range`.
  public var rangeStart: Int64? { view.rangeStart }
  /// The full length in `Content-Range`.
  public var rangeTotal: Int64? { view.rangeTotal }
  /// Whether the server supports range requests.
  public var acceptsRanges: Bool? { view.acceptsRanges }
  /// The value of `Retry-After`.
  public var retryAfter: Duration? { view.retryAfter }
  /// The time until the next attempt; missing if there is none.
  public var retryIn: Duration? { view.retryIn }
  /// The way in which the attempt ended.
  public var end: AttemptEnd? { view.end }
  /// The set of numbers to which the error belongs.
  public var domain: ErrorDomain? { view.domain }
  /// The number of the error; missing if there is none.
  public var error: Int? { view.error }
  /// The short, fixed name of the error.
  public var errorName: String? { view.errorName }
  /// A message in words.
  public var message: RecordedText? { view.message }
  /// The errno; missing if unknown.
  public var osError: Int? { view.osError }
  /// The method of the challenge.
  public var challengeMethod: ChallengeMethod? { view.challengeMethod }
  /// The number of earlier answers that were rejected.
  public var previousFailures: Int? { view.previousFailures }
  /// The answer to the challenge.
  public var disposition: ChallengeDisposition? { view.disposition }
  /// The decision about the redirect.
  public var decision: RedirectDecision? { view.decision }
  /// Whether credentials are sent to the target of the redirect.
  public var credentialsKept: Bool? { view.credentialsKept }
  /// The trace, the attempt's span and the flags, as a value of the header field `traceparent`; missing without a trace.
  public var traceParent: RecordedText? { view.traceParent }
  /// The span in the same trace to which the attempt belongs; missing if there is none.
  public var parentSpan: ValueDigest? { view.parentSpan }
  /// The path of a file.
  public var file: RecordedText? { view.file }
  /// The size in bytes.
  public var size: Int64? { view.size }
  /// Whether the file exists.
  public var exists: Bool? { view.exists }
  /// The way in which the app claimed the file.
  public var operation: ClaimOperation? { view.operation }
  /// Whether the app claimed the file while the callback ran.
  public var inCallback: Bool? { view.inCallback }
  /// The digest of the bytes.
  public var content: ValueDigest? { view.content }
  /// The callback that is delivered.
  public var callback: Callback? { view.callback }
  /// Whether the callback had been sent before.
  public var redelivered: Bool? { view.redelivered }
  /// A step of the app's own plan.
  public var step: String? { view.step }
  /// Whether the app has stored the intent on disk.
  public var durable: Bool? { view.durable }
  /// The outcome that the app recorded.
  public var outcome: Outcome? { view.outcome }
  /// The key by which the app finds its record: `uid`, `session+number`, `number` or `description`.
  public var key: String? { view.key }
  /// The last entry that is on disk.
  public var upTo: Int64? { view.upTo }
  /// The names of declared modes and permissions, joined by commas.
  public var capabilities: String? { view.capabilities }
  /// The time between two beats, or from the arming of an alarm until it fires.
  public var interval: Duration? { view.interval }
  /// The remaining time.
  public var remaining: Duration? { view.remaining }
  /// The time at which the alarm or trigger fires.
  public var firesAt: WallTime? { view.firesAt }
  /// The kind of the trigger.
  public var triggerKind: TriggerKind? { view.triggerKind }
  /// The requested radius, in metres.
  public var radius: Int? { view.radius }
  /// The effective radius, in metres.
  public var effectiveRadius: Int? { view.effectiveRadius }
  /// Whether a network path is available.
  public var up: Bool? { view.up }
  /// Whether the path is expensive.
  public var expensive: Bool? { view.expensive }
  /// Whether the path is in low data mode.
  public var constrained: Bool? { view.constrained }
  /// Whether the path is cellular.
  public var cellular: Bool? { view.cellular }
  /// Whether the battery is charging.
  public var charging: Bool? { view.charging }
  /// The charge of the battery, in per cent.
  public var battery: Int? { view.battery }
  /// The free space, in bytes.
  public var free: Int64? { view.free }
  /// The number of open file descriptors.
  public var openFiles: Int64? { view.openFiles }
  /// The name of the policy.
  public var policy: PolicyName? { view.policy }
  /// Whether the policy, or the periodic message, is enabled.
  public var enabled: Bool? { view.enabled }
  /// The number of the part, from 1.
  public var part: Int? { view.part }
  /// The processor time used.
  public var cpuTime: Duration? { view.cpuTime }
  /// The number of entries in the queue.
  public var queueDepth: Int64? { view.queueDepth }
  /// The subsystem that writes, in reverse domain notation.
  public var subsystem: String? { view.subsystem }
  /// The category within the subsystem.
  public var category: String? { view.category }
  /// The literal text and its arguments, each with its own privacy.
  public var eventMessage: RecordedMessage? { view.eventMessage }
  /// The activity to which the code belongs, including all that the code awaits.
  public var activity: CorrelationID? { view.activity }
  /// The activity within which this one began.
  public var parentActivity: CorrelationID? { view.parentActivity }
  /// Distinguishes intervals with the same name.
  public var signpost: CorrelationID? { view.signpost }
  /// The module and file of the code, as in Swift's `#fileID`.
  public var fileID: String? { view.fileID }
  /// The function of the code.
  public var function: String? { view.function }
  /// The line of the code, from 1.
  public var line: Int? { view.line }
  /// The settings that differ from their defaults, as `name=value`. A private value is replaced by `set`.
  public var settings: RecordedText? { view.settings }
  /// The name of a setting in the configuration.
  public var setting: String? { view.setting }
  /// The requested value of the setting.
  public var requested: String? { view.requested }
  /// The effective value of the setting.
  public var effective: String? { view.effective }
  /// The reason why a stored response could be used.
  public var cacheAnswer: CacheAnswer? { view.cacheAnswer }
  /// The reason why the server had to be asked.
  public var cacheMiss: CacheMiss? { view.cacheMiss }
  /// The reason why a stored response was removed.
  public var cacheRemoval: CacheRemoval? { view.cacheRemoval }
  /// The age of the stored response or file (for responses, RFC 9111 §4.2.3).
  public var age: Duration? { view.age }
  /// The time for which the response is fresh, from its origin.
  public var lifetime: Duration? { view.lifetime }
  /// The task that carries the transfer that others share.
  public var carrier: TaskIdentity? { view.carrier }
  /// The metadata that the app stores with the task, as a JSON object of strings, sorted by key.
  public var metadata: RecordedText? { view.metadata }
  /// The accepted media types as in `Accept`, joined by commas; missing for any.
  public var acceptedTypes: String? { view.acceptedTypes }
  /// The phase that the attempt had reached.
  public var phase: AttemptPhase? { view.phase }
  /// The value of `Upload-Offset`: how many bytes of an upload the server has, as the sender of the message knows it.
  public var uploadOffset: Int64? { view.uploadOffset }
  /// The value of `Upload-Expires`: until when the server keeps an incomplete upload.
  public var uploadExpires: WallTime? { view.uploadExpires }
  /// Whether the app intends to continue the upload in a later life.
  public var resumable: Bool? { view.resumable }
  /// The result of reading the secret.
  public var secretAnswer: SecretAnswer? { view.secretAnswer }
  /// Whether the session has a delegate.
  public var hasDelegate: Bool? { view.hasDelegate }
  /// The process life that holds the refused session.
  public var holder: LaunchID? { view.holder }
  /// The uid of the task for which the file was created, if only that is known.
  public var owner: RecordedText? { view.owner }
  /// One period for which a lock is held.
  public var lock: CorrelationID? { view.lock }
  /// The elapsed time, so far or in total.
  public var elapsed: Duration? { view.elapsed }
  /// The work for which the log had to wait.
  public var logWork: LogWork? { view.logWork }
  /// The number of files that can still be created; missing if unlimited.
  public var freeFiles: Int64? { view.freeFiles }
  /// Whether lifecycle events are among the lost ones, rather than only progress and messages.
  public var lifecycle: Bool? { view.lifecycle }
  /// The uid of the earlier task whose partial download the task continues.
  public var continues: RecordedText? { view.continues }
  /// The HTTP status of 400 or more that the app accepts as a success on purpose.
  public var acceptedStatus: Int? { view.acceptedStatus }
  /// Whether the system reports that the completion handler was never called.
  public var uncalled: Bool? { view.uncalled }
  /// Whether the system reports that the assertion was not ended although it expired.
  public var unended: Bool? { view.unended }
  /// Whether the system expires the assertion unless the app reports steady progress.
  public var needsProgress: Bool? { view.needsProgress }
  /// The reason why the network path could not be used; missing if unknown.
  public var unsatisfied: UnsatisfiedReason? { view.unsatisfied }
  /// The number of a file from which the log was converted, from 1.
  public var importFile: Int? { view.importFile }
  /// The number of a writer in the files from which the log was converted, from 1.
  public var importWriter: Int? { view.importWriter }
  /// The line of the file, or the number of the record in a file without lines, from 1.
  public var importLine: Int64? { view.importLine }
  /// The last line of a range, or of the file.
  public var lastLine: Int64? { view.lastLine }
  /// The name of a log format, such as `har`.
  public var format: String? { view.format }
  /// The text of the line from which an event was read.
  public var original: RecordedText? { view.original }
  /// The reading of the clock that stops while the machine sleeps.
  public var monotonicClock: Duration? { view.monotonicClock }
  /// The number of a thread.
  public var threadNumber: Int64? { view.threadNumber }
  /// The number of records whose meaning is known.
  public var recognised: Int64? { view.recognised }
  /// The identifier of an installation, as a UUID.
  public var installation: String? { view.installation }
  /// A noun phrase for a kind of log whose silence proves nothing, such as `an HTTP Archive`.
  public var coverage: String? { view.coverage }
  /// The events that such a log can contain, joined by commas. `+apple` marks Apple's log, `+open` one that may lack ends.
  public var coveredEvents: RecordedText? { view.coveredEvents }
  /// The words for a file, a stream and a record, such as `file/files stream/streams line/lines`.
  public var terms: String? { view.terms }
}
