#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Kills the process at a given event, for tests. A tool that kills a process at a system call is not sufficient, because a
/// store into a mapped log is not a system call.
public struct KillHook: Sendable, Equatable {
  public let lane: UInt32
  public let sequence: UInt64
  public let afterCommit: Bool

  public init(lane: UInt32, sequence: UInt64, afterCommit: Bool) {
    self.lane = lane
    self.sequence = sequence
    self.afterCommit = afterCommit
  }

  /// Parses `lane:seq:before` or `lane:seq:after-commit`, the format of `XFERLOG_TEST_KILL`.
  public init?(_ text: String) {
    let parts = text.split(separator: ":")
    guard parts.count == 3, let lane = UInt32(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
    switch parts[2] {
    case "before": self.init(lane: lane, sequence: sequence, afterCommit: false)
    case "after-commit": self.init(lane: lane, sequence: sequence, afterCommit: true)
    default: return nil
    }
  }

  @inline(never)
  static func fire() {
    kill(getpid(), SIGKILL)
    // The signal may arrive a moment later, and no further code may run.
    while true { pause() }
  }
}
