import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of proxies. A scripted server acts as the proxy and receives requests with absolute URLs.
struct ProxyTests {
  private func run(
    _ change: @escaping (inout TransferSession.Proxy) -> Void = { _ in }, _ body: (Bench, ScriptedServer) async throws -> Void
  ) async throws {
    try await ScriptedServer.serving(ServerScript([.init("/*", ScriptedResponse(body: "proxy"))])) { proxy in
      let configure = { (configuration: inout TransferSession.Configuration) in
        var setting = TransferSession.Proxy(proxy.url("/"))
        change(&setting)
        configuration.connectionProxy = setting
      }
      try await Bench.run([.init("/*", ScriptedResponse(body: "server"))], configure: configure) { try await body($0, proxy) }
    }
  }

  @Test func `Requests go to the proxy, and its credential is not logged`() async throws {
    try await run({ $0.credential = .init(user: "anna", password: "canary") }) { bench, proxy in
      let request = HTTPRequest(method: .get, urlText: "http://example.invalid/a?b")
      let (data, _) = try await bench.session.data(for: request)
      #expect(String(decoding: data, as: UTF8.self) == "proxy")
      #expect(proxy.requests.map(\.target) == ["http://example.invalid/a?b"])
      #expect(bench.server.requests.isEmpty)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(!"\(bench.log.events)".contains("canary"))
    }
  }

  @Test func `Hosts in the proxy's exceptions are reached directly`() async throws {
    try await run({ $0.exceptions = ["127.0.0.1"] }) { bench, proxy in
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(String(decoding: data, as: UTF8.self) == "server" && proxy.requests.isEmpty)
    }
  }

  @Test func `An unreachable proxy gives a connection error`() async throws {
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.connectionProxy = .init("http://127.0.0.1:1")
    }
    try await Bench.run([.init("/a", .status(200))], configure: configure) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .cannotConnectToHost && bench.server.requests.isEmpty)
    }
  }
}
