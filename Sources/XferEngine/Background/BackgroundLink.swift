internal import CXferPlatform
internal import Dispatch
internal import Synchronization
internal import XferEvents
internal import XferThreads

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The process's connection to the daemon. Opened on first use and reopened whenever it breaks.
final class BackgroundLink: Sendable {
  /// The link to the daemon that the process's environment names.
  static let process = BackgroundLink(
    ServiceLocation(environment: ProcessInfo.processInfo.environment.withoutEmptyVariables, executable: executablePath))

  private let location: ServiceLocation
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    /// The channel to the daemon. `nil` while the daemon has not accepted a connection.
    var channel: FrameChannel?
    /// The connected daemon's generation, which counts the daemon's starts.
    var generation: UInt64 = 0
    var daemon: LaunchID?
    var sessions: [String: BackgroundCarrier] = [:]
    var app: (program: Program, isSuspendable: Bool, receiver: any AppReceiver)?
    var standing: AppStanding?
    var isExtension = false
    /// Reports that are sent to each daemon that the process connects to.
    var kept: [KeptReport: AppReport] = [:]
    /// The log for events that belong to no session. `nil` in a process without such a log.
    var sink: (any EventSink)?
    /// The sessions with pending callbacks, each with the generation of the daemon that will report when all of the session's
    /// callbacks have been acknowledged.
    var draining: [String: UInt64] = [:]
    /// The absolute path of the daemon's directory of delivered files.
    var spool = ""
    /// The tasks received so far for sessions whose inventory is incomplete, by session identifier.
    var listed: [String: [KnownTask]] = [:]
    /// The last refusal reason reported to each session, by identifier. The key `""` stands for the app itself.
    var refusals: [String: String] = [:]
    /// The last logged reason why the daemon could not be started. `nil` when a daemon has accepted a connection since.
    var startFailure: String?
  }

  init(_ location: ServiceLocation) { self.location = location }

  static let executablePath: String = {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard xp_executable_path(&path, path.count) == 0 else { return CommandLine.arguments.first ?? "" }
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  // MARK: Sessions and the app

  /// Adds a background session and waits for the daemon to report its tasks.
  ///
  /// - Returns: `false` when the process already has a session with this identifier.
  func enter(_ carrier: BackgroundCarrier) -> Bool {
    let isNew = state.withLock { state in
      guard state.sessions[carrier.identifier] == nil else { return false }
      state.sessions[carrier.identifier] = carrier
      state.sink = state.sink ?? carrier.sink
      state.channel?.send(AppMessage.openSession(carrier.opened))
      return true
    }
    if isNew {
      startIfNeeded()
      waitForDaemon(carrier)
    }
    return isNew
  }

  /// Waits at most 10 seconds until the daemon has reported the session's tasks or refused the session.
  ///
  /// Without the wait, a new task could reuse the number of an existing task, and an app that exits right after creating its
  /// tasks could not send them. After the timeout, messages are sent once the daemon answers, if the process is still running.
  private func waitForDaemon(_ carrier: BackgroundCarrier) {
    let semaphore = DispatchSemaphore(value: 0)
    carrier.whenConnected { _ in semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + .seconds(Self.connectTimeoutSeconds))
  }

  private static let connectTimeoutSeconds = 10

  func leave(_ carrier: BackgroundCarrier) {
    state.withLock { state in
      if state.sessions[carrier.identifier] === carrier { state.sessions[carrier.identifier] = nil }
    }
  }

  /// Registers the program that the daemon may launch, and the receiver of the daemon's notices.
  func register(
    _ program: Program, isSuspendable: Bool, as standing: AppStanding?, sink: any EventSink, receiver: any AppReceiver
  ) {
    state.withLock { state in
      state.app = (program, isSuspendable, receiver)
      state.standing = standing
      Self.appStanding.withLock { $0 = standing }
      state.sink = sink
      if let channel = state.channel { introduce(state, to: channel) }
    }
    startIfNeeded()
  }

  func note(_ standing: AppStanding) {
    state.withLock { state in
      state.standing = standing
      Self.appStanding.withLock { $0 = standing }
      state.channel?.send(AppMessage.report(.entered(standing)))
    }
  }

  /// Sends a report now and to each daemon that the process connects to later, until the report is removed.
  ///
  /// - Parameter report: The report. `nil` removes the stored one.
  func keep(_ report: AppReport?, as name: KeptReport) {
    state.withLock { state in
      state.kept[name] = report
      if let report { state.channel?.send(AppMessage.report(report)) }
    }
  }

  func noteExtension() { state.withLock { $0.isExtension = true } }

  /// Whether the process is an extension of an app.
  var isExtension: Bool { state.withLock { $0.isExtension } }

  /// The app's state, foreground or background, that is logged when a task is created.
  ///
  /// Static, because every session reads the state for each task. Reading it from the link would create the link, and make
  /// programs without background sessions search for the daemon's program.
  static var origin: TaskOrigin {
    switch appStanding.withLock({ $0 }) {
    case .foreground: .foreground
    case .background: .background
    case nil: .unknown
    }
  }

  private static let appStanding = Mutex<AppStanding?>(nil)

  /// The app's log. `nil` until `BackgroundApp.start` was called.
  var sink: (any EventSink)? { state.withLock { $0.app == nil ? nil : $0.sink } }

  /// The receiver of the daemon's notices. `nil` until `BackgroundApp.start` was called.
  var receiver: (any AppReceiver)? { state.withLock { $0.app?.receiver } }

  /// Sends the app's registration, state and stored reports to a daemon that has just accepted the connection.
  private func introduce(_ state: borrowing State, to channel: FrameChannel) {
    guard let app = state.app else { return }
    channel.send(AppMessage.register(app.program, isSuspendable: app.isSuspendable))
    if let standing = state.standing { channel.send(AppMessage.report(.entered(standing))) }
    for report in state.kept.sorted(by: { $0.key < $1.key }) { channel.send(AppMessage.report(report.value)) }
  }

  /// Sends a message if the daemon is connected. Otherwise the message is dropped: reconnecting sends the sessions' state
  /// again.
  ///
  /// - Parameter isFlushed: Whether to wait at most 5 seconds until the message is written, so that it survives the app's exit.
  func send(_ message: AppMessage, isFlushed: Bool = false) {
    guard let channel = state.withLock({ $0.channel }) else { return }
    channel.send(message)
    if isFlushed { channel.flush(within: Self.flushLimit) }
  }

  private static let flushLimit: Duration = .seconds(5)

  // MARK: The connection

  private func startIfNeeded() {
    let mustStart = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustStart, !BackgroundThread.start({ self.run() }) else { return }
    // `isRunning` is reset, so that the next session or registration tries to start the thread again.
    state.withLock { $0.isRunning = false }
    refused("the system cannot start a thread for the connection to the daemon: raise the process limit (ulimit -u)")
  }

  /// The initial and the maximum pause between connection attempts, in milliseconds.
  private static let patience: ClosedRange<Int32> = 5...500

  private func run() {
    var pause = Self.patience.lowerBound
    var startsDaemon = true
    while true {
      switch location.connect(startingDaemon: startsDaemon, onFailure: { self.startFailed($0) }) {
      case .connected(let descriptor):
        if let channel = FrameChannel(descriptor, BackgroundProtocol.appLimits, onUnsendable: { self.reject($0, $1) }) {
          if talk(channel) { pause = Self.patience.lowerBound }
        }
        startsDaemon = true
      case .absent:
        // After an attempt that started a daemon, the next attempt starts none: the daemon may need time before it listens.
        startsDaemon = pause >= 40 && !startsDaemon
      case .untrusted(let reason): refused(reason)
      }
      poll(nil, 0, pause)
      pause = min(pause * 2, Self.patience.upperBound)
    }
  }

  /// Exchanges messages with the daemon until the connection ends.
  ///
  /// - Returns: Whether the daemon accepted the connection.
  private func talk(_ channel: FrameChannel) -> Bool {
    let launch = state.withLock { $0.sink?.processLaunch }
    channel.send(AppMessage.hello(Hello(launch: launch.map { "\($0)" } ?? "")))
    var isWelcome = false
    _ = channel.run { frame, _ in
      guard let message = try? JSONDecoder().decode(DaemonMessage.self, from: frame) else { return false }
      if case .welcome(let generation, let launch, let spool) = message {
        isWelcome = true
        welcome(channel, generation, LaunchID(launch), spool: spool)
      } else if case .refused(let reason) = message {
        refused(reason)
        return false
      } else {
        take(message)
      }
      return true
    }
    if isWelcome { lost() }
    return isWelcome
  }

  private func welcome(_ channel: FrameChannel, _ generation: UInt64, _ daemon: LaunchID?, spool: String) {
    // Timeouts in the daemon and in the app use the same clock.
    _ = xp_clock_follow(location.clock, false)
    let sink = state.withLock { state in
      state.channel = channel
      (state.generation, state.daemon, state.spool) = (generation, daemon, spool)
      (state.listed, state.refusals, state.startFailure) = ([:], [:], nil)
      introduce(state, to: channel)
      for carrier in state.sessions.values.sorted(by: { $0.identifier < $1.identifier }) {
        channel.send(AppMessage.openSession(carrier.opened))
      }
      return state.sink
    }
    sink?.emit(LinkConnected(peer: daemon, generation: Int64(bitPattern: generation)))
  }

  private func lost() {
    let (sink, generation, daemon) = state.withLock { state in
      state.channel = nil
      return (state.sink, state.generation, state.daemon)
    }
    sink?.emit(LinkDisconnected(peer: daemon, generation: Int64(bitPattern: generation), reason: "closed"))
  }

  /// Logs why the daemon cannot be started, once for each reason. The sessions wait, because somebody else may start the daemon.
  private func startFailed(_ reason: String) {
    let sink = state.withLock { state -> (any EventSink)? in
      guard let sink = state.sink, state.startFailure != reason else { return nil }
      state.startFailure = reason
      return sink
    }
    sink?.emit(
      MessageError(
        subsystem: "xferlog", category: "link", eventMessage: "the daemon cannot be started: \(reason, privacy: .public)"))
  }

  /// Fails the sessions because the daemon cannot be used, for example because it has another version. Reports each reason once
  /// per session.
  private func refused(_ reason: String) {
    let (carriers, sink) = state.withLock { state in
      let carriers = state.sessions.values.filter { state.refusals[$0.identifier] != reason }
      for carrier in carriers { state.refusals[carrier.identifier] = reason }
      let isNews = state.refusals.updateValue(reason, forKey: "") != reason
      return (carriers, isNews ? state.sink : nil)
    }
    sink?.emit(MessageError(subsystem: "xferlog", category: "link", eventMessage: "\(reason, privacy: .public)"))
    for carrier in carriers.sorted(by: { $0.identifier < $1.identifier }) { carrier.connectFailed(reason) }
  }

  /// Logs a message that cannot be sent, and ends the task that the message belongs to, so that the task does not wait forever.
  private func reject(_ message: FrameChannel.Message, _ problem: String) {
    state.withLock { $0.sink }?.emit(
      MessageError(
        subsystem: "xferlog", category: "link",
        eventMessage: "a message to the daemon was not sent: \(problem, privacy: .public)"))
    switch message as? AppMessage {
    case .createTask(let new): carrier(new.session)?.fail(new, problem)
    case .delayAnswered(let answer): send(.cancel(answer.task, forResumeData: false))
    default: break
    }
  }

  private func take(_ message: DaemonMessage) {
    switch message {
    case .welcome, .refused: break
    case .sessionTasks(let session, let tasks): state.withLock { $0.listed[session, default: []] += tasks }
    case .sessionOpened(var inventory):
      let (generation, promised) = state.withLock { state in
        inventory.tasks = (state.listed.removeValue(forKey: inventory.identifier) ?? []) + inventory.tasks
        let promised = state.draining[inventory.identifier]
        state.draining[inventory.identifier] = inventory.pending > 0 ? state.generation : promised
        return (state.generation, promised)
      }
      carrier(inventory.identifier)?.opened(inventory, generation: generation)
      // The daemon that was to send `eventsFinished` has exited. Its successor has no pending callbacks and will not send it.
      if let promised, promised != generation, inventory.pending == 0 {
        take(.eventsFinished(session: inventory.identifier, handler: nil))
      }
    case .sessionRefused(let session, let reason, let holder):
      carrier(session)?.connectFailed(reason, holder: holder.flatMap(LaunchID.init))
    case .deliver(let delivery): carrier(delivery.session)?.take(delivery, spool: state.withLock { $0.spool })
    case .progress(let progress): carrier(progress.session)?.take(progress)
    case .eventsFinished(let session, let handler):
      state.withLock { $0.draining[session] = nil }
      carrier(session)?.eventsFinished(handler)
    case .notice(let notice):
      if case .wake(let session, _) = notice { state.withLock { $0.draining[session] = $0.generation } }
      receiver?.take(notice)
    case .challenge(let challenge): carrier(challenge.session)?.take(challenge)
    case .mayBegin(let session, let task, let number): carrier(session)?.mayBegin(task, number)
    case .clockMoved: ClockJumps.announce()
    case .answered: break
    }
  }

  private func carrier(_ identifier: String) -> BackgroundCarrier? { state.withLock { $0.sessions[identifier] } }
}

/// A receiver of the daemon's notices about the app's life cycle.
protocol AppReceiver: Sendable {
  func take(_ notice: AppNotice)
}

/// The key of a report that is sent again to each daemon that the process connects to.
enum KeptReport: Hashable, Comparable {
  case assertion(UInt64)
  case deadMan(UInt64)
  case trigger(String)
}
