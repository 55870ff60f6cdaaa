import ArgumentParser
import Foundation
import XferScript

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer requests as a script says: late, cut off, reset, changed, refused.",
    discussion: """
      Says where it listens on the first line of standard output, and goes on until it is interrupted. A line of JSON for the \
      start and the end of each request goes to --ledger, as the server saw it.
      """)

  @Argument(help: "The script, in YAML; - for standard input.")
  var script: String

  @Option(help: "The port; 0 for a free one.")
  var port = 0

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Flag(help: "Let other machines connect, too.")
  var allowOtherHosts = false

  @Option(help: "Write what the server saw to FILE, one object a line; - for standard output.")
  var ledger: String?

  func run() async throws {
    do throws(ScriptError) {
      let script =
        try self.script == "-"
        ? ServerScript(yaml: standardInput(), file: "standard input") : ServerScript(contentsOf: self.script)
      let oracle = try ledger.map { path throws(ScriptError) in try OracleFile(path: path == "-" ? "/dev/stdout" : path) }
      let server = try await ScriptedServer.start(
        script, host: host, port: port, allowsOtherHosts: allowOtherHosts, oracle: oracle)
      let address = server.host.contains(":") ? "[\(server.host)]" : server.host
      try? FileHandle.standardOutput.write(contentsOf: Data("http://\(address):\(server.port)\n".utf8))
      await Self.interruption()
      await server.stop()
    } catch {
      throw CommandExit(Execution.wrongUsage, "\(error)")
    }
  }

  private func standardInput() -> String {
    String(decoding: (try? FileHandle.standardInput.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// Returns with the first signal that asks for an end.
  private static func interruption() async {
    let (stream, signals) = AsyncStream.makeStream(of: Void.self)
    let interruption = Interruption { signals.finish() }
    for await _ in stream {}
    withExtendedLifetime(interruption) {}
  }
}
