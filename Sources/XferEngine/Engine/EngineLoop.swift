internal import CCurl
internal import CCurlShims
internal import XferEvents

/// The event loop that drives all transfers of one session on libcurl's multi interface. Used on the engine thread only.
final class EngineLoop {
  let context: SessionContext
  /// The value of `TransferClock.monotonic` at the start of the loop's current iteration.
  private(set) var now: Int64
  var connections = ConnectionLedger()
  /// The authorization to send to each origin. Removed when the origin rejects it.
  var authorizations: [URLFacts.Origin: Authorization] = [:]
  /// The app's decisions about server trust and client certificates.
  var peers = PeerDecisions()
  var coalesced = CoalescedTransfers()
  /// Transfers that have a connection but whose request is not known to be sent.
  var awaitingSend: [Transfer] = []

  var transfers: [UInt32: Transfer] = [:]
  var slots: HostSlots<UInt32>
  var deadlines = Deadlines<UInt32>()
  let multi: UnsafeMutableRawPointer
  private var idleHandles: [EasyHandle] = []
  private var idleBuffers: [WriteBuffer] = []
  private var isStopping = false
  /// The network path that was logged last. `nil` before the first.
  var loggedPath: TransferSession.NetworkPath?
  private var pathObservation: NetworkPathObservation?
  private var jumpObservation: NetworkPathObservation?
  let synchroniser = FileSynchroniser()
  /// The number of transactions in flight whose connection may be multiplexed.
  var sharing = 0

  init(_ context: SessionContext) {
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl cannot allocate memory") }
    self.context = context
    self.multi = multi
    now = context.clock.monotonic
    slots = HostSlots(
      perHost: context.configuration.httpMaximumConnectionsPerHost, total: context.configuration.maximumConnections)
    cc_multi_set_long(multi, CURLMOPT_MAXCONNECTS, context.configuration.maximumConnections)
    context.mailbox.open(multi)
    let mailbox = context.mailbox
    pathObservation = context.network.onChange { mailbox.post(.pathChanged) }
    jumpObservation = ClockJumps.onJump { mailbox.post(.clockJumped) }
    notePath()
  }

  /// Runs the loop until the session has stopped and its transfers have ended.
  func run() {
    while round() {
      var ready: Int32 = 0
      curl_multi_poll(multi, nil, 0, pollMilliseconds, &ready)
    }
    context.mailbox.close()
    idleHandles.removeAll()
    curl_multi_cleanup(multi)
  }

  /// Does all work that is possible without waiting, and delivers its callbacks to the app as one batch.
  ///
  /// - Returns: whether the loop continues.
  private func round() -> Bool {
    context.lane.hold()
    defer { context.lane.release() }
    now = context.clock.monotonic
    for command in context.mailbox.take() { handle(command) }
    if isStopping, transfers.isEmpty { return false }
    perform()
    endOverdue()
    return true
  }

  private func perform() {
    var running: Int32 = 0
    curl_multi_perform(multi, &running)
    awaitingSend.removeAll { transfer in
      transfer.noteRequestSent()
      return transfer.transaction.isRequestSent || transfer.easy == nil
    }
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      var owner: UnsafePointer<CChar>?
      cc_get_string(message.pointee.easy_handle, CURLINFO_PRIVATE, &owner)
      let result = cc_message_result(message)
      finishTransaction(Transfer.owner(.init(mutating: owner)), result)
    }
  }

  private func handle(_ command: EngineCommand) {
    switch command {
    case .resume(let task): resume(task)
    case .suspend(let task): suspend(task)
    case .cancel(let task, _): cancel(task)
    case .answer(let task, let answer): transfer(of: task).map { self.answer($0, answer) }
    case .drained(let task): transfer(of: task).map { unpause($0, .backPressure) }
    case .bodyReady(let task): transfer(of: task).map { unpause($0, .bodyStream) }
    case .resumable(let task): transfer(of: task)?.keepFile()
    case .prioritise(let task): prioritise(task)
    case .clockJumped: break
    case .pathChanged: notePath()
    case .stop: isStopping = true
    }
  }

  /// Returns the transfer of a task. `nil` also for a data task that became a download.
  func transfer(of task: TransferTask) -> Transfer? {
    transfers[task.identity.number].flatMap { $0.task === task ? $0 : nil }
  }

  // MARK: Reusable handles and buffers

  func takeHandle() -> EasyHandle {
    if let handle = idleHandles.popLast() { return handle }
    guard let handle = EasyHandle() else { preconditionFailure("libcurl cannot allocate memory") }
    return handle
  }

  func recycle(_ handle: EasyHandle) {
    if Self.reusesHandles, idleHandles.count < context.configuration.maximumConnections { idleHandles.append(handle) }
  }

  /// Whether easy handles are reused for other transactions. Requires libcurl 8.1.1.
  ///
  /// Older versions keep a pointer to a freed header of the last response and append to it when the next response begins with
  /// a folded line (curl issue 11101), so that a server could corrupt memory.
  private static let reusesHandles = cc_version() >= 0x08_01_01

  func takeBuffer() -> WriteBuffer { idleBuffers.popLast() ?? WriteBuffer() }

  func recycle(_ buffer: WriteBuffer) {
    if idleBuffers.count < context.configuration.httpMaximumConnectionsPerHost { idleBuffers.append(buffer) }
  }

  // MARK: Timeouts

  private var pollMilliseconds: Int32 {
    let longest: Int32 = sharing > 0 ? Self.sharingPoll : 3_600_000
    guard let next = deadlines.next else { return longest }
    // Rounded up, because waking before the deadline would cost an extra iteration of the loop.
    return min(
      longest, Int32(clamping: max(0, next.subtractingClamped(context.clock.monotonic).addingClamped(999_999) / 1_000_000)))
  }

  /// The poll interval while connections may be multiplexed, in milliseconds.
  ///
  /// libcurl 7.88 may leave received bytes of one stream unread until there is other activity on the connection.
  private static let sharingPoll: Int32 = 50

  /// Schedules a check of the transfer at its next deadline.
  func watch(_ transfer: Transfer) {
    guard let deadline = transfer.deadline, deadline < transfer.nextCheck ?? .max else { return }
    transfer.nextCheck = deadline
    deadlines.add(transfer.task.identity.number, at: deadline)
  }

  private func endOverdue() {
    while let number = deadlines.popDue(at: now) {
      guard let transfer = transfers[number] else { continue }
      transfer.nextCheck = nil
      guard let deadline = transfer.deadline else { continue }
      switch deadline <= now {
      case true where transfer.wakeTime.map { $0 <= now } ?? false: wake(transfer)
      case true: timeOut(transfer)
      case false: watch(transfer)
      }
    }
    deadlines.prune(live: transfers.count) { transfers[$0] != nil }
  }

  private func timeOut(_ transfer: Transfer) {
    let isResource = transfer.resourceDeadline.map { $0 <= now } ?? false
    let limit = isResource ? transfer.task.resourceTimeout : transfer.task.requestTimeout
    let problem =
      isResource
      ? "the resource timeout of \(limit ?? .zero) passed" : "no data was received or sent for \(limit ?? .zero)"
    let error = TransferError.timedOut(transfer.stage, problem)
    if isResource { return abort(transfer, error) }
    if case .waiting = transfer.place {
      return abort(transfer, .timedOut(.creation, "no connection slot became free within \(limit ?? .zero)"))
    }
    transfer.next = nil
    transfer.ending = .failed(error)
    detach(transfer)
    conclude(transfer)
  }
}
