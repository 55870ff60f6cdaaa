import Foundation
import LogTestSupport

/// A server and a directory for one run of a case.
final class CaseBench {
  /// Where cases keep their files, below the directory that programs run in.
  static let logDirectory = "log"
  /// Seconds after which a program has hung: the slowest case waits for a timeout of 8.
  static let timeLimit = 40
  /// What a program ends with that had to be ended: 128 and the number of SIGKILL.
  static let hung: Int32 = 137

  let server: CaseServer
  let curlCase: CurlCase
  private let directory = TemporaryDirectory()
  private let relay: TLSRelay?

  init(_ number: Int, of folder: CaseFolder) throws {
    server = try CaseServer()
    let needsTLS = folder.source(number).firstRange(of: Array("%HTTPSPORT".utf8)) != nil
    relay = needsTLS ? try TLSRelay(to: server.port) : nil
    let variables = try Self.variables(server, relay, directory.path)
    curlCase = try folder.load(number, variables)
    server.service.serve(curlCase)
    try FileManager.default.createDirectory(
      atPath: directory.path(Self.logDirectory), withIntermediateDirectories: true)
    for file in curlCase.client.files { try write(file) }
  }

  deinit { server.stop() }

  private static func variables(_ server: CaseServer, _ relay: TLSRelay?, _ directory: String) throws -> [String: String] {
    let unused = try CaseServer.unusedPort()
    return [
      "CLIENTIP": "127.0.0.1", "CLIENT6IP": "[::1]", "HOSTIP": "127.0.0.1", "HOST6IP": "[::1]",
      "HTTPPORT": "\(server.port)", "HTTP6PORT": "\(server.port6 ?? unused)", "HTTPSPORT": "\(relay?.port ?? unused)",
      "NOLISTENPORT": "\(unused)", "PROXYPORT": "\(unused)",
      "LOGDIR": logDirectory, "PWD": directory, "FILE_PWD": directory, "SRCDIR": ".", "DEV_NULL": "/dev/null",
      "VERSION": "8", "VERNUM": "8", "USER": NSUserName(), "PERL": "/usr/bin/perl",
      // Fails where the name has no such address.
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

  /// What a program left at a path; `nil` when nothing is there.
  func contents(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Runs a line of the case's own in a shell.
  func shell(_ line: String) throws -> ToolRun { try ToolRun("/bin/sh", ["-c", line], in: directory.path) }

  /// Runs the program, and ends it when it hangs.
  func run(_ program: CaseProgram, _ command: CaseCommand) throws -> ToolRun {
    var environment = ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")]
    for (name, value) in curlCase.client.environment { environment[name] = value }
    let path = program.name.contains("/") ? program.name : "\(ToolRun.directory)/\(program.name)"
    return try ToolRun(
      // No gentler signal: a thread of the tests may have them blocked, and its children inherit that.
      "/usr/bin/timeout", ["-s", "KILL", "\(Self.timeLimit)", path] + command.arguments,
      input: curlCase.client.standardInput, environment: environment, in: directory.path)
  }
}
