public import XferEvents

/// How a process writes its log.
public struct LogConfiguration: Sendable {
  public var role: WriterRole
  public var privacy: PrivacyPolicy
  /// The lowest level written; lifecycle events are default or above and always written.
  public var lowestLevel: Level
  public var process: ProcessIdentity
  public var startReason: StartReason
  /// Whether the process was started without anybody looking at it; `nil` when nobody can tell.
  public var startsInBackground: Bool?
  /// Whether somebody drains the main queue, so that what has to be called on the main thread can be.
  public var hasMainThreadContract = false
  /// The version that the log names as its writer's.
  public var version: String
  public var clock: LogClock
  /// Draws launch ids and nonces.
  public var random: @Sendable () -> UInt64
  public var killHook: KillHook?
  /// What a power cut may take.
  public var durability: Durability
  /// How much of the log is kept.
  public var retention: Retention
  /// Whether a thread of the log's own seals segments that nobody writes to any more and removes what is not to be kept, when the
  /// log is opened and after each segment; otherwise `EventLog.maintain()` does, or another writer of the log.
  public var maintains: Bool
  /// Writes every record with `pwrite`, as it is done where space cannot be reserved.
  public var forcesAppending: Bool
  /// A segment that is older is left at the next chunk that is needed, however much room it has; `nil` for no limit.
  public var maximumSegmentAge: Duration?
  /// Called when the log has gone on in another segment, behind the first event there and on that event's thread; it must not wait. What
  /// a log without its beginning has to tell can be said again then.
  public var segmentBegun: (@Sendable () -> Void)?
  /// What becomes of detail about tasks that the log's levels leave out; `nil` leaves it out.
  public var flightRecorder: FlightRecorder?
  /// Marks the log as made by a generator.
  public var isSynthetic: Bool

  public init(
    role: WriterRole, privacy: PrivacyPolicy, lowestLevel: Level = .default, process: ProcessIdentity = .current(),
    startReason: StartReason = .unknown, version: String = LogConfiguration.libraryVersion, clock: LogClock = .system,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }, killHook: KillHook? = nil,
    durability: Durability = .process, retention: Retention = .standard, maintains: Bool = true, forcesAppending: Bool = false,
    maximumSegmentAge: Duration? = nil, flightRecorder: FlightRecorder? = nil, isSynthetic: Bool = false
  ) {
    self.role = role
    self.privacy = privacy
    self.lowestLevel = lowestLevel
    self.process = process
    self.startReason = startReason
    self.version = version
    self.clock = clock
    self.random = random
    self.killHook = killHook
    self.durability = durability
    self.retention = retention
    self.maintains = maintains
    self.forcesAppending = forcesAppending
    self.maximumSegmentAge = maximumSegmentAge
    self.flightRecorder = flightRecorder
    self.isSynthetic = isSynthetic
  }

  public static let libraryVersion = "0.1.0"
}
