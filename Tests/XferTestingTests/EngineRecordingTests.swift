import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferLogStore
import XferPostmortem
import XferScript
import XferTesting

/// Real transfers that are recorded.
@Suite(.recordingTransfers) struct EngineRecordingTests {
  private static let script = ServerScript([
    .init("/tile", ScriptedResponse(body: .generated(size: 10_000))), .init("/missing", ScriptedResponse(status: 404)),
  ])

  @Test func `Downloads of the engine in parallel tests pass with logs of their own`() async throws {
    let log = try #require(TransferLog.current)
    try await ScriptedServer.serving(Self.script) { server in
      let session = TransferSession(sink: log.events)
      let (data, _) = try await session.data(from: #require(URL(string: server.url("/tile"))))
      #expect(data.count == 10_000)
      session.finishTasksAndInvalidate()
    }
  }

  @Test(.issues("critical http-error-as-success (certain)"), .recordingTransfers(TransferRecording()))
  func `A test whose app takes an error page for a success fails`() async throws {
    let log = try #require(TransferLog.current)
    try await ScriptedServer.serving(Self.script) { server in
      let session = TransferSession(sink: log.events)
      let (_, response) = try await session.data(from: #require(URL(string: server.url("/missing"))))
      #expect(response.statusCode == 404)
      let task = try #require(try Postmortem(of: log.path).tasks.first)
      let identity = TaskIdentity(uid: try #require(TaskUID(task.uid)), session: task.session, number: 1)
      log.events.emit(AppOutcomeRecorded(intent: "tile", task: identity, outcome: .success))
      session.finishTasksAndInvalidate()
    }
  }
}
