import ArgumentParser
import Foundation
import XferScript

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: """
      Run a server that sends scripted HTTP responses, with faults such as delays, truncated bodies, malformed framing, \
      connection resets and wrong ranges.
      """,
    usage: "xfer serve [<options>] <script>",
    discussion: """
      The first line of standard output is the server's URL. The server runs until it is interrupted. With --ledger, it writes \
      two lines of JSON for each request: one at the start and one at the end.

      Example: xfer serve script.yaml --port 8080
      """)

  @Argument(help: "The script in YAML (- for standard input).", completion: .file(extensions: ["yaml", "yml"]))
  var script: String

  @Option(help: "The port to listen on (0 for a free port).")
  var port = 0

  @Option(help: "The address to listen on (must be a loopback address unless --allow-other-hosts is given).")
  var host = "127.0.0.1"

  @Flag(help: "Permit a --host that other machines can reach, such as 0.0.0.0 (does not change --host).")
  var allowOtherHosts = false

  @Option(
    help: "Append two lines of JSON to this file for each request, at its start and end (- for standard output).",
    completion: .file())
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

  /// Waits for the first signal that asks the process to end.
  private static func interruption() async {
    let (stream, signals) = AsyncStream.makeStream(of: Void.self)
    let interruption = Interruption { signals.finish() }
    for await _ in stream {}
    withExtendedLifetime(interruption) {}
  }
}
