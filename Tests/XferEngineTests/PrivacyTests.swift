import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct PrivacyTests {
  /// The sink stores all values in plain text, like the capture mode `full`.
  @Test(arguments: [200, 404, 302])
  func `No event contains a credential, even in the full capture mode`(status: Int) async throws {
    let response = ScriptedResponse(
      status: status, headers: ["Set-Cookie": "id=canary", "WWW-Authenticate": "Bearer canary", "X-Key": "canary"],
      body: "canary",
      redirect: status == 302 ? "http://canary:canary@127.0.0.1:1/next?token=canary&sig=canary" : nil)
    try await Bench.run([.init("/*", response)]) { bench in
      let query = "X-Amz-Signature=canary&X-Amz-Credential=canary&token=canary&page=2&%74oken=canary"
      let url = bench.server.url("/file?\(query)#canary").replacing("http://", with: "http://canary:canary@")
      let fields: HTTPFields = [
        .authorization: "Bearer canary", .proxyAuthorization: "Basic canary", .cookie: "id=canary", .init("X-Api-Key")!: "canary",
      ]
      let request = HTTPRequest(method: .get, urlText: url, headerFields: fields)
      _ = await failure { _ = try await bench.session.data(for: request) }
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.server.requests[0].target.contains("X-Amz-Signature=canary"), "the server must receive the unchanged query")
      for event in bench.log.events { #expect(!"\(event)".contains("canary")) }
      #expect(bench.log.all(.taskCreated)[0].text("urlQuery") == "page=2")
      #expect(bench.log.all(.attemptRequestSent)[0].flag("authorized") == true)
      #expect(bench.log.all(.attemptRequestSent)[0].text("headers")?.contains("authorization") == true)
    }
  }

  @Test func `The user and password of a URL are not sent`() async throws {
    try await Bench.run([.init("/a", .generated(1))]) { bench in
      let url = bench.server.url("/a").replacing("http://", with: "http://user:pass@")
      let (_, response) = try await bench.session.data(for: HTTPRequest(method: .get, urlText: url))
      #expect(bench.server.requests[0].headers["Authorization"] == nil)
      #expect(response.urlText == bench.server.url("/a"))
    }
  }

  @Test func `The proxy of the environment is ignored`() async throws {
    // A separate process, because all tests share the environment.
    await #expect(processExitsWith: .success) {
      // Nothing listens on this port, so a transfer through the proxy would fail.
      setenv("http_proxy", "http://127.0.0.1:1", 1)
      try await Bench.run([.init("/a", .generated(1))]) { bench in
        _ = try await bench.session.data(for: bench.request("/a"))
      }
    }
  }
}
