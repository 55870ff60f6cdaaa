public import XferEvents

/// How much of a log is kept. What goes leaves a record of itself in the log.
///
/// Whole segments go, oldest first, and only those that nobody writes to; so a log may be larger, and what is left of it
/// older, by what one segment holds.
public struct Retention: Sendable, Equatable {
  /// Bytes that the segments may take together; `nil`: any number.
  public var maximumBytes: Int?
  /// How old a segment's last event may be; `nil`: as old as you like.
  public var maximumAge: Duration?
  /// How old events of a level, and of those below it, may be where higher ones stay: a day of debug, a week of info.
  /// Lifecycle events are `default` or above, and go with their segment.
  public var levels: [Level: Duration]

  public init(maximumBytes: Int? = nil, maximumAge: Duration? = nil, levels: [Level: Duration] = [:]) {
    self.maximumBytes = maximumBytes
    self.maximumAge = maximumAge
    self.levels = levels
  }

  /// A gibibyte: a log that nobody looks after must not fill a disk.
  public static let standard = Retention(maximumBytes: 1 << 30)
  /// All of it, for ever.
  public static let everything = Retention()
}
