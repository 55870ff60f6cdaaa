import Foundation
import LogTestSupport
import Synchronization
import Testing
import XferEvents
import XferLogStore
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A test environment with a scripted server and a recorder that writes a real log.
struct Bench {
  let server: ScriptedServer
  let recorder: SessionRecorder
  let log: WatchedLog
  let directory: TemporaryDirectory
  let temporary = LeftOverFiles()
  private let sessions = Opened()

  private final class Opened: Sendable {
    let all = Mutex<[RecordedSession]>([])
  }

  /// Runs `body`, invalidates the sessions it opened, and returns the resulting log.
  ///
  /// - Parameter now: Returns the recorder's time. By default, the time does not advance.
  static func run(
    _ routes: [ServerScript.Route] = [], mode: CaptureMode = .hashed, now: (@Sendable () -> Duration)? = nil,
    store: (any TaskUIDStore)? = nil, _ body: (Bench) async throws -> Void
  ) async throws -> RecordedLog {
    let directory = TemporaryDirectory()
    let path = directory.path("run.xlog")
    let log = WatchedLog(
      try EventLog(
        directory: path, configuration: LogConfiguration(role: .app, privacy: .init(mode: mode, key: (1, 2)))))
    try await ScriptedServer.serving(ServerScript(routes)) { server in
      let recorder = SessionRecorder(sink: log, store: store, generator: SystemRandomNumberGenerator(), now: now)
      let bench = Bench(server: server, recorder: recorder, log: log, directory: directory)
      try await body(bench)
      let sessions = bench.sessions.all.withLock { $0 }
      for session in sessions { session.finishTasksAndInvalidate() }
      await log.wait(for: .sessionInvalidated, sessions.count)
    }
    log.close()
    return try RecordedLog(path, in: directory)
  }

  /// Creates an ephemeral session, so that no response comes from a cache.
  func session(_ delegate: (any URLSessionDelegate)? = nil, queue: OperationQueue? = nil) -> RecordedSession {
    let session = recorder.session(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
    sessions.all.withLock { $0.append(session) }
    return session
  }

  func url(_ path: String) -> URL { URL(string: server.url(path))! }

  func path(_ name: String) -> URL { URL(fileURLWithPath: directory.path(name)) }

  /// Resumes a task and waits until the log contains its completion.
  func carry(_ task: URLSessionTask, in session: RecordedSession) async {
    let before = log.count(of: .taskCompleted)
    session.resume(task)
    await log.wait(for: .taskCompleted, before + 1)
  }
}

/// The log of one test, with its events and its replay by the built tool.
struct RecordedLog {
  let path: String
  /// The directory of the log, kept because the events refer to memory mapped from its files.
  private let directory: TemporaryDirectory
  private let all: [RecordedEvent]

  init(_ path: String, in directory: TemporaryDirectory) throws {
    self.path = path
    self.directory = directory
    let reader = LogReader([.directory(path)])
    var events: [RecordedEvent] = []
    while let member = reader.next() {
      if case .event(let event) = member { events.append(event) }
    }
    all = events
  }

  /// The events of the recorder.
  var events: [RecordedEvent] {
    all.filter { !["log", "clock", "process"].contains($0.layout.name.prefix { $0 != "." }) }
  }

  /// The names of the task events, in order.
  var story: [String] { events.filter { $0.task != nil }.map(\.layout.name) }

  func all(_ kind: EventKind) -> [RecordedEvent] { events.filter { $0.kind == kind } }

  func first(_ kind: EventKind) throws -> RecordedEvent { try #require(all(kind).first) }

  /// All bytes of the log's files.
  var bytes: [UInt8] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().flatMap { FileManager.default.contents(atPath: "\(path)/\($0)").map(Array.init) ?? [] }
  }

  /// All events as text.
  var text: String {
    events.map { event in "\(event.layout.name) " + event.values.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
      .joined(separator: "\n")
  }

  func replayed() throws -> Replayed {
    let run = try ToolRun("xferlog", ["replay", "-o", "json", path])
    return try JSONDecoder().decode(Replayed.self, from: Data(run.standardOutput))
  }

  /// Replays the log and checks that it contains no unexpected events.
  func findings() throws -> [String] {
    let replayed = try replayed()
    #expect(replayed.tasks.map(\.unexpected).allSatisfy { $0 == 0 }, "\(text)")
    return replayed.findings.map(\.rule)
  }
}

/// The parts of the output of `xferlog replay -o json` that tests use.
struct Replayed: Decodable {
  let tasks: [Task]
  let findings: [Finding]

  struct Task: Decodable {
    let outcome: String
    let unexpected: Int
  }

  struct Finding: Decodable {
    let rule: String
    let variant: String?
    let certainty: String
  }
}
