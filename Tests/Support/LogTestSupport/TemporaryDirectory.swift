import Foundation

/// A directory of one test's own, removed with it.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "xferlog-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  package func path(_ name: String) -> String { path + "/" + name }

  /// - Returns: the file's path.
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Whether the long runs were asked for: the sizes of a campaign instead of those for every change.
package var isCampaign: Bool { ProcessInfo.processInfo.environment["XFERLOG_CAMPAIGN"] != nil }

/// A seed for each trial of a property, fewer in a run for every change.
///
/// `XFERLOG_SEED` runs one alone: a failing seed is the whole bug report.
package func seeds(_ count: Int, campaign: Int) -> [UInt64] {
  if let given = ProcessInfo.processInfo.environment["XFERLOG_SEED"].flatMap(UInt64.init) { return [given] }
  return (0..<UInt64(isCampaign ? campaign : count)).map { $0 }
}
