import Foundation
import XferEvents

/// A temporary directory that is removed when the test releases this object.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "xferlog-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  package func path(_ name: String) -> String { path + "/" + name }

  /// - Returns: The path of the file.
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Returns the value of an environment variable of the tests; `nil` if it is empty or not set.
package func testVariable(_ name: String) -> String? { ProcessInfo.processInfo.environment.withoutEmptyVariables[name] }

/// Whether the long test runs of a campaign were requested.
package var isCampaign: Bool { testVariable("XFERLOG_CAMPAIGN") != nil }

/// Returns the seeds for the trials of a test. A campaign has more trials than a normal run.
///
/// Setting `XFERLOG_SEED` runs one seed only, which reproduces a failure.
package func seeds(_ count: Int, campaign: Int) -> [UInt64] {
  if let given = testVariable("XFERLOG_SEED").flatMap(UInt64.init) { return [given] }
  return (0..<UInt64(isCampaign ? campaign : count)).map { $0 }
}
