import Foundation

/// One run of the built `xferlog`: what it wrote and how it ended.
struct CommandRun: Sendable {
  let standardOutput: [UInt8]
  let standardError: String
  let status: Int32

  var text: String { String(decoding: standardOutput, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n").map(String.init) }

  /// The tool stands beside the test bundle.
  static let tool: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("xferlog").path
  }()

  static let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TZ": "UTC", "LC_ALL": "C.UTF-8"]

  static func xferlog(
    _ arguments: String..., input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws -> CommandRun {
    try run(tool, arguments, input: input, environment: environment)
  }

  static func xferlog(
    _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:]
  ) throws -> CommandRun {
    try run(tool, arguments, input: input, environment: environment)
  }

  /// A script that finds the tool as `$xferlog`.
  static func bash(_ script: String, environment: [String: String] = [:]) throws -> CommandRun {
    try run("/bin/bash", ["-c", script], input: nil, environment: environment.merging(["xferlog": tool]) { $1 })
  }

  static func run(
    _ program: String, _ arguments: [String], input: [UInt8]?, environment: [String: String]
  ) throws -> CommandRun {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = Self.environment.merging(environment) { $1 }
    // Files, not pipes: nothing has to be read while it runs.
    let directory = try TemporaryDirectory()
    func handle(_ name: String, _ bytes: [UInt8] = []) throws -> FileHandle {
      let path = try directory.write(bytes, to: name)
      return FileHandle(forUpdatingAtPath: path)!
    }
    process.standardInput = try input.map { try handle("in", $0) } ?? FileHandle.nullDevice
    process.standardOutput = try handle("out")
    process.standardError = try handle("err")
    try process.run()
    process.waitUntilExit()
    let output = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/out"))
    let errors = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/err"))
    let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return CommandRun(standardOutput: Array(output), standardError: String(decoding: errors, as: UTF8.self), status: status)
  }
}
