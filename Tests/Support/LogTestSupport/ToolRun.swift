package import Foundation

/// A completed run of a program built with the tests: its output and its exit status.
package struct ToolRun: Sendable {
  package let standardOutput: [UInt8]
  package let standardError: String
  /// The exit code, or 128 plus the signal number if a signal ended the program.
  package let status: Int32

  package var text: String { String(decoding: standardOutput, as: UTF8.self) }
  /// The lines of the standard output that are not empty.
  package let lines: [String]
  /// The lines of the standard error that are not empty.
  package var remarks: [String] { Self.lines(of: standardError.utf8) }

  /// The directory of the built tests and programs.
  package static let directory: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }()

  package init(standardOutput: [UInt8], standardError: String, status: Int32) {
    self.standardOutput = standardOutput
    lines = Self.lines(of: standardOutput)
    self.standardError = standardError
    self.status = status
  }

  private static func lines(of text: some Sequence<UInt8>) -> [String] {
    text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The default environment of a program: only the necessary variables, with a home directory that cannot be written to. On a terminal,
  /// a pager would wait for a key.
  package static let environment = [
    "PATH": "/usr/bin:/bin", "HOME": "/dev/null", "TZ": "UTC", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
    "XFERLOG_PAGING": "never",
  ]

  /// Runs a program until it exits.
  ///
  /// - Parameter program: The name of a built program, or a path.
  package init(
    _ program: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
    in directory: String? = nil
  ) throws {
    let process = Self.process(program, arguments, environment: environment, in: directory)
    // Use files instead of pipes, so that the output does not have to be read while the program runs.
    let files = TemporaryDirectory()
    func handle(_ name: String, _ bytes: [UInt8] = []) throws -> FileHandle {
      try Data(bytes).write(to: URL(fileURLWithPath: files.path(name)))
      return FileHandle(forUpdatingAtPath: files.path(name))!
    }
    process.standardInput = try input.map { try handle("in", $0) } ?? FileHandle.nullDevice
    process.standardOutput = try handle("out")
    process.standardError = try handle("err")
    try process.run()
    process.waitUntilExit()
    self.init(
      standardOutput: Array(FileManager.default.contents(atPath: files.path("out")) ?? Data()),
      standardError: String(decoding: FileManager.default.contents(atPath: files.path("err")) ?? Data(), as: UTF8.self),
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
  }

  /// Returns a configured process that the caller starts and communicates with.
  package static func process(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in directory: String? = nil
  ) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "\(Self.directory)/\(program)")
    process.arguments = arguments
    process.environment = Self.environment.merging(environment) { $1 }
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    return process
  }
}
