public import XferEvents

/// The limits on how much of a log is kept. Every removal is recorded in the log.
///
/// Whole segments are removed, oldest first, and never while a process may write to them. A log can therefore exceed its
/// limits by the contents of one segment.
public struct Retention: Sendable, Equatable {
  /// The maximum total size of all segments in bytes; `nil` means unlimited.
  public var maximumBytes: Int?
  /// The maximum age of a segment's last event; `nil` means unlimited.
  public var maximumAge: Duration?
  /// The maximum age of events at or below a level, for levels that expire before their segment: for example, debug after
  /// one day and info after one week.
  ///
  /// Lifecycle events have the level `default` or above and are removed only with their segment.
  public var levels: [Level: Duration]

  public init(maximumBytes: Int? = nil, maximumAge: Duration? = nil, levels: [Level: Duration] = [:]) {
    self.maximumBytes = maximumBytes
    self.maximumAge = maximumAge
    self.levels = levels
  }

  /// The default limit of 1 GiB, which keeps an unattended log from filling the disk.
  public static let standard = Retention(maximumBytes: 1 << 30)
  /// No limits: nothing is removed.
  public static let everything = Retention()
}
