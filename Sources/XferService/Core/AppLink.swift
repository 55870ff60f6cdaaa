import XferEngine
import XferEvents

/// A process that the daemon has started.
struct Child: Sendable {
  let app: String
  /// How its log calls it, once it has said so.
  var launch: LaunchID?
  /// Whether it was started with nobody looking.
  let isUnattended: Bool
}

/// An app that is connected.
struct AppLink: Sendable {
  let app: String
  let pid: Int32
  let launch: LaunchID?
  /// Whether it can be told of wakes.
  var isRegistered = false
  /// Identifiers of the sessions that it has open.
  var sessions: Set<String> = []
  var standing = ProcessStanding()
}

/// A session that a process wants to open, while another process of its program has it.
struct WaitingOpen: Sendable {
  let link: LinkID
  let opened: OpenedSession
  /// Of the clock of the core.
  let deadline: Int64
}

/// Where a process is in its life, and what its time in the background is.
struct ProcessStanding: Sendable {
  /// `nil` for a program that nobody puts in front or away.
  var state: AppState?
  /// Whether it may be stopped, and ended when its time is over.
  var isSuspendable = false
  /// Background time that it has asked for and not given back.
  var assertions: [UInt64: String] = [:]
  /// Of the clock of the core: since when nobody looks.
  var backgroundSince: Int64 = 0
  /// When it was told that its background time is over.
  var expired: Int64?
  /// When it was told to end.
  var dismissed: Int64?

  var isSuspended: Bool { state == .suspended }
  var isInFront: Bool { state == nil || state == .foreground }

  /// What comes next for a process in the background, and when.
  enum Next: Equatable {
    case nothing
    case expireAssertions(at: Int64)
    case kill(at: Int64)
    case suspend(at: Int64)
  }

  /// Nanoseconds, as devices have them.
  static let assertionBudget: Int64 = 30_000_000_000
  static let expirationGrace: Int64 = 5_000_000_000
  static let suspensionGrace: Int64 = 5_000_000_000

  /// - Parameter isWoken: whether it is at work on events that it was woken for.
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
