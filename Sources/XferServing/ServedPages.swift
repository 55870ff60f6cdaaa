import XferEvents

/// The values that all connections of a server share.
package struct ServedPages: Sendable {
  let policy: RequestPolicy
  let report: LiveReport
  let page: Page
  let now: @Sendable () -> WallTime
  let connections: OpenConnections

  /// The parts of the page that do not depend on the report.
  package struct Page: Sendable {
    /// The content security policy.
    let policy: String
    /// The page that is sent while there is no report.
    let withoutReport: [UInt8]

    package init(policy: String, withoutReport: [UInt8]) { (self.policy, self.withoutReport) = (policy, withoutReport) }
  }
}
