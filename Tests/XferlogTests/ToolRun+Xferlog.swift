import Foundation
import LogTestSupport

/// Runs of the built `xferlog`, directly and in scripts.
extension ToolRun {
  static let tool = directory + "/xferlog"
  /// The root of the checkout.
  static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static func xferlog(
    _ arguments: String..., input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws -> ToolRun {
    try ToolRun(tool, arguments, input: input, environment: environment)
  }

  static func xferlog(
    _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws -> ToolRun {
    try ToolRun(tool, arguments, input: input, environment: environment)
  }

  /// Runs a script in which `$xferlog` is the path of the tool.
  static func bash(_ script: String, environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun("/bin/bash", ["-c", script], environment: environment.merging(["xferlog": tool]) { $1 })
  }
}
