import Foundation
import HTTPTypes
import Testing
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferScript

@testable import XferEngine

/// Tests of tasks with a simulated network path.
struct ConnectivityTests {
  private static let routes: [ServerScript.Route] = [
    .init("/a", ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: "there")),
    .init("/slow", ScriptedResponse(body: "slow", cut: .init(.afterHeaders, .hang))), .init("/away", .redirect(to: "/a")),
  ]

  private func run(
    _ network: NetworkConditions, waits: Bool, delegate: RecordingDelegate? = nil,
    clock: any TransferClock = SystemTransferClock(),
    log: RecordingSink = RecordingSink(), configure: (inout TransferSession.Configuration) -> Void = { _ in },
    _ body: (Bench) async throws -> Void
  ) async throws {
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.waitsForConnectivity = waits
      configuration.urlCache = nil
      configure(&configuration)
    }
    try await Bench.run(
      Self.routes, configure: configure, delegate: delegate, clock: clock, network: network, log: log, body)
  }

  // MARK: Network path

  @Test func `A task fails immediately without a network path`() async throws {
    try await run(NetworkConditions(.unsatisfied), waits: false) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .notConnectedToInternet)
      #expect(error?.networkUnavailableReason == nil)
      #expect(error?.curlExitCode == 7)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.server.requests.isEmpty)
      #expect(bench.log.all(.attemptStarted).isEmpty)
      #expect(bench.log.all(.networkPathChanged).map { $0.flag("up") } == [false])
    }
  }

  @Test func `A waiting task reports its hold reason once and starts when there is a network path`() async throws {
    let (network, delegate) = (NetworkConditions(.unsatisfied), RecordingDelegate())
    try await run(network, waits: true, delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskHeld)
      #expect(bench.log.all(.taskHeld)[0].text("hold") == "network")
      // The path changes but stays unsatisfied.
      network.path = .init(isSatisfied: false, isExpensive: true)
      await bench.log.wait(for: .networkPathChanged, 2)
      network.path = .satisfied
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.calls.count { $0 == "waiting" } == 1)
      #expect(delegate.seen.calls.first == "waiting")
      #expect(delegate.seen.data[1] == Array("there".utf8))
      #expect(bench.log.all(.taskHoldEnded).map { $0.text("hold") } == ["network"])
      #expect(bench.log.all(.attemptStarted).count == 1)
      #expect(bench.log.all(.networkPathChanged).map { $0.flag("up") } == [false, false, true])
    }
  }

  typealias Permission = @Sendable (inout TransferSession.Configuration) -> Void

  /// Network paths, with the setting that forbids each and the expected reason.
  static let policies: [(TransferSession.NetworkPath, Permission, String)] = [
    (.cellular, { $0.allowsCellularAccess = false }, "cellular"),
    (.init(isExpensive: true), { $0.allowsExpensiveNetworkAccess = false }, "expensive"),
    (.init(isConstrained: true), { $0.allowsConstrainedNetworkAccess = false }, "constrained"),
    (.cellular, { $0.allowsExpensiveNetworkAccess = false }, "expensive"),
  ]

  @Test(arguments: policies)
  func `A forbidden network path is not used, and the error contains the reason`(
    _ path: TransferSession.NetworkPath, _ permission: @escaping Permission, _ reason: String
  ) async throws {
    let network = NetworkConditions(path)
    try await run(network, waits: false, configure: permission) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .notConnectedToInternet)
      #expect(error?.networkUnavailableReason?.rawValue == reason)
    }
    try await run(network, waits: true, configure: permission) { bench in
      async let got = bench.session.data(for: bench.request("/a"))
      await bench.log.wait(for: .taskHeld)
      #expect(bench.log.all(.taskHeld)[0].text("hold") == "networkPolicy")
      network.path = .satisfied
      let (data, _) = try await got
      #expect(data == Data("there".utf8))
    }
    try await run(NetworkConditions(path), waits: false) { bench in
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(data == Data("there".utf8))
    }
  }

  @Test func `A waiting task has one hold reason at a time when the reason changes`() async throws {
    let network = NetworkConditions(.unsatisfied)
    try await run(network, waits: true, configure: { $0.allowsCellularAccess = false }) { bench in
      async let got = bench.session.data(for: bench.request("/a"))
      await bench.log.wait(for: .taskHeld)
      network.path = .cellular
      await bench.log.wait(for: .taskHeld, 2)
      network.path = .satisfied
      let (data, _) = try await got
      #expect(data == Data("there".utf8))
      #expect(bench.log.all(.taskHeld).map { $0.text("hold") } == ["network", "networkPolicy"])
      #expect(bench.log.all(.taskHoldEnded).map { $0.text("hold") } == ["network", "networkPolicy"])
    }
  }

  // MARK: Timeouts and control

  @Test func `Only the resource timeout runs while a task waits for connectivity`() async throws {
    let clock = ManualClock()
    let limit = { (configuration: inout TransferSession.Configuration) in
      configuration.timeoutIntervalForRequest = .seconds(10)
      configuration.timeoutIntervalForResource = .seconds(1000)
    }
    try await run(NetworkConditions(.unsatisfied), waits: true, clock: clock, configure: limit) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskHeld)
      for _ in 1...99 { clock.advance(by: .seconds(10)) }
      let other = try bench.session.dataTask(with: bench.request("/a"))
      other.resume()
      await bench.log.wait(for: .taskHeld, 2)
      #expect(task.state == .running)
      clock.advance(by: .seconds(10))
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.error?.code == .timedOut)
      #expect(other.state == .running)
      other.cancel()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(bench.log.all(.taskHeld).count == 2, "waiting is logged only once per task")
    }
  }

  @Test func `A task that waits for connectivity can be suspended, resumed and cancelled`() async throws {
    let network = NetworkConditions(.unsatisfied)
    try await run(network, waits: true) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskHeld)
      task.suspend()
      task.resume()
      await bench.log.wait(for: .taskHeld, 2)
      task.suspend()
      network.path = .satisfied
      await bench.log.wait(for: .networkPathChanged, 2)
      // A round trip gives the engine time to start the suspended task, which would be a fault.
      _ = try await bench.session.data(for: bench.request("/a"))
      #expect(bench.server.requests.count == 1)
      task.resume()
      await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
      #expect(task.error == nil)
      network.path = .unsatisfied
      let last = try bench.session.dataTask(with: bench.request("/a"))
      last.resume()
      await bench.log.wait { $0.contains { $0.kind == .taskHeld && $0.task?.uid == last.uid } }
      last.cancel()
      await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == last.uid } }
      #expect(last.error?.code == .cancelled)
    }
  }

  @Test func `A task that waited for a connection is held when the network path has been lost meanwhile`() async throws {
    let network = NetworkConditions(.satisfied)
    try await run(network, waits: true, configure: { $0.httpMaximumConnectionsPerHost = 1 }) { bench in
      let first = try bench.session.dataTask(with: bench.request("/slow"))
      first.resume()
      try await bench.server.waitUntil { $0.contains { $0.phase == .hanging } }
      let second = try bench.session.dataTask(with: bench.request("/a"))
      second.resume()
      await bench.log.wait(for: .taskHeld)
      network.path = .unsatisfied
      await bench.log.wait(for: .networkPathChanged, 2)
      #expect(first.state == .running, "the transfer in flight continues")
      first.cancel()
      await bench.log.wait(for: .taskHeld, 2)
      network.path = .satisfied
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(second.error == nil)
      #expect(bench.log.all(.taskHeld).map { $0.text("hold") } == ["hostSlots", "network"])
    }
  }

  // MARK: Connection failures

  @Test func `A task with an unresolvable host name waits and retries with increasing delays`() async throws {
    let (clock, delegate) = (ManualClock(), RecordingDelegate())
    try await run(NetworkConditions(), waits: true, delegate: delegate, clock: clock) { bench in
      let task = try bench.session.dataTask(with: HTTPRequest(method: .get, urlText: "http://nowhere.invalid/"))
      task.resume()
      for number in 1...8 {
        await bench.log.wait(for: .attemptNetworkAwaited, number)
        await bench.log.wait(for: .taskHeld, number)
        let delay = try #require(bench.log.all(.taskHeld)[number - 1].duration("delay"))
        let longest = min(60, 1 << (number - 1))
        #expect(delay <= .seconds(longest) && delay >= .seconds(longest) * 0.75)
        clock.advance(by: delay)
      }
      await bench.log.wait(for: .attemptNetworkAwaited, 9)
      #expect(bench.log.all(.attemptStarted).count == 1, "waiting and retrying belong to one attempt")
      #expect(delegate.seen.calls == ["waiting"])
      task.cancel()
      await bench.log.wait(for: .taskAcknowledged)
    }
  }

  @Test func `A changed network path causes an immediate retry`() async throws {
    let (clock, network) = (ManualClock(), NetworkConditions())
    try await run(network, waits: true, clock: clock) { bench in
      let task = try bench.session.dataTask(with: HTTPRequest(method: .get, urlText: "http://nowhere.invalid/"))
      task.resume()
      await bench.log.wait(for: .taskHeld)
      network.path = .init(isExpensive: true)
      await bench.log.wait(for: .attemptNetworkAwaited, 2)
      task.cancel()
    }
  }

  @Test func `A refused connection fails the task without waiting`() async throws {
    try await run(NetworkConditions(), waits: true) { bench in
      let error = await failure {
        _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: "http://127.0.0.1:1/"))
      }
      #expect(error?.code == .cannotConnectToHost)
      #expect(bench.log.all(.taskHeld).isEmpty)
    }
  }

  @Test func `An unresolvable host name is an error if the session does not wait for connectivity`() async throws {
    try await run(NetworkConditions(), waits: false) { bench in
      let error = await failure {
        _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: "http://nowhere.invalid/"))
      }
      #expect(error?.code == .cannotFindHost)
    }
  }

  // MARK: Cache

  @Test func `A stored response is served without a network`() async throws {
    let (clock, network) = (ManualClock(), NetworkConditions())
    let headers: ScriptHeaders = ["Cache-Control": "max-age=60, stale-if-error=60"]
    let routes = [ServerScript.Route("/a", ScriptedResponse(headers: headers, body: "kept"))]
    try await Bench.run(routes, clock: clock, network: network) { bench in
      let get = { @Sendable in try await bench.session.data(for: bench.request("/a")).0 }
      var got = [try await get()]
      network.path = .unsatisfied
      got.append(try await get())
      clock.advance(by: .seconds(61))
      got.append(try await get())
      #expect(got == Array(repeating: Data("kept".utf8), count: 3))
      #expect(bench.log.all(.cacheAnswered).map { $0.text("cacheAnswer") } == ["fresh", "staleIfError"])
      clock.advance(by: .seconds(60))
      let error = await failure { _ = try await get() }
      #expect(error?.code == .notConnectedToInternet)
    }
  }

  // MARK: Replay

  @Test func `A replay reports a task that waits although the network is available`() async throws {
    let clock = ManualClock()
    let log = RecordingSink(clock: clock)
    try await run(NetworkConditions(), waits: true, clock: clock, log: log) { bench in
      let task = try bench.session.dataTask(with: HTTPRequest(method: .get, urlText: "http://nowhere.invalid/"))
      task.resume()
      for number in 1...10 {
        await log.wait(for: .taskHeld, number)
        clock.advance(by: .seconds(60))
      }
      await log.wait(for: .taskHeld, 11)
      log.emit(LogHeartbeatWritten(liveTasks: 1))
      let findings = log.findings
      #expect(findings.map(\.rule) == ["waits-for-connectivity-forever"])
      #expect(findings.first?.variant == "the network was there")
      task.cancel()
    }
  }

  @Test func `A replay does not report a task that waits while the network is unavailable`() async throws {
    let clock = ManualClock()
    let log = RecordingSink(clock: clock)
    try await run(NetworkConditions(.unsatisfied), waits: true, clock: clock, log: log) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await log.wait(for: .taskHeld)
      for _ in 1...10 { clock.advance(by: .seconds(60)) }
      log.emit(LogHeartbeatWritten(liveTasks: 1))
      #expect(log.findings == [])
      #expect(log.states == [.held])
      task.cancel()
    }
  }

  // MARK: Hosts

  @Test(arguments: ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"])
  func `The loopback host is always reachable`(_ host: String) {
    #expect(InterfacePath.isLoopback(host))
    #expect(InterfacePath.process.path(to: host).isSatisfied)
  }

  @Test(arguments: ["localhost.example", "127.0.0.1.example", "10.0.0.1", "[::2]", "example.com"])
  func `Similar names and addresses are not the loopback host`(_ host: String) { #expect(!InterfacePath.isLoopback(host)) }

  @Test func `The proxy is the first host of a session with a proxy`() {
    var configuration = TransferSession.Configuration.ephemeral
    #expect(configuration.firstHosts(to: "a") == ["a"])
    configuration.connectionProxy = .init("http://proxy:3128")
    #expect(configuration.firstHosts(to: "a") == ["proxy"])
    configuration.connectionProxy?.exceptions = ["b"]
    #expect(configuration.firstHosts(to: "a") == ["proxy", "a"])
  }
}
