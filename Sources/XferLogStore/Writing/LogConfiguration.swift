public import XferEvents

/// The settings with which a process writes its log.
public struct LogConfiguration: Sendable {
  public var role: WriterRole
  public var privacy: PrivacyPolicy
  /// The lowest level logged. Lifecycle events have the level default or above and are always logged.
  public var lowestLevel: Level
  public var process: ProcessIdentity
  public var startReason: StartReason
  /// Whether the process was launched in the background; `nil` if unknown.
  public var startsInBackground: Bool?
  /// The app's data directory, by which a later reader recognises stored absolute paths that have become invalid. `nil` if the app
  /// has none.
  public var container: String?
  /// Whether the app drains the main queue, so that callbacks can run on the main thread.
  public var hasMainThreadContract = false
  /// The writer's version as recorded in the log.
  public var version: String
  public var clock: LogClock
  /// The source of random numbers for launch identifiers and nonces.
  public var random: @Sendable () -> UInt64
  public var killHook: KillHook?
  /// The durability under power loss.
  public var durability: Durability
  /// The limits on the size and age of the log.
  public var retention: Retention
  /// Whether a background thread seals finished segments and applies retention, when the log is opened and after each
  /// segment. If `false`, this is left to `EventLog.maintain()` or to another writer of the log.
  public var maintains: Bool
  /// Whether to write every record with `pwrite`, as is done where disk space cannot be reserved.
  public var forcesAppending: Bool
  /// The age after which a lane moves to a new segment the next time it needs a chunk; `nil` means unlimited.
  public var maximumSegmentAge: Duration?
  /// A callback after the log has continued in a new segment, so that the app can repeat state that later readers need.
  ///
  /// Called on a thread that has just emitted an event, usually the first event of the new segment. Must not block.
  public var segmentBegun: (@Sendable () -> Void)?
  /// The settings of the flight recorder, which buffers task detail that the levels exclude; `nil` discards such detail.
  public var flightRecorder: FlightRecorder?
  /// Whether to mark the log as produced by a generator.
  public var isSynthetic: Bool
  /// The version of the operating system as recorded in the log; `nil` records none.
  public var osVersion: String? = LogConfiguration.systemVersion
  /// Whether the log is converted from logs of other programs. The account of the conversion gives the events their times and writers.
  var isConversion = false

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
