/// What a reader does where a log is not as it was written.
public enum RecoveryMode: String, CaseIterable, Sendable {
  /// Only a log that is whole is read: the first thing that is damaged, torn, missing or cut off is an error.
  case strict
  /// Torn ends are normal; damage is a gap, and reading goes on behind it.
  case tail
  /// Up to the first damage in the log's order, and nothing behind it; torn ends are normal.
  case prefix
  /// Everything that can be had, wherever in its file it stands.
  case salvage
}
