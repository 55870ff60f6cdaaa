internal import CXferPlatform
internal import Dispatch
internal import Synchronization
internal import XferEvents

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

/// The process's connection to the daemon: made when it is first needed, and anew whenever it breaks.
final class BackgroundLink: Sendable {
  /// By the process's environment.
  static let process = BackgroundLink(
    ServiceLocation(environment: ProcessInfo.processInfo.environment, executable: executablePath))

  private let location: ServiceLocation
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    /// While the daemon has said that it talks to us.
    var channel: FrameChannel?
    var generation: UInt64 = 0
    var daemon: LaunchID?
    var sessions: [String: BackgroundCarrier] = [:]
    var app: (program: Program, isSuspendable: Bool, receiver: any AppReceiver)?
    var standing: AppStanding?
    var isExtension = false
    /// What a daemon that comes new has to hear of the app's life.
    var kept: [KeptReport: AppReport] = [:]
    /// Who logs what concerns no session.
    var sink: (any EventSink)?
    /// Sessions that are to be told when they have got all that waited, and by which daemon's generation.
    var draining: [String: UInt64] = [:]
    /// The directory that all files of deliveries are in.
    var spool = ""
    /// Tasks of sessions whose inventory has arrived in part, by session.
    var listed: [String: [KnownTask]] = [:]
    /// The reason that each session was last told why it has no connection. `""` stands for the app itself.
    var refusals: [String: String] = [:]
  }

  init(_ location: ServiceLocation) { self.location = location }

  static let executablePath: String = {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard xp_executable_path(&path, path.count) == 0 else { return CommandLine.arguments.first ?? "" }
    return String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  // MARK: Who uses it

  /// - Returns: `false` when a session of this identifier is there already.
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

  /// Until it is known which tasks the session has: a new one must not get the number of an old one, and what an app says that ends right
  /// after it has made its tasks has to be on its way. A daemon that does not come in this time is told later, if there is anybody left to
  /// tell it.
  private func waitForDaemon(_ carrier: BackgroundCarrier) {
    let semaphore = DispatchSemaphore(value: 0)
    carrier.whenConnected { _ in semaphore.signal() }
    _ = semaphore.wait(timeout: .now() + .seconds(Self.greatestWait))
  }

  private static let greatestWait = 10

  func leave(_ carrier: BackgroundCarrier) {
    state.withLock { state in
      if state.sessions[carrier.identifier] === carrier { state.sessions[carrier.identifier] = nil }
    }
  }

  /// Says what is to be launched, and takes what the daemon has for it.
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

  /// Says it now, and to each daemon that comes, as long as it is so.
  ///
  /// - Parameter report: `nil` when it is so no longer.
  func keep(_ report: AppReport?, as name: KeptReport) {
    state.withLock { state in
      state.kept[name] = report
      if let report { state.channel?.send(AppMessage.report(report)) }
    }
  }

  func noteExtension() { state.withLock { $0.isExtension = true } }

  /// Whether the process belongs to an app that is another program.
  var isExtension: Bool { state.withLock { $0.isExtension } }

  /// Where the app is, for the log of what it does. Asked for each task, of programs without background sessions, too: so it is no part of
  /// the link, which looks where the daemon is.
  static var origin: TaskOrigin {
    switch appStanding.withLock({ $0 }) {
    case .foreground: .foreground
    case .background: .background
    case nil: .unknown
    }
  }

  private static let appStanding = Mutex<AppStanding?>(nil)

  /// The app's log.
  var sink: (any EventSink)? { state.withLock { $0.app == nil ? nil : $0.sink } }

  /// Who hears of the app's life; `nil` when nobody has started it.
  var receiver: (any AppReceiver)? { state.withLock { $0.app?.receiver } }

  private func introduce(_ state: borrowing State, to channel: FrameChannel) {
    guard let app = state.app else { return }
    channel.send(AppMessage.register(app.program, isSuspendable: app.isSuspendable))
    if let standing = state.standing { channel.send(AppMessage.report(.entered(standing))) }
    for report in state.kept.sorted(by: { $0.key < $1.key }) { channel.send(AppMessage.report(report.value)) }
  }

  /// Nothing while there is no daemon: what counts is said again when there is one.
  ///
  /// - Parameter isFlushed: whether the daemon has the message when this returns, or does not take it in time. The app may end then.
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
    // The next session or call tries again.
    state.withLock { $0.isRunning = false }
    refused("the system has no thread for the connection to the daemon: raise the limit of processes (ulimit -u)")
  }

  /// Milliseconds between attempts to connect, at first and at most.
  private static let patience: ClosedRange<Int32> = 5...500

  private func run() {
    var pause = Self.patience.lowerBound
    var startsDaemon = true
    while true {
      switch location.connect(startingDaemon: startsDaemon) {
      case .connected(let descriptor):
        if let channel = FrameChannel(descriptor, BackgroundProtocol.appLimits, setAside: { self.setAside($0, $1) }) {
          if talk(channel) { pause = Self.patience.lowerBound }
        }
        startsDaemon = true
      case .absent:
        // One that was started needs a moment; starting more would not hasten it.
        startsDaemon = pause >= 40 && !startsDaemon
      case .untrusted(let reason): refused(reason)
      }
      poll(nil, 0, pause)
      pause = min(pause * 2, Self.patience.upperBound)
    }
  }

  /// - Returns: whether the daemon talked to us.
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
    // The daemon's limits and the app's are to run by one clock.
    _ = xp_clock_follow(location.clock, false)
    let sink = state.withLock { state in
      state.channel = channel
      (state.generation, state.daemon, state.spool) = (generation, daemon, spool)
      (state.listed, state.refusals) = ([:], [:])
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

  /// Fails the sessions: nothing can be sent until the cause is removed. Each session is told a reason once.
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

  /// A message that cannot be sent is logged. A task whose request could not be sent is cancelled, so that it does not wait for ever.
  private func setAside(_ message: FrameChannel.Message, _ problem: String) {
    state.withLock { $0.sink }?.emit(
      MessageError(
        subsystem: "xferlog", category: "link",
        eventMessage: "a message to the daemon was not sent, because \(problem, privacy: .public)"))
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
      // The daemon that was to say so has died, and had nothing left.
      if let promised, promised != generation, inventory.pending == 0 {
        take(.eventsFinished(session: inventory.identifier, handler: nil))
      }
    case .sessionRefused(let session, let reason): carrier(session)?.connectFailed(reason)
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
    case .answered: break
    }
  }

  private func carrier(_ identifier: String) -> BackgroundCarrier? { state.withLock { $0.sessions[identifier] } }
}

/// Who is told what the daemon has to say of the app's life.
protocol AppReceiver: Sendable {
  func take(_ notice: AppNotice)
}

/// What is said again to each daemon.
enum KeptReport: Hashable, Comparable {
  case assertion(UInt64)
  case deadMan(UInt64)
  case trigger(String)
}
