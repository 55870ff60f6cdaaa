import XferEvents

/// Two downloads of a background session that complete while their app is not running, as events of the daemon and the app.
struct BackgroundStory {
  static let session = "com.example.photos"
  static let handler = HandlerID(0x1001)

  let daemon: SyntheticDevice.Planned
  let firstLaunch: SyntheticDevice.Planned
  let secondLaunch: SyntheticDevice.Planned
  let downloads: [Download]
  private let device: SyntheticDevice

  init(_ device: SyntheticDevice) {
    self.device = device
    daemon = device.process("xferd", .daemon, pid: 900, .command)
    firstLaunch = device.process("Photos", .app, pid: 4001, .user)
    secondLaunch = device.process("Photos", .app, pid: 4188, .transfer)
    downloads = [Download(device, number: 1, size: 1_200_000), Download(device, number: 2, size: 2_500_000)]
  }

  /// Emits the events of the app's launch by the user, in which it starts its downloads.
  func ask(_ app: some EventSink, _ daemon: some EventSink) {
    app.emit(ProcessStateChanged(state: .foreground))
    connect(app, CorrelationID(0x51), pending: 0)
    daemon.emit(LinkConnected(peer: firstLaunch.launch, generation: 1))
    for download in downloads { download.ask(app) }
    for download in downloads { download.begin(daemon) }
  }

  /// Emits the events of the daemon's launch of the app, after all downloads are complete.
  func wake(_ daemon: some EventSink) {
    device.at(.seconds(41))
    let pending = Int64(2 * downloads.count)
    daemon.emit(WakeWanted(session: Self.session, handler: Self.handler, wakeCause: .completion, pending: pending))
    daemon.emit(
      WakeLaunched(
        session: Self.session, handler: Self.handler, launch: secondLaunch.launch, pid: Int(secondLaunch.pid),
        executable: secondLaunch.executable, wakeCause: .completion))
  }

  /// Emits the events of the relaunched app, which receives the completion handler and recreates its session.
  func deliver(to app: some EventSink, from daemon: some EventSink) {
    device.at(.milliseconds(41_300))
    app.emit(ProcessStateChanged(state: .background))
    app.emit(WakeDelivered(session: Self.session, handler: Self.handler))
    daemon.emit(WakeDeadlineSet(session: Self.session, handler: Self.handler, budget: .seconds(30)))
    app.emit(WakeHandlerStored(session: Self.session, handler: Self.handler, slot: "savedCompletionHandler"))
    device.at(.milliseconds(41_350))
    connect(app, CorrelationID(0x52), pending: Int64(2 * downloads.count))
    daemon.emit(LinkConnected(peer: secondLaunch.launch, generation: 1))
  }

  func finishEvents(_ app: some EventSink) {
    device.at(.seconds(42))
    app.emit(
      SessionEventsFinished(session: Self.session, instance: CorrelationID(0x52), handler: Self.handler, liveTasks: 0))
  }

  func callHandler(_ app: some EventSink) {
    device.at(.milliseconds(42_010))
    app.emit(WakeHandlerCalled(session: Self.session, handler: Self.handler, onMainThread: true, threadName: "main"))
    app.emit(WakeHandlerReleased(session: Self.session, handler: Self.handler))
  }

  private func connect(_ app: some EventSink, _ instance: CorrelationID, pending: Int64) {
    app.emit(
      SessionCreated(
        session: Self.session, instance: instance, sessionKind: .background, delegate: CorrelationID(0xD1), queue: "main",
        resourceTimeout: .seconds(7 * 24 * 3600), discretionary: false, effectiveDiscretionary: false,
        sendsLaunchEvents: true, liveSessions: 1))
    app.emit(SessionConnectStarted(session: Self.session, instance: instance))
    app.emit(SessionConnected(session: Self.session, instance: instance, generation: 1, pending: pending))
  }

  /// One of the two downloads.
  struct Download {
    private let device: SyntheticDevice
    private let task: TaskIdentity
    private let key: String
    private let size: Int64
    private let path: String
    private var number: UInt64 { UInt64(task.number) }

    init(_ device: SyntheticDevice, number: UInt32, size: Int64) {
      self.device = device
      self.size = size
      task = TaskIdentity(uid: TaskUID(high: 0x5EED, low: UInt64(number)), session: session, number: number)
      key = "photo-\(number)"
      path = "/originals/\(number).heic"
    }

    func ask(_ app: some EventSink) {
      device.at(.milliseconds(10_000 + 100 * Int64(number)))
      app.emit(AppIntentDeclared(intent: key, durable: true))
      app.emit(
        TaskCreated(
          task: task, type: .download, origin: .foreground, completion: .delegate, method: "GET", scheme: "https",
          host: "photos.example.com", path: path, discretionary: false, effectiveDiscretionary: false,
          liveTasks: Int64(number), synthetic: true))
      app.emit(AppIntentBound(intent: key, task: task, key: "uid"))
      app.emit(TaskResumed(task: task, by: .app))
    }

    func begin(_ daemon: some EventSink) {
      device.at(.milliseconds(12_000 + 500 * Int64(number)))
      daemon.emit(AttemptStarted(task: task, attempt: 1, scheme: "https", host: "photos.example.com", offset: 0))
      daemon.emit(
        AttemptConnectionAcquired(
          task: task, attempt: 1, transaction: 1, connection: CorrelationID(0xC0 + number), reused: false,
          protocol: "http/1.1", host: "photos.example.com"))
      daemon.emit(AttemptRequestSent(task: task, attempt: 1, transaction: 1, method: "GET"))
      device.at(.milliseconds(12_200 + 500 * Int64(number)))
      daemon.emit(
        AttemptResponseReceived(
          task: task, attempt: 1, transaction: 1, status: 200, expected: size, contentType: "image/heic",
          host: "photos.example.com"))
      daemon.emit(AttemptBytesReceived(task: task, attempt: 1, received: 16_384, expected: size))
    }

    func finish(_ daemon: some EventSink) {
      device.at(.milliseconds(40_000 + 100 * Int64(number)))
      daemon.emit(AttemptBytesReceived(task: task, attempt: 1, received: size, expected: size))
      daemon.emit(AttemptEnded(task: task, attempt: 1, end: .finished, received: size))
      daemon.emit(TaskTransferred(task: task, received: size, sent: 0, status: 200))
    }

    func deliver(to app: some EventSink, from daemon: some EventSink) {
      device.at(.milliseconds(41_400 + 100 * Int64(number)))
      app.emit(TaskAdopted(task: task))
      let file = DeliveryID(0x10 * number + 1)
      daemon.emit(DeliverySent(task: task, delivery: file, callback: .didFinishDownloading))
      daemon.emit(FileOffered(task: task, delivery: file, inode: Int64(7000 + number), size: size, exists: true))
      pass(file, .didFinishDownloading, to: app) {
        app.emit(FileClaimed(task: task, delivery: file, operation: .move, inCallback: true, size: size))
      }
      let end = DeliveryID(0x10 * number + 2)
      daemon.emit(DeliverySent(task: task, delivery: end, callback: .didComplete))
      pass(end, .didComplete, to: app) { app.emit(AppOutcomeRecorded(intent: key, task: task, outcome: .success)) }
      app.emit(TaskCompleted(task: task, delivery: end, received: size, sent: 0, status: 200))
      device.at(.milliseconds(41_410 + 100 * Int64(number)))
      daemon.emit(TaskAcknowledged(task: task, delivery: end))
      daemon.emit(TaskForgotten(task: task, forgotten: .acknowledged))
    }

    private func pass(_ delivery: DeliveryID, _ callback: Callback, to app: some EventSink, _ code: () -> Void) {
      app.emit(DeliveryReceived(task: task, delivery: delivery, callback: callback))
      app.emit(DeliveryEntered(task: task, delivery: delivery, callback: callback, queue: "main", onMainThread: true))
      code()
      app.emit(DeliveryLeft(task: task, delivery: delivery, callback: callback))
    }
  }
}
