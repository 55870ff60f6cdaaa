import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct SessionTests {
  @Test func `A session is recorded with its limits but without the values of its header fields`() async throws {
    let log = try await Bench.run { bench in
      let configuration = URLSessionConfiguration.default
      configuration.httpMaximumConnectionsPerHost = 3
      configuration.timeoutIntervalForRequest = 20
      configuration.timeoutIntervalForResource = 0
      configuration.httpAdditionalHeaders = ["X-Canary": "canary"]
      let session = bench.recorder.session(configuration: configuration, delegate: AppDelegate(), delegateQueue: .main)
      session.invalidateAndCancel()
      await bench.log.wait(for: .sessionInvalidationRequested)
    }
    let created = try log.first(.sessionCreated)
    #expect(created.sessionKind == .default)
    #expect(created.queue == "main")
    #expect(created.connectionsPerHost == 3)
    #expect(created.requestTimeout == .seconds(20))
    #expect(created.resourceTimeout == nil)
    #expect(created.discretionary == false)
    #expect(created.effectiveDiscretionary == false)
    #expect(created.delegate != nil)
    #expect(created.liveSessions == 1)
    #expect(!String(decoding: log.bytes, as: UTF8.self).contains("canary"))
    #expect(try log.first(.sessionInvalidationRequested).invalidation == .cancel)
  }

  @Test func `A session is recorded from creation to release, and its delegate is notified of the invalidation`() async throws {
    let delegate = AppDelegate()
    let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let task: URLSessionTask
      do {
        let session = bench.recorder.session(configuration: .ephemeral, delegate: delegate)
        task = session.dataTask(with: bench.url("/a"))
        await bench.carry(task, in: session)
        session.finishTasksAndInvalidate()
      }
      // The app may record an outcome after the session was released, because it may keep the task.
      await bench.log.wait(for: .sessionReleased)
      bench.recorder.app.record(.success, of: task)
    }
    #expect(log.all(.appOutcomeRecorded).map { $0.task == nil } == [false])
    #expect(try log.first(.sessionReleased).liveTasks == 0)
    #expect(
      log.events.filter { $0.task == nil }.map(\.layout.name) == [
        "session.created", "session.invalidationRequested", "session.invalidated", "delivery.received", "delivery.entered",
        "delivery.left", "session.released",
      ])
    #expect(try log.first(.sessionCreated).sessionKind == .ephemeral)
    #expect(delegate.calls.last == "invalid")
  }

  @Test func `Tasks cancelled by a session's invalidation are recorded with this reason`() async throws {
    let log = try await Bench.run([.init("/a", .hang(.beforeStatus))]) { bench in
      let session = bench.session(AppDelegate())
      session.resume(session.dataTask(with: bench.url("/a")))
      await bench.log.wait(for: .attemptStarted)
      session.invalidateAndCancel()
      // Does not wait for the completion, because FoundationNetworking may release the delegate before it.
      await bench.log.wait(for: .sessionInvalidated)
    }
    #expect(try log.first(.sessionInvalidationRequested).liveTasks == 1)
    #expect(try log.first(.taskCancelRequested).cancelReason == .sessionInvalidated)
    #expect(try log.findings() == [])
  }

  @Test func `The listed tasks match the session's own list`() async throws {
    let log = try await Bench.run([.init("/a", .hang(.beforeStatus))]) { bench in
      let session = bench.session(AppDelegate())
      let task = session.dataTask(with: bench.url("/a"))
      session.resume(task)
      await bench.log.wait(for: .attemptStarted)
      #expect(await session.allTasks == [task])
      session.cancel(task)
      await bench.log.wait(for: .taskCompleted)
    }
    let answered = try log.first(.sessionTasksAnswered)
    #expect(answered.count == 1)
    #expect(answered.tasks?.first == (try log.first(.taskCreated).task))
    #expect(answered.query == (try log.first(.sessionTasksQueried).query))
  }

  @Test func `Session names are unique and are part of task identities`() async throws {
    let log = try await Bench.run([.init("/a", .generated(1))]) { bench in
      let (first, second) = (bench.session(AppDelegate()), bench.session(AppDelegate()))
      #expect(first.name != second.name)
      for session in [first, second] { await bench.carry(session.dataTask(with: bench.url("/a")), in: session) }
    }
    let created = log.all(.taskCreated).compactMap(\.task)
    #expect(created.map(\.number) == [1, 1])
    #expect(Set(created.map(\.session)) == Set(log.all(.sessionCreated).compactMap(\.session)))
    #expect(Set(created.map(\.uid)).count == 2)
  }

  @Test func `Tasks of the shared session with completion handlers are recorded`() async throws {
    let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let session = bench.recorder.session(recording: .shared)
      let (data, _) = try await session.data(from: bench.url("/a"))
      #expect(data.count == 10)
      await bench.log.wait(for: .taskCompleted)
    }
    #expect(try log.first(.sessionCreated).sessionKind == .shared)
    #expect(try log.first(.taskCompleted).status == 200)
    #expect(try log.findings() == [])
  }

  /// Foundation crashes the process, but the log contains the reason.
  @Test func `A task of an invalid session is recorded as rejected before the process crashes`() async throws {
    let directory = TemporaryDirectory()
    let path = directory.path("run.xlog")
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let log = try EventLog(directory: path, configuration: LogConfiguration(role: .app, privacy: .init(key: (1, 2))))
      let session = SessionRecorder(sink: log).session(configuration: .ephemeral, delegate: nil)
      session.invalidateAndCancel()
      _ = session.dataTask(with: URL(string: "http://127.0.0.1/")!)
    }
    let log = try RecordedLog(path, in: directory)
    #expect(try log.first(.taskRejected).rejection == .invalidSession)
  }

  @Test func `The recorder works with a null sink`() async throws {
    let delegate = AppDelegate { $0.response = { _ in } }
    try await ScriptedServer.serving(ServerScript([.init("/a", .generated(1000))])) { server in
      let recorder = SessionRecorder(sink: NullSink())
      let session = recorder.session(configuration: .ephemeral, delegate: delegate)
      let (data, _) = try await session.data(from: URL(string: server.url("/a"))!)
      #expect(data.count == 1000)
      recorder.app.note("nothing is kept")
      recorder.handleEvents(forBackgroundURLSession: "x") {}.call()
      session.finishTasksAndInvalidate()
    }
  }
}
