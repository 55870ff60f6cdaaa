/// The part of an event that lifecycles keep: its kind, its times, and its position in the log. A fact has 48 bytes and no
/// references.
public struct Fact: Hashable, Sendable {
  public let kind: EventKind
  /// The place of the log among those that are read together; see `EventReference`.
  @usableFromInline let log: UInt16
  /// The number of the segment or file; see `EventReference`.
  @usableFromInline let source: UInt32
  @usableFromInline let lane: UInt32
  /// The mark of the boot whose clocks the fact's monotonic time and time since boot belong to; see `BootID.mark`.
  @usableFromInline package let boot: UInt32
  @usableFromInline let position: UInt64
  // A fact is made of every event, and rules read the times very often, so these properties can be inlined.
  @usableFromInline let monotonicTime: Int64
  @usableFromInline let boottimeTime: Int64
  @usableFromInline let wallTime: Int64

  @inlinable static var unknownTime: Int64 { .min }
  private static let lineMark = UInt32.max

  @inlinable public var monotonic: Int64? { monotonicTime == Self.unknownTime ? nil : monotonicTime }
  public var boottime: Int64? { boottimeTime == Self.unknownTime ? nil : boottimeTime }
  @inlinable public var wall: WallTime? { wallTime == Self.unknownTime ? nil : WallTime(nanoseconds: wallTime) }
  public var moment: Moment { Moment(monotonic: monotonic, boottime: boottime, wall: wall) }

  public var reference: EventReference {
    lane == Self.lineMark
      ? .line(file: source, line: position) : .record(segment: source, lane: lane, sequence: position, log: log)
  }

  @inlinable package init(
    kind: EventKind, log: UInt16, source: UInt32, lane: UInt32, boot: UInt32, position: UInt64, monotonic: Int64,
    boottime: Int64, wall: Int64
  ) {
    self.kind = kind
    self.log = log
    self.source = source
    self.lane = lane
    self.boot = boot
    self.position = position
    monotonicTime = monotonic
    boottimeTime = boottime
    wallTime = wall
  }

  /// Whether the monotonic times of both facts, and their times since boot, are readings of the same clock.
  @inlinable package func sharesClock(with other: Fact) -> Bool { boot == other.boot }

  /// Returns the time from this fact to a later one, by the monotonic clock if both facts have it in the same boot, else by the wall
  /// clock; `nil` if neither clock is known for both.
  public func duration(to later: Fact) -> Duration? {
    if sharesClock(with: later), let start = monotonic, let end = later.monotonic {
      return .nanoseconds(end.subtractingClamped(start))
    }
    if let start = wall, let end = later.wall { return .nanoseconds(end.nanoseconds.subtractingClamped(start.nanoseconds)) }
    return nil
  }

  /// Whether this fact is older than another one, by the clocks of `duration(to:)`; `nil` if that is unknown.
  @inlinable package func isBefore(_ other: Fact) -> Bool? {
    if sharesClock(with: other), monotonicTime != Self.unknownTime, other.monotonicTime != Self.unknownTime {
      return monotonicTime < other.monotonicTime
    }
    return wallTime == Self.unknownTime || other.wallTime == Self.unknownTime ? nil : wallTime < other.wallTime
  }
}
