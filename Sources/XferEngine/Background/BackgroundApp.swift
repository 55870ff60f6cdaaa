internal import CXferPlatform
internal import Dispatch
public import XferEvents

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
  ///   - sink: gets what is said of wakes and of the app's life.
  ///   - arguments: of later lives, without the program's name.
  ///   - keptEnvironment: names of variables that later lives get as they are now; they get no others.
  ///   - callsOnMain: whether `handleEvents` and the delegate are called on the main queue, which somebody has to drain, as `run` does.
  ///   - isSuspendable: whether the daemon may treat the process as a device treats apps: stop it in the background, give it background
  ///     time, and end it when that is over.
  ///   - delegate: hears of the app's life; not retained.
  public static func start(
    sink: any EventSink, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
    keptEnvironment: Set<String> = Self.keptEnvironment, callsOnMain: Bool = true, isSuspendable: Bool = false,
    delegate: (any BackgroundAppDelegate)? = nil, handleEvents: @escaping EventHandler
  ) {
    let environment = ProcessInfo.processInfo.environment.filter { keptEnvironment.contains($0.key) }
    let link = BackgroundLink.process
    let life = AppLife(
      queue: callsOnMain ? DispatchQueue.main : DispatchQueue(label: "xfer.app"), link: link, sink: sink, delegate: delegate,
      handleEvents: handleEvents)
    // A program that nobody puts in front or away has no such states.
    let standing: AppStanding? = startsInBackground ? .background : isSuspendable ? .foreground : nil
    if isSuspendable, let standing {
      sink.emit(ProcessStateChanged(launch: sink.processLaunch, state: standing.state))
    }
    link.register(
      Program(executable: BackgroundLink.executablePath, arguments: arguments, environment: environment),
      isSuspendable: isSuspendable, as: standing, sink: sink, receiver: life)
  }

  /// Says that this process is an extension of an app. Its background sessions need a container that both share
  /// (`sharedContainerIdentifier`): without one their tasks are refused.
  public static func declareExtension() { BackgroundLink.process.noteExtension() }

  /// What a program needs to find its things again.
  public static let keptEnvironment: Set<String> = [
    "HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XFERD", "XFERD_DIR", "XFERLOG_DIR",
  ]

  /// Drains the main queue for ever, on the main thread: call it there.
  public static func run() -> Never { MainLoop.run() }

  /// Why this process runs, for the log's configuration.
  public static var startReason: StartReason { launchNote.startReason ?? (isWoken ? .transfer : .user) }

  /// Whether the daemon has launched this process because something waits.
  public static var isWoken: Bool { launchNote.session != nil }

  /// Whether this process was started with nobody looking.
  public static var startsInBackground: Bool { launchNote.isBackground }

  /// Seconds since 1970 by the device's clock, which whoever plays the device may have moved ahead of the machine's.
  public static var now: Double { Double(xp_clock_wall()) / 1e9 }

  private static let launchNote = LaunchNote(environment: ProcessInfo.processInfo.environment)

  /// The app is in front, or no more: what the daemon launches in between comes later and later.
  public static func noteForeground(_ isForeground: Bool, sink: any EventSink) {
    let standing: AppStanding = isForeground ? .foreground : .background
    sink.emit(ProcessStateChanged(launch: sink.processLaunch, state: standing.state))
    BackgroundLink.process.note(standing)
  }
}

extension AppStanding {
  var state: AppState {
    switch self {
    case .foreground: .foreground
    case .background: .background
    }
  }
}
