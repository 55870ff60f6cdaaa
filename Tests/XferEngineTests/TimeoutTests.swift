import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct TimeoutTests {
  /// Starts a task whose server stops sending after half of the body, and returns after the first bytes arrived.
  private func silentTask(_ bench: Bench) async throws -> DataTask {
    let task = try bench.session.dataTask(with: bench.request("/silent"))
    task.resume()
    await bench.log.wait { $0.contains { $0.kind == .attemptBytesReceived && $0.task?.uid == task.uid } }
    return task
  }

  private static let routes: [ServerScript.Route] = [
    .init("/silent", ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .hang))),
    .init(
      "/slow",
      ScriptedResponse(
        body: .generated(size: 1000), delay: .init(beforeBody: .milliseconds(200)), cut: .init(.midBody, .hang))),
    .init("/mute", .hang(.beforeStatus)), .init("/quick", .generated(1)),
  ]

  /// Runs a quick request, so that the engine thread has processed all earlier commands.
  private func roundTrip(_ bench: Bench) async throws { _ = try await bench.session.data(for: bench.request("/quick")) }

  private func run(
    request: Duration? = .seconds(60), resource: Duration? = nil, perHost: Int = 6,
    _ body: (Bench, ManualClock) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.timeoutIntervalForRequest = request
      configuration.timeoutIntervalForResource = resource
      configuration.httpMaximumConnectionsPerHost = perHost
    }
    try await Bench.run(Self.routes, configure: configure, clock: clock) { try await body($0, clock) }
  }

  @Test(arguments: [false, true])
  func `A timeout before the request names the phase: the TCP connection or the TLS handshake`(isAccepted: Bool) async throws {
    // The kernel completes the TCP connections of a server that never accepts them, until its backlog is full.
    let listener = try SilentListener(fills: !isAccepted)
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.timeoutIntervalForRequest = .milliseconds(300)
    }
    try await Bench.run(Self.routes, configure: configure) { bench in
      let request = HTTPRequest(method: .get, scheme: "https", authority: "127.0.0.1:\(listener.port)", path: "/")
      let error = await failure { _ = try await bench.session.data(for: request) }
      #expect(error?.code == .timedOut)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.log.all(.attemptEnded)[0].text("phase") == (isAccepted ? "securing" : "connecting"))
    }
  }

  @Test func `A silent server fails the task after the request timeout`() async throws {
    try await run { bench, clock in
      async let result = failure { _ = try await bench.session.data(for: bench.request("/mute")) }
      try await bench.server.waitUntil { $0.contains { $0.phase == .hanging } }
      clock.advance(by: .seconds(59))
      try await roundTrip(bench)
      #expect(bench.log.all(.attemptEnded).count == 1)
      clock.advance(by: .seconds(1))
      let error = await result
      #expect(error?.code == .timedOut)
      #expect(error?.number == 28)
      #expect(error?.stage == .response)
      await bench.log.wait(for: .taskAcknowledged, 2)
      let ended = bench.log.all(.attemptEnded)[1]
      #expect(ended.text("end") == "timeout")
      let sent = bench.log.all(.attemptRequestSent)[0]
      #expect(sent.task?.number == 1, "the sent request is logged before the task ends")
    }
  }

  @Test func `Every received byte restarts the request timeout`() async throws {
    try await run { bench, clock in
      // The test needs to act between head and body. On a busy machine it may be too late and has to try again.
      for number in 1...10 {
        let task = try bench.session.dataTask(with: bench.request("/slow"))
        task.resume()
        await bench.log.wait(for: .attemptResponseReceived, 2 * number - 1)
        clock.advance(by: .seconds(30))
        let isEarly = task.countOfBytesReceived == 0
        await bench.log.wait { $0.contains { $0.kind == .attemptBytesReceived && $0.task?.uid == task.uid } }
        if isEarly { clock.advance(by: .seconds(59)) }
        try await roundTrip(bench)
        #expect(task.state == .running)
        task.cancel()
        if isEarly { return }
      }
      Issue.record("the machine was too busy ten times")
    }
  }

  @Test func `A request timeout of nil never expires`() async throws {
    try await run(request: nil) { bench, clock in
      let task = try await silentTask(bench)
      clock.advance(by: .seconds(1_000_000_000))
      try await roundTrip(bench)
      #expect(task.state == .running)
    }
  }

  @Test func `The resource timeout runs from the first resume and is not restarted by received bytes`() async throws {
    try await run(resource: .seconds(100)) { bench, clock in
      let task = try await silentTask(bench)
      clock.advance(by: .seconds(59))
      try await roundTrip(bench)
      #expect(task.state == .running)
      clock.advance(by: .seconds(41))
      await bench.log.wait { $0.contains { $0.kind == .taskCompleted && $0.task?.uid == task.uid } }
      #expect(task.error?.code == .timedOut)
      #expect(task.error?.problem.contains("resource") == true)
    }
  }

  @Test func `A task queued for a connection is subject to the resource timeout`() async throws {
    try await run(request: nil, resource: .seconds(100), perHost: 1) { bench, clock in
      _ = try await silentTask(bench)
      let waiting = try bench.session.dataTask(with: bench.request("/quick"))
      waiting.resume()
      await bench.log.wait(for: .taskHeld)
      clock.advance(by: .seconds(100))
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(waiting.error?.code == .timedOut)
      #expect(bench.log.all(.taskHoldEnded).count <= 1)
    }
  }

  @Test func `Timeouts do not run for a suspended task`() async throws {
    try await run(resource: .seconds(100)) { bench, clock in
      let task = try await silentTask(bench)
      task.suspend()
      try await roundTrip(bench)
      clock.advance(by: .seconds(1_000))
      try await roundTrip(bench)
      #expect(task.state == .suspended)
      task.resume()
      try await roundTrip(bench)
      clock.advance(by: .seconds(59))
      try await roundTrip(bench)
      #expect(task.state == .running)
      clock.advance(by: .seconds(41))
      await bench.log.wait { $0.contains { $0.kind == .taskCompleted && $0.task?.uid == task.uid } }
      #expect(task.error?.code == .timedOut)
    }
  }
}
