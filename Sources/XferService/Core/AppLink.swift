import XferEngine
import XferEvents

/// A process that the daemon launched.
struct Child: Sendable {
  let app: String
  /// The launch ID of the process in its log. `nil` until the process connects and reports it.
  var launch: LaunchID?
  /// Whether the process was launched in the background.
  let isUnattended: Bool
}

/// A connected app process.
struct AppLink: Sendable {
  let app: String
  let pid: Int32
  let launch: LaunchID?
  /// Whether the app has registered, so that it can receive wakes and other notices.
  var isRegistered = false
  /// The identifiers of the sessions that are open over this connection.
  var sessions: Set<String> = []
  var standing = ProcessStanding()
}

/// A request to open a session that another process of the same program has open.
struct WaitingOpen: Sendable {
  let link: LinkID
  let opened: OpenedSession
  /// The time at which the request is refused, in nanoseconds of the core's clock.
  let deadline: Int64
}

/// The app state of a process and its use of background time.
struct ProcessStanding: Sendable {
  /// The last reported app state. `nil` for a program that does not report foreground and background transitions.
  var state: AppState?
  /// Whether the daemon may suspend the process, and kill it when its background time expires.
  var isSuspendable = false
  /// The names of the background assertions in effect, by assertion ID.
  var assertions: [UInt64: String] = [:]
  /// The time at which the process entered the background, in nanoseconds of the core's clock.
  var backgroundSince: Int64 = 0
  /// The time at which the process was notified that its background assertions expired. `nil` when no notice was sent.
  var expired: Int64?
  /// The time at which the process was asked to terminate. `nil` when no request was sent.
  var dismissed: Int64?

  var isSuspended: Bool { state == .suspended }
  /// Whether the process runs and was not asked to terminate.
  var takesCallbacks: Bool { !isSuspended && dismissed == nil }
  var isInFront: Bool { state == nil || state == .foreground }

  /// The next action for a background process and its due time, in nanoseconds of the core's clock.
  enum Next: Equatable {
    case nothing
    case expireAssertions(at: Int64)
    case kill(at: Int64)
    case suspend(at: Int64)
  }

  /// The background time that assertions grant, in nanoseconds. The limits here resemble those of iOS.
  static let assertionBudget: Int64 = 30_000_000_000
  static let expirationGrace: Int64 = 5_000_000_000
  static let suspensionGrace: Int64 = 5_000_000_000

  /// Returns the next action for this process.
  ///
  /// - Parameter isWoken: Whether the process is handling a wake and must not be suspended.
  func next(isWoken: Bool) -> Next {
    if let dismissed { return .kill(at: dismissed + Self.expirationGrace) }
    guard isSuspendable, state == .background else { return .nothing }
    if !assertions.isEmpty {
      if let expired { return .kill(at: expired + Self.expirationGrace) }
      return .expireAssertions(at: backgroundSince + Self.assertionBudget)
    }
    return isWoken ? .nothing : .suspend(at: backgroundSince + Self.suspensionGrace)
  }
}
