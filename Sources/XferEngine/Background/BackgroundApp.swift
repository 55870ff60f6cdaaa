internal import CXferPlatform
internal import Dispatch
internal import Synchronization
public import XferEvents

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

/// An app that the daemon may launch when something waits for one of its background sessions: what the app delegate is beside URLSession.
///
/// A program starts it first thing, with the same call in each of its lives.
public enum BackgroundApp {
  /// What `application(_:handleEventsForBackgroundURLSession:completionHandler:)` gets.
  ///
  /// Make the session of this identifier, if it is not there; take its events; when they have been finished, call the completion handler
  /// once, on the main thread.
  public typealias EventHandler =
    @Sendable (_ identifier: String, _ completionHandler: @escaping @Sendable () -> Void) -> Void

  /// Registers this program as the one to launch, and waits for what the daemon has for it.
  ///
  /// - Parameters:
  ///   - sink: gets what is said of wakes.
  ///   - arguments: of later lives, without the program's name.
  ///   - keptEnvironment: names of variables that later lives get as they are now; they get no others.
  ///   - callsOnMain: whether `handleEvents` is called on the main queue, which somebody has to drain, as `run` does.
  public static func start(
    sink: any EventSink, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
    keptEnvironment: Set<String> = Self.keptEnvironment, callsOnMain: Bool = true, handleEvents: @escaping EventHandler
  ) {
    let environment = ProcessInfo.processInfo.environment.filter { keptEnvironment.contains($0.key) }
    let queue = callsOnMain ? DispatchQueue.main : DispatchQueue(label: "xfer.wakes")
    let link = BackgroundLink.process
    link.register(
      Program(executable: BackgroundLink.executablePath, arguments: arguments, environment: environment),
      sink: sink, wakes: Wakes(queue: queue, link: link, sink: sink, handleEvents: handleEvents))
  }

  /// What a program needs to find its things again.
  public static let keptEnvironment: Set<String> = [
    "HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XFERD", "XFERD_DIR", "XFERLOG_DIR",
  ]

  /// Drains the main queue for ever, on the main thread: call it there.
  public static func run() -> Never { MainLoop.run() }

  /// Why this process runs, for the log's configuration.
  public static var startReason: StartReason { isWoken ? .transfer : .user }

  /// Whether the daemon has launched this process because something waits.
  public static var isWoken: Bool { ProcessInfo.processInfo.environment["XFERD_WAKE"] != nil }

  /// The app is in front, or no more: what the daemon launches in between comes later and later.
  public static func noteForeground(_ isForeground: Bool, sink: any EventSink) {
    sink.emit(ProcessStateChanged(launch: sink.processLaunch, state: isForeground ? .foreground : .background))
    BackgroundLink.process.note(isForeground ? .foreground : .background)
  }
}

/// Hands wakes to the app.
private struct Wakes: WakeReceiver {
  let queue: DispatchQueue
  let link: BackgroundLink
  let sink: any EventSink
  let handleEvents: BackgroundApp.EventHandler

  func wake(session: String, handler: HandlerID) {
    queue.async {
      sink.emit(WakeDelivered(session: session, handler: handler))
      var completion = WakeCompletion(session, handler, sink: sink, link: link)
      do {
        let completion = completion
        handleEvents(session) { completion.call() }
      }
      // The closure is gone unless the app keeps it.
      let isKept = !isKnownUniquelyReferenced(&completion)
      if isKept, !completion.isCalled { sink.emit(WakeHandlerStored(session: session, handler: handler)) }
    }
  }
}

/// A wake's completion handler, and what becomes of it.
private final class WakeCompletion: Sendable {
  private let session: String
  private let handler: HandlerID
  private let sink: any EventSink
  private let link: BackgroundLink
  private let calls = Mutex(0)

  init(_ session: String, _ handler: HandlerID, sink: any EventSink, link: BackgroundLink) {
    (self.session, self.handler, self.sink, self.link) = (session, handler, sink, link)
  }

  var isCalled: Bool { calls.withLock { $0 > 0 } }

  func call() {
    let isFirst = calls.withLock { calls in
      calls += 1
      return calls == 1
    }
    let isMain = xp_thread_id() == UInt32(getpid())
    sink.emit(
      WakeHandlerCalled(session: session, handler: handler, onMainThread: isMain, threadName: isMain ? "main" : nil))
    if isFirst { link.send(.handlerCalled(handler.rawValue)) }
  }

  deinit {
    if !isCalled { sink.emit(WakeHandlerReleased(session: session, handler: handler)) }
  }
}
