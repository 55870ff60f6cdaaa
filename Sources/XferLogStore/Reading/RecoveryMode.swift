/// The way in which a reader handles damage.
public enum RecoveryMode: String, CaseIterable, Sendable {
  /// Reject a log that is not intact. The first damaged, torn, missing or truncated part is an error.
  case strict
  /// Report damage as a gap and continue with the next intact record. A torn last record, which a killed writer leaves, does not
  /// count as damage.
  case tail
  /// Read up to the first damage in the log's order. A torn last record, which a killed writer leaves, does not count as damage.
  case prefix
  /// Like `tail`, but also find records whose file header or chunk header is lost.
  case salvage
}
