internal import CCurl
internal import CCurlShims
internal import XferEvents

/// Drives all transfers of one session on libcurl's multi interface. Lives on the engine's thread alone.
final class EngineLoop {
  let context: SessionContext
  /// `TransferClock.monotonic`, read once for each round.
  private(set) var now: Int64
  var connections = ConnectionLedger()
  /// What origins were given and did not refuse.
  var authorizations: [URLFacts.Origin: Authorization] = [:]
  /// What the app has said of servers and their certificates.
  var peers = PeerDecisions()
  var coalesced = CoalescedTransfers()
  /// Transfers that have a connection and whose request was not seen to go out.
  var awaitingSend: [Transfer] = []

  var transfers: [UInt32: Transfer] = [:]
  var slots: HostSlots<UInt32>
  var deadlines = Deadlines<UInt32>()
  let multi: UnsafeMutableRawPointer
  private var idleHandles: [EasyHandle] = []
  private var idleBuffers: [WriteBuffer] = []
  private var isStopping = false
  /// What the log was last told of the path.
  var saidPath: TransferSession.NetworkPath?
  private var pathObservation: NetworkPathObservation?
  let synchroniser = FileSynchroniser()
  /// Transfers under way that may share a connection.
  var sharing = 0

  init(_ context: SessionContext) {
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory") }
    self.context = context
    self.multi = multi
    now = context.clock.monotonic
    slots = HostSlots(
      perHost: context.configuration.httpMaximumConnectionsPerHost, total: context.configuration.maximumConnections)
    cc_multi_set_long(multi, CURLMOPT_MAXCONNECTS, context.configuration.maximumConnections)
    context.mailbox.open(multi)
    let mailbox = context.mailbox
    pathObservation = context.network.onChange { mailbox.post(.pathChanged) }
    notePath()
  }

  /// Returns when the session has stopped and its transfers have ended.
  func run() {
    while round() {
      var ready: Int32 = 0
      curl_multi_poll(multi, nil, 0, pollMilliseconds, &ready)
    }
    context.mailbox.close()
    idleHandles.removeAll()
    curl_multi_cleanup(multi)
  }

  /// Does what can be done without waiting; its callbacks go to the app together.
  ///
  /// - Returns: whether there will be more to do.
  private func round() -> Bool {
    context.lane.hold()
    defer { context.lane.release() }
    now = context.clock.monotonic
    for command in context.mailbox.take() { obey(command) }
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

  private func obey(_ command: EngineCommand) {
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

  /// `nil` also for a task that has given its transfer to another.
  func transfer(of task: TransferTask) -> Transfer? {
    transfers[task.identity.number].flatMap { $0.task === task ? $0 : nil }
  }

  // MARK: What is used again

  func takeHandle() -> EasyHandle {
    if let handle = idleHandles.popLast() { return handle }
    guard let handle = EasyHandle() else { preconditionFailure("libcurl has no memory") }
    return handle
  }

  func giveBack(_ handle: EasyHandle) {
    if Self.reusesHandles, idleHandles.count < context.configuration.maximumConnections { idleHandles.append(handle) }
  }

  /// Before 8.1.1 a handle keeps a pointer to a header of its last response, which is freed, and adds to that when the next response
  /// begins with a folded line (curl's issue 11101): a server could write into memory that is ours.
  private static let reusesHandles = cc_version() >= 0x08_01_01

  func takeBuffer() -> WriteBuffer { idleBuffers.popLast() ?? WriteBuffer() }

  func giveBack(_ buffer: WriteBuffer) {
    if idleBuffers.count < context.configuration.httpMaximumConnectionsPerHost { idleBuffers.append(buffer) }
  }

  // MARK: Time limits

  private var pollMilliseconds: Int32 {
    let longest: Int32 = sharing > 0 ? Self.sharingPoll : 3_600_000
    guard let next = deadlines.next else { return longest }
    // Rounded up: a limit that is looked at too early only costs another round.
    return min(
      longest, Int32(clamping: max(0, next.subtractingClamped(context.clock.monotonic).addingClamped(999_999) / 1_000_000)))
  }

  /// libcurl 7.88 may leave bytes of one stream unread until something else happens to their connection: so it is asked now and then,
  /// in milliseconds.
  private static let sharingPoll: Int32 = 50

  /// Sees to it that the transfer is looked at when its limits pass.
  func watch(_ transfer: Transfer) {
    guard let deadline = transfer.deadline, deadline < transfer.nextLook ?? .max else { return }
    transfer.nextLook = deadline
    deadlines.add(transfer.task.identity.number, at: deadline)
  }

  private func endOverdue() {
    while let number = deadlines.popDue(at: now) {
      guard let transfer = transfers[number] else { continue }
      transfer.nextLook = nil
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
      ? "the resource was not there within \(limit ?? .zero)" : "the other end was silent for \(limit ?? .zero)"
    let error = TransferError.timedOut(transfer.stage, problem)
    if isResource { return abort(transfer, error) }
    if case .waiting = transfer.place {
      return abort(transfer, .timedOut(.creation, "it waited for its turn for all of \(limit ?? .zero)"))
    }
    transfer.next = nil
    transfer.ending = .failed(error)
    detach(transfer)
    conclude(transfer)
  }
}
