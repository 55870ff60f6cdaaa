import CXferPlatform
import Foundation

/// Calculates how many transfers can run at a time without exhausting the process's file descriptors.
struct DescriptorBudget {
  /// The descriptors of one transfer: two sockets while connecting, the resolver's pair, the file and its sidecar.
  private static let perTransfer = 6
  /// The descriptors reserved for the log, the sessions and the runtime.
  private static let reserve = 16

  /// The process's soft limit on descriptors.
  let limit: Int
  /// The number of descriptors currently open.
  let used: Int

  /// The descriptor budget of the current process.
  static var current: DescriptorBudget {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")
    return DescriptorBudget(limit: Int(clamping: xp_descriptor_limit()), used: names?.count ?? 16)
  }

  /// - Parameters:
  ///   - wanted: The desired number of transfers, at least 1.
  ///   - sessions: The number of sessions. Each keeps an idle connection per simultaneous transfer, and a few descriptors.
  /// - Returns: A number from 1 to `wanted`.
  func transfers(wanted: Int, sessions: Int) -> Int {
    let sessions = max(1, sessions)
    let left = limit - used - Self.reserve - 4 * min(sessions, limit)
    return max(1, min(wanted, left / (Self.perTransfer + min(sessions, limit) - 1)))
  }
}
