internal import CXferPlatform
internal import Dispatch
public import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The registration of a program with the daemon, which may launch the program when its background sessions have events.
///
/// Corresponds to the app delegate in URLSession's model. A program calls `start` first, with the same arguments in each
/// launch.
public enum BackgroundApp {
  /// A handler that corresponds to `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
  ///
  /// The handler creates the session with this identifier if the process does not have it. When the session's delegate has
  /// received all events, call the completion handler once, on the main thread.
  public typealias EventHandler =
    @Sendable (_ identifier: String, _ completionHandler: @escaping @Sendable () -> Void) -> Void

  /// Registers this program with the daemon as the program to launch, and starts receiving the daemon's notices.
  ///
  /// - Parameters:
  ///   - sink: The log for wakes and for changes of the app's state.
  ///   - arguments: The arguments of later launches, without the program's name.
  ///   - keptEnvironment: The names of the environment variables that later launches inherit with their present values. Later
  ///     launches get no other variables.
  ///   - callsOnMain: Whether `handleEvents` and the delegate are called on the main queue, which the program must drain, for
  ///     example with `run()`.
  ///   - isSuspendable: Whether the daemon may treat the process as iOS treats apps: suspend it in the background, grant it
  ///     background time, and terminate it when that time has expired.
  ///   - delegate: The receiver of changes of the app's state. Not retained.
  ///   - handleEvents: The handler that is called when a background session has events.
  public static func start(
    sink: any EventSink, arguments: [String] = Array(CommandLine.arguments.dropFirst()),
    keptEnvironment: Set<String> = Self.keptEnvironment, callsOnMain: Bool = true, isSuspendable: Bool = false,
    delegate: (any BackgroundAppDelegate)? = nil, handleEvents: @escaping EventHandler
  ) {
    let environment = ProcessInfo.processInfo.environment.withoutEmptyVariables.filter { keptEnvironment.contains($0.key) }
    let link = BackgroundLink.process
    let life = AppLife(
      queue: callsOnMain ? DispatchQueue.main : DispatchQueue(label: "xfer.app"), link: link, sink: sink, delegate: delegate,
      handleEvents: handleEvents)
    // A program that is neither launched in the background nor suspendable has no foreground or background state.
    let standing: AppStanding? = startsInBackground ? .background : isSuspendable ? .foreground : nil
    if isSuspendable, let standing {
      sink.emit(ProcessStateChanged(launch: sink.processLaunch, state: standing.state))
    }
    link.register(
      Program(executable: BackgroundLink.executablePath, arguments: arguments, environment: environment),
      isSuspendable: isSuspendable, as: standing, sink: sink, receiver: life)
  }

  /// Declares that this process is an extension of an app.
  ///
  /// The extension's background sessions reject tasks unless the configuration names a container that is shared with the app
  /// (`sharedContainerIdentifier`).
  public static func declareExtension() { BackgroundLink.process.noteExtension() }

  /// The default environment variables that later launches inherit: those that locate the program's files and the daemon.
  public static let keptEnvironment: Set<String> = [
    "HOME", "PATH", "TZ", "LANG", "LC_ALL", "TMPDIR", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XFERD", "XFERD_DIR", "XFERLOG_DIR",
  ]

  /// Drains the main queue and never returns. Must be called on the main thread.
  public static func run() -> Never { MainLoop.run() }

  /// The reason why this process was started, for the log's configuration.
  public static var startReason: StartReason { launchNote.loggedReason }

  /// Whether the daemon launched this process because one of its background sessions has events.
  public static var isWoken: Bool { launchNote.session != nil }

  /// Whether the daemon launched this process in the background.
  public static var startsInBackground: Bool { launchNote.isBackground }

  /// The device's wall-clock time, in seconds since 1970. `xfer conditions` can set this clock ahead of the machine's.
  public static var now: Double { Double(xp_clock_wall()) / 1e9 }

  private static let launchNote = LaunchNote(environment: ProcessInfo.processInfo.environment.withoutEmptyVariables)

  /// Reports to the daemon that the app entered the foreground or the background.
  ///
  /// The daemon delays each background launch of an app longer than the one before, until the app enters the foreground.
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
