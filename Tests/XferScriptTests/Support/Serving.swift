import XferScript

extension ScriptedServer {
  /// Serves one response at `/` while `use` runs.
  static func answering<Result>(
    _ response: ScriptedResponse, _ use: (ScriptedServer) async throws -> Result
  ) async throws -> Result {
    try await serving(ServerScript([.init("/", response)]), use)
  }

  /// Serves the responses of a YAML text at `/` while `use` runs.
  static func answering<Result>(
    yaml: String, _ use: (ScriptedServer) async throws -> Result
  ) async throws -> Result {
    try await serving(ServerScript(yaml: "routes: [{ path: /, respond: \(yaml) }]"), use)
  }

  /// Waits until the given number of requests have ended, and returns all records.
  func ended(_ count: Int = 1) async throws -> [ServedRequest] {
    try await waitUntil { $0.count { $0.phase == .ended } >= count }
  }
}

let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
let getAndClose = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

extension String {
  /// The text after the first empty line.
  var afterHead: String { firstRange(of: "\r\n\r\n").map { String(self[$0.upperBound...]) } ?? "" }
}

extension [UInt8] {
  /// The bytes after the first empty line.
  var afterHead: [UInt8] {
    firstRange(of: Array("\r\n\r\n".utf8)).map { Array(self[$0.upperBound...]) } ?? []
  }
}
