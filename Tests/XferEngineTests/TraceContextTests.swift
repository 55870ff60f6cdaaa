import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of `traceparent` (W3C Trace Context).
struct TraceContextTests {
  private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
  private static let field = HTTPField.Name("traceparent")!

  private func sent(_ requests: [ServedRequest]) -> [String?] { requests.map { $0.headers["traceparent"] } }

  @Test func `Nothing is sent and nothing is logged without a trace`() async throws {
    try await Bench.run([.init("/a", .generated(10))], configure: { $0.traceParent = nil }) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      #expect(sent(bench.server.requests) == [nil])
      #expect(bench.log.all(.attemptStarted)[0].values["traceParent"] == nil)
    }
  }

  @Test func `A trace from the environment is logged, and sent only on request`() async throws {
    try await Bench.run([.init("/a", .generated(10))], configure: { $0.traceParent = Self.parent }) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      var options = TransferSession.TaskOptions()
      options.sendsTraceContext = true
      let task = try bench.session.dataTask(with: bench.request("/a"), options: options) { _, _, _ in }
      task.resume()
      await bench.log.wait(for: .taskCompleted, 2)
      let logged = bench.log.all(.attemptStarted).map { $0.text("traceParent") ?? "" }
      #expect(sent(bench.server.requests) == [nil, logged[1]])
      #expect(logged.allSatisfy { $0.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && $0 != Self.parent })
      #expect(Set(logged).count == 2)
      #expect(bench.log.all(.attemptStarted)[0].values["parentSpan"] == .digest(0x00f0_67aa_0ba9_02b7))
    }
  }

  @Test func `Every attempt has a new span in the same trace`() async throws {
    let failing = ScriptedResponse(status: 503, headers: ["Retry-After": "0"], body: "later")
    let routes: [ServerScript.Route] = [.init("/a", [failing, failing, .generated(10)])]
    try await Bench.run(routes) {
      $0.sendsTraceContext = true
      $0.retryPolicy = TransferSession.RetryPolicy(maximumRetries: 3)
      $0.retryPolicy.delay = .zero
    } _: { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      let values = sent(bench.server.requests).compactMap { $0 }
      #expect(values.count == 3)
      #expect(Set(values.map { $0.dropFirst(36).prefix(16) }).count == 3)
      // Without a parent, the trace is the task.
      let uid = try #require(bench.log.all(.taskCreated)[0].task?.uid)
      #expect(values.allSatisfy { $0.hasPrefix("00-" + "\(uid)".filter { $0 != "-" }) })
      #expect(bench.log.all(.attemptStarted).map { $0.text("traceParent") } == values)
    }
  }

  @Test func `A redirect within the origin keeps the span, and another origin never sees it`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/there", .generated(1))])) { other in
      let routes: [ServerScript.Route] = [
        .init("/a", .redirect(to: "/b")), .init("/b", .redirect(to: other.url("/there"))),
      ]
      try await Bench.run(routes, configure: { $0.sendsTraceContext = true }) { bench in
        _ = try await bench.session.data(for: bench.request("/a"))
        let values = sent(bench.server.requests)
        #expect(values.count == 2)
        #expect(values[0] != nil)
        #expect(values[0] == values[1])
        #expect(sent(other.requests) == [nil])
      }
    }
  }

  @Test func `A field that the app sets is kept, and names the trace`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/there", .generated(1))])) { other in
      try await Bench.run([.init("/a", .redirect(to: other.url("/there")))], configure: { $0.sendsTraceContext = true }) {
        bench in
        _ = try await bench.session.data(for: bench.request("/a", .get, [Self.field: Self.parent]))
        #expect(sent(bench.server.requests) == [Self.parent])
        #expect(sent(other.requests) == [nil])
        let logged = bench.log.all(.attemptStarted)[0]
        #expect(logged.text("traceParent")?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true)
        #expect(logged.values["parentSpan"] == .digest(0x00f0_67aa_0ba9_02b7))
      }
    }
  }

  @Test(arguments: [
    "x", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf9-00f0-01", "ff-" + parent.dropFirst(3),
  ])
  func `A malformed value is ignored, and the log says so`(value: String) async throws {
    try await Bench.run([.init("/a", .generated(10))], configure: { $0.traceParent = value }) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      #expect(bench.log.all(.attemptStarted)[0].values["traceParent"] == nil)
      let adjusted = bench.log.all(.sessionSettingAdjusted).filter { $0.text("setting") == "traceParent" }
      #expect(adjusted.map { $0.text("requested") } == ["malformed"])
      #expect(adjusted.map { $0.text("effective") } == ["none"])
    }
  }
}
