import Foundation
import HTTPTypes
import Testing
import XferEvents
import XferScript

@testable import XferEngine

/// A test environment: a scripted server, a session, the session's log, and a directory that is removed at the end.
struct Bench: Sendable {
  let server: ScriptedServer
  let session: TransferSession
  let log: RecordingSink
  let directory: String

  /// Runs `body`, invalidates the session, and checks its log and its temporary directory.
  static func run(
    _ routes: [ServerScript.Route], configure: (inout TransferSession.Configuration) -> Void = { _ in },
    delegate: (any TransferSessionDelegate)? = nil, executor: (any DelegateExecutor)? = nil,
    clock: any TransferClock = SystemTransferClock(), network: any NetworkPathSource = InterfacePath.process,
    log: RecordingSink = RecordingSink(), _ body: (Bench) async throws -> Void
  ) async throws {
    try await BenchPermits.shared.run {
      let directory = FileManager.default.temporaryDirectory.appending(path: "xfer-engine-\(UUID().uuidString)").path
      try FileManager.default.createDirectory(atPath: directory + "/tmp", withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      try await ScriptedServer.serving(ServerScript(routes)) { server in
        var configuration = TransferSession.Configuration.default
        configuration.temporaryDirectory = directory + "/tmp"
        configuration.urlCache = .init(memoryCapacity: 4 << 20, diskCapacity: 20 << 20, directory: directory + "/cache")
        configure(&configuration)
        let session = TransferSession(
          configuration: configuration, delegate: delegate, delegateExecutor: executor, sink: log, clock: clock,
          network: network, names: SessionNames())
        try await body(Bench(server: server, session: session, log: log, directory: directory))
        session.invalidateAndCancel()
        await log.wait(for: .sessionInvalidated)
        // Waits for the delegate's last call.
        if delegate != nil { await log.wait { $0.contains { $0.kind == .deliveryLeft && $0.values["task"] == nil } } }
      }
      #expect(LogChecks.problems(in: log.events) == [])
      let leftOver = try FileManager.default.contentsOfDirectory(atPath: directory + "/tmp")
      #expect(leftOver == [], "temporary files are left over")
      #expect(DiskSpace.openFiles ?? 0 < BenchPermits.descriptorLimit)
    }
  }

  func request(_ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) -> HTTPRequest {
    HTTPRequest(method: method, urlText: server.url(path), headerFields: fields)
  }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map(Array.init) }
}

extension ScriptedResponse {
  /// Returns a response with a generated body, in which any misplaced byte is detected.
  static func generated(_ size: Int, seed: UInt64 = 1) -> Self { Self(body: .generated(size: size, seed: .value(seed))) }
}

/// Returns the error of an async function, or `nil` if it succeeds.
func failure(_ body: () async throws -> Void) async -> TransferError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? TransferError
  }
}
