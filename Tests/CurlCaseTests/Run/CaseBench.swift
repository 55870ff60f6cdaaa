import Foundation
import LogTestSupport

/// A server and a directory for one run of a case.
final class CaseBench {
  /// The directory for the files of cases, relative to the directory in which programs run.
  static let logDirectory = "log"
  /// The time after which a program is killed, in seconds. The slowest case waits for a timeout of 8 seconds.
  static let timeLimit = 40
  /// The exit code of a program that was killed after the time limit: 128 plus the number of SIGKILL.
  static let hung: Int32 = 137

  let server: CaseServer
  let curlCase: CurlCase
  private let directory = TemporaryDirectory()
  private let relay: TLSRelay?
  /// The port of cases that connect to a port without a server.
  private let unused: RefusingPort

  init(_ number: Int, of folder: CaseFolder) throws {
    server = try CaseServer()
    let needsTLS = folder.source(number).firstRange(of: Array("%HTTPSPORT".utf8)) != nil
    relay = needsTLS ? try TLSRelay(to: server.port) : nil
    unused = try RefusingPort()
    let variables = Self.variables(server, relay, unused: unused.number, directory.path)
    curlCase = try folder.load(number, variables)
    server.service.serve(curlCase)
    try FileManager.default.createDirectory(
      atPath: directory.path(Self.logDirectory), withIntermediateDirectories: true)
    for file in curlCase.client.files { try write(file) }
  }

  deinit { server.stop() }

  private static func variables(
    _ server: CaseServer, _ relay: TLSRelay?, unused: Int, _ directory: String
  ) -> [String: String] {
    [
      "CLIENTIP": "127.0.0.1", "CLIENT6IP": "[::1]", "HOSTIP": "127.0.0.1", "HOST6IP": "[::1]",
      "HTTPPORT": "\(server.port)", "HTTP6PORT": "\(server.port6 ?? unused)", "HTTPSPORT": "\(relay?.port ?? unused)",
      "NOLISTENPORT": "\(unused)", "PROXYPORT": "\(unused)",
      "LOGDIR": logDirectory, "PWD": directory, "FILE_PWD": directory, "SRCDIR": ".", "DEV_NULL": "/dev/null",
      "VERSION": "8", "VERNUM": "8", "USER": NSUserName(), "PERL": "/usr/bin/perl",
      // The command fails if the name has no IPv6 address.
      "RESOLVE":
        "/usr/bin/python3 -c 'import socket, sys; socket.getaddrinfo(sys.argv[-1], None, socket.AF_INET6)'",
    ]
  }

  private func write(_ file: CurlCase.File) throws {
    let url = URL(fileURLWithPath: path(file.path))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.contents).write(to: url)
  }

  private func path(_ name: String) -> String { name.hasPrefix("/") ? name : directory.path(name) }

  /// Returns the contents of a file. `nil` when it does not exist.
  func contents(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Runs one of the case's shell commands.
  func shell(_ line: String) throws -> ToolRun { try ToolRun("/bin/sh", ["-c", line], in: directory.path) }

  /// Runs the program, and kills it after the time limit.
  func run(_ program: CaseProgram, _ command: CaseCommand) throws -> ToolRun {
    var environment = ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")]
    for (name, value) in curlCase.client.environment { environment[name] = value }
    let path = program.name.contains("/") ? program.name : "\(ToolRun.directory)/\(program.name)"
    return try ToolRun(
      // SIGKILL, because a test thread may block other signals, and its children inherit blocked signals.
      "/usr/bin/timeout", ["-s", "KILL", "\(Self.timeLimit)", path] + command.arguments,
      input: curlCase.client.standardInput, environment: environment, in: directory.path)
  }
}
