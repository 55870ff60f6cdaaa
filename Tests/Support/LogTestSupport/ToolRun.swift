package import Foundation

/// One run of a program built beside the tests: what it wrote, and how it ended.
package struct ToolRun: Sendable {
  package let standardOutput: [UInt8]
  package let standardError: String
  /// 128 and the signal's number for an end by signal.
  package let status: Int32

  package var text: String { String(decoding: standardOutput, as: UTF8.self) }
  package var lines: [String] { text.split(separator: "\n").map(String.init) }
  package var remarks: [String] { standardError.split(separator: "\n").map(String.init) }

  /// Where the tests and the programs are built.
  package static let directory: String = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }()

  package init(standardOutput: [UInt8], standardError: String, status: Int32) {
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.status = status
  }

  /// Nothing of the tests' own surroundings but what a program cannot do without; a home in which nobody can leave anything.
  package static let environment = [
    "PATH": "/usr/bin:/bin", "HOME": "/dev/null", "TZ": "UTC", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
  ]

  /// Runs a program to its end.
  ///
  /// - Parameter program: a name for one built here, else a path.
  package init(
    _ program: String, _ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:],
    in directory: String? = nil
  ) throws {
    let process = Self.process(program, arguments, environment: environment, in: directory)
    // Files, not pipes: nothing has to be read while it runs.
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
    standardOutput = Array(FileManager.default.contents(atPath: files.path("out")) ?? Data())
    standardError = String(decoding: FileManager.default.contents(atPath: files.path("err")) ?? Data(), as: UTF8.self)
    status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// The program, ready to be run by somebody who talks to it meanwhile.
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
