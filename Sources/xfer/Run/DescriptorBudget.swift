import CXferPlatform
import Foundation

/// How many transfers may run at a time so that the process never runs out of descriptors.
struct DescriptorBudget {
  /// Descriptors of one transfer: two sockets while addresses are tried, the resolver's pair, the file, its sidecar.
  private static let perTransfer = 6
  /// Descriptors that the log, the sessions and the runtime may still open.
  private static let reserve = 16

  /// The soft limit of the process.
  let limit: Int
  /// Open now.
  let used: Int

  /// As it is for this process.
  static var current: DescriptorBudget {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
    return DescriptorBudget(limit: Int(clamping: xp_descriptor_limit()), used: names?.count ?? 16)
  }

  /// - Parameters:
  ///   - wanted: at least 1.
  ///   - sessions: each keeps an idle connection for every transfer that may run, and some descriptors of its own.
  /// - Returns: from 1 to what is wanted.
  func transfers(wanted: Int, sessions: Int) -> Int {
    let sessions = max(1, sessions)
    let left = limit - used - Self.reserve - 4 * min(sessions, limit)
    return max(1, min(wanted, left / (Self.perTransfer + min(sessions, limit) - 1)))
  }
}
