import Dispatch
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct SessionTests {
  @Test func `The list of all tasks is in order, and empty without tasks`() async throws {
    try await Bench.run([.init("/a", .generated(1))]) { bench in
      #expect(await bench.session.allTasks.isEmpty)
      let tasks = try (0..<3).map { _ in try bench.session.dataTask(with: bench.request("/a")) }
      #expect(await bench.session.allTasks.map(\.uid) == tasks.map(\.uid))
      tasks[1].resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(await bench.session.allTasks.map(\.taskIdentifier) == [1, 3])
      #expect(bench.log.all(.sessionTasksAnswered).map { $0.number("count") } == [0, 3, 2])
      #expect(
        bench.log.all(.sessionTasksAnswered).map { $0.identifier("query") }
          == bench.log.all(.sessionTasksQueried).map { $0.identifier("query") })
    }
  }

  @Test func `A session that finishes its tasks is invalidated once, after the last task`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(100_000))], delegate: delegate) { bench in
      for _ in 0..<5 { try bench.session.downloadTask(with: bench.request("/a")).resume() }
      bench.session.finishTasksAndInvalidate()
      bench.session.finishTasksAndInvalidate()
      await bench.log.wait { $0.contains { $0.kind == .deliveryLeft && $0.text("callback") == "didBecomeInvalid" } }
      let notes = delegate.seen
      #expect(notes.invalidations == 1)
      #expect(notes.calls.last == "invalid")
      #expect(notes.errors.count == 5)
      #expect(notes.errors.values.allSatisfy { $0 == nil })
      #expect(bench.log.all(.sessionInvalidationRequested).map { $0.text("invalidation") } == ["finishTasks"])
      #expect(bench.log.all(.sessionInvalidated).count == 1)
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .sessionInvalidated)
      #expect(bench.log.all(.taskRejected)[0].text("rejection") == "invalidSession")
    }
  }

  @Test func `Cancelling a session cancels its tasks with the reason sessionInvalidated`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .hang(.beforeStatus))], delegate: delegate) { bench in
      let tasks = try (0..<3).map { _ in try bench.session.dataTask(with: bench.request("/a")) }
      tasks[0].resume()
      tasks[1].resume()
      await bench.log.wait(for: .attemptRequestSent, 2)
      bench.session.invalidateAndCancel()
      await bench.log.wait { $0.contains { $0.kind == .deliveryLeft && $0.text("callback") == "didBecomeInvalid" } }
      #expect(tasks.allSatisfy { $0.error?.code == .cancelled })
      #expect(bench.log.all(.taskCompleted).map { $0.text("cancelReason") } == Array(repeating: "sessionInvalidated", count: 3))
      #expect(delegate.seen.invalidations == 1)
      #expect(bench.session.delegate == nil)
    }
  }

  @Test func `A session without tasks is invalidated immediately`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([], delegate: delegate) { bench in
      bench.session.invalidateAndCancel()
      await bench.log.wait { $0.contains { $0.kind == .deliveryLeft } }
      #expect(delegate.seen.calls == ["invalid"])
    }
  }

  @Test func `A session is released after its last reference and its last task are gone`() async throws {
    let log = RecordingSink()
    try await ScriptedServer.serving(ServerScript([.init("/a", .generated(1000))])) { server in
      var session: TransferSession? = TransferSession(configuration: .ephemeral, sink: log, names: SessionNames())
      weak let watched = session
      let delegate = RecordingDelegate()
      session = TransferSession(configuration: .ephemeral, delegate: delegate, sink: log, names: SessionNames())
      await log.wait(for: .sessionReleased)
      #expect(watched == nil)
      try session?.dataTask(with: HTTPRequest(method: .get, urlText: server.url("/a"))).resume()
      session = nil
      await log.wait(for: .sessionReleased, 2)
      #expect(delegate.seen.calls.last == "complete")
      #expect(log.events.last?.kind == .sessionReleased)
    }
  }

  @Test func `Session names are unique among live sessions`() {
    let names = SessionNames()
    let log = RecordingSink()
    func make(_ name: String?) -> TransferSession {
      var configuration = TransferSession.Configuration.default
      configuration.name = name
      return TransferSession(configuration: configuration, sink: log, names: names)
    }
    let sessions = [make(nil), make(nil), make("films"), make("films"), make("")]
    #expect(sessions.map(\.name) == ["default-1", "default-2", "films", "films-2", "default-3"])
    #expect(log.all(.sessionCreated).map { $0.number("liveSessions") } == [1, 2, 3, 4, 5])
    #expect(log.all(.sessionCreated).map { $0.text("session") } == sessions.map(\.name))
  }

  @Test func `The log contains the effective configuration`() {
    let log = RecordingSink()
    var configuration = TransferSession.Configuration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 0
    configuration.timeoutIntervalForRequest = nil
    _ = TransferSession(configuration: configuration, sink: log, names: SessionNames())
    let created = log.all(.sessionCreated)[0]
    #expect(created.number("connectionsPerHost") == 1)
    #expect(created.values["requestTimeout"] == nil)
    #expect(created.duration("resourceTimeout") == .seconds(604_800))
    #expect(created.text("sessionKind") == "ephemeral")
    #expect(created.text("timeoutOrigin") == "connection")
    #expect(created.values["delegate"] == nil)
  }

  @Test func `Identifiers are made by the given random generator`() throws {
    func identifiers(_ seed: UInt64) throws -> [String] {
      let log = RecordingSink()
      let session = TransferSession(sink: log, names: SessionNames(), generator: SeededGenerator(state: seed))
      let task = try session.dataTask(with: HTTPRequest(method: .get, urlText: "http://127.0.0.1/"))
      defer { session.invalidateAndCancel() }
      return [
        "\(task.uid)", "\(log.all(.sessionCreated)[0].values["instance"]!)", "\(log.all(.taskCreated)[0].values["resource"]!)",
      ]
    }
    #expect(try identifiers(1) == identifiers(1))
    #expect(try Set(identifiers(1)).isDisjoint(with: identifiers(2)))
  }

  // MARK: Connections

  @Test func `The connection limit per host holds, and held tasks are logged and start in order`() async throws {
    let slow = ScriptedResponse(body: .generated(size: 100), delay: .init(beforeStatus: .milliseconds(20)))
    try await Bench.run([.init("/a", slow)]) {
      $0.httpMaximumConnectionsPerHost = 2
    } _: { bench in
      for _ in 0..<7 { try bench.session.dataTask(with: bench.request("/a")).resume() }
      await bench.log.wait(for: .taskAcknowledged, 7)
      let held = bench.log.all(.taskHeld)
      #expect(held.compactMap { $0.task?.number } == [3, 4, 5, 6, 7])
      #expect(held.allSatisfy { $0.text("hold") == "hostSlots" && $0.number("slots") == 2 && $0.number("slotsUsed") == 2 })
      #expect(held.allSatisfy { $0.text("host") == "127.0.0.1" })
      #expect(bench.log.all(.taskHoldEnded).compactMap { $0.task?.number } == [3, 4, 5, 6, 7])
      #expect(bench.log.all(.attemptStarted).compactMap { $0.task?.number } == Array(1...7))
      #expect(bench.server.connections == 2)
      #expect(bench.log.all(.attemptConnectionAcquired).count { $0.flag("reused") == true } == 5)
    }
  }

  @Test func `The connection limit of a session holds across hosts`() async throws {
    let slow = ScriptedResponse(body: .generated(size: 100), delay: .init(beforeStatus: .milliseconds(20)))
    try await ScriptedServer.serving(ServerScript([.init("/a", slow)])) { other in
      try await Bench.run([.init("/a", slow)]) {
        $0.maximumConnections = 1
      } _: { bench in
        try bench.session.dataTask(with: bench.request("/a")).resume()
        try bench.session.dataTask(with: HTTPRequest(method: .get, urlText: other.url("/a"))).resume()
        await bench.log.wait(for: .taskAcknowledged, 2)
        #expect(bench.log.all(.taskHeld).map { $0.text("hold") } == ["sessionSlots"])
      }
    }
  }

  @Test func `A redirected request goes ahead of queued tasks`() async throws {
    let routes: [ServerScript.Route] = [
      .init("/r", ScriptedResponse(status: 302, delay: .init(beforeStatus: .milliseconds(100)), redirect: "/a")),
      .init("/a", .generated(1)),
    ]
    try await Bench.run(routes) {
      $0.httpMaximumConnectionsPerHost = 1
    } _: { bench in
      for path in ["/r", "/a"] { try bench.session.dataTask(with: bench.request(path)).resume() }
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(bench.server.requests.map(\.target) == ["/r", "/a", "/a"])
      #expect(bench.log.all(.attemptConnectionAcquired).map { $0.task?.number } == [1, 1, 2])
    }
  }

  @Test func `A suspended task leaves the queue for a connection`() async throws {
    try await Bench.run([.init("/mute", .hang(.beforeStatus)), .init("/a", .generated(1))]) {
      $0.httpMaximumConnectionsPerHost = 1
    } _: { bench in
      let tasks = try ["/mute", "/a", "/a"].map { try bench.session.dataTask(with: bench.request($0)) }
      tasks.forEach { $0.resume() }
      await bench.log.wait(for: .taskHeld, 2)
      tasks[1].suspend()
      tasks[0].cancel()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(tasks.map(\.state) == [.completed, .suspended, .completed])
      tasks[1].resume()
      await bench.log.wait(for: .taskAcknowledged, 3)
      #expect(tasks[1].error == nil)
    }
  }

  @Test func `A suspended transfer receives nothing, and continues on resume`() async throws {
    // The delegate blocks in its first call, so that the transfer cannot end before it is suspended.
    let gate = DispatchSemaphore(value: 0)
    let delegate = RecordingDelegate(data: { _ in
      gate.wait()
      gate.signal()
    })
    try await Bench.run([.init("/a", .generated(20_000_000)), .init("/quick", .generated(1))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      task.suspend()
      #expect(task.state == .suspended)
      gate.signal()
      _ = try await bench.session.data(for: bench.request("/quick"))
      let received = task.countOfBytesReceived
      #expect(received < 20_000_000)
      _ = try await bench.session.data(for: bench.request("/quick"))
      #expect(task.countOfBytesReceived == received)
      task.resume()
      await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
      #expect(delegate.seen.data[1] == ScriptBody.bytes(seed: 1, size: 20_000_000))
      #expect(task.error == nil)
    }
  }
}
