import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests that check, by each server's received requests, which servers get a credential after each kind of redirect.
struct CredentialRedirectTests {
  /// The form in which a request carries a credential.
  enum Proof: CaseIterable {
    case authorizationField, storedBasic, storedDigest, cookieField, storedCookie, keyField
  }

  /// The kind of redirect.
  enum Way: CaseIterable {
    case sameOrigin, relative, otherPort, otherHost, otherName, networkPath, schemeUp, schemeDown, withBody, awayAndBack, userinfo
    case otherPortThatAsks
  }

  private static let secret = "canary-7d1f"

  /// The script of every server, which redirects according to the request's path.
  private static func script(asks: Bool) -> ServerScript {
    let challenge = ScriptedResponse(
      status: 401, headers: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256"])
    let ways: [(String, ScriptedResponse)] = [
      ("/to/{scheme}/{host}/{port}/{path}", .redirect(to: "{scheme}://{host}:{port}/{path}")),
      ("/keep/{host}/{port}", .redirect(to: "http://{host}:{port}/end", status: 307)),
      ("/via/{away}/{back}", .redirect(to: "http://127.0.0.1:{away}/to/http/127.0.0.1/{back}/end")),
      ("/network/{host}/{port}", .redirect(to: "//{host}:{port}/end")),
      ("/user/{host}/{port}", .redirect(to: "http://mallory:guess@{host}:{port}/end")), ("/relative", .redirect(to: "end")),
    ]
    let asking = ScriptedResponse(
      status: 401, headers: ["WWW-Authenticate": "Basic realm=\"r\", Digest realm=\"r\", nonce=\"m\""])
    let going = ways.map { path, response in
      ServerScript.Route(path, asks ? [challenge, response] : [response], repeats: .cycle, counts: .path)
    }
    return ServerScript(going + [.init("/ask", asking), .init("/*", ScriptedResponse(body: "done"))])
  }

  /// Servers of several origins. `behindTLS` gets its requests from a web server that terminates TLS.
  private struct Site {
    let home, otherPort, otherHost, behindTLS: ScriptedServer
    let tlsPort: Int

    var all: [ScriptedServer] { [home, otherPort, otherHost, behindTLS] }

    func start(_ way: Way) -> String {
      switch way {
      case .sameOrigin: home.url("/to/http/127.0.0.1/\(home.port)/end")
      case .relative: home.url("/relative")
      case .otherPort: home.url("/to/http/127.0.0.1/\(otherPort.port)/end")
      case .otherHost: home.url("/to/http/127.0.0.2/\(otherHost.port)/end")
      case .otherName: home.url("/to/http/localhost/\(home.port)/end")
      case .networkPath: home.url("/network/127.0.0.2/\(otherHost.port)")
      case .schemeUp: home.url("/to/https/127.0.0.1/\(tlsPort)/end")
      case .schemeDown: "https://127.0.0.1:\(tlsPort)/to/http/127.0.0.1/\(otherPort.port)/end"
      case .withBody: home.url("/keep/127.0.0.1/\(otherPort.port)")
      case .awayAndBack: home.url("/via/\(otherPort.port)/\(home.port)")
      case .userinfo: home.url("/user/127.0.0.1/\(otherPort.port)")
      case .otherPortThatAsks: home.url("/to/http/127.0.0.1/\(otherPort.port)/ask")
      }
    }

    /// Returns the server that the credential belongs to.
    func owner(_ way: Way) -> ScriptedServer { way == .schemeDown ? behindTLS : home }
  }

  private static func identity(_ directory: TemporaryDirectory) throws -> WebServer.Identity {
    let command =
      "cd '\(directory.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=h "
      + "-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem"
    let run = try ToolRun("/bin/sh", ["-c", command])
    guard run.status == 0 else { throw WebServer.Failure(said: run.standardError) }
    return .init(certificate: directory.path("cert.pem"), key: directory.path("key.pem"))
  }

  private static func withSite(asks: Bool, _ body: (Site) async throws -> Void) async throws {
    let directory = TemporaryDirectory()
    let home = try await ScriptedServer.start(script(asks: asks))
    let otherPort = try await ScriptedServer.start(script(asks: false))
    let otherHost = try await ScriptedServer.start(script(asks: false), host: "127.0.0.2")
    let behindTLS = try await ScriptedServer.start(script(asks: asks))
    let web = try WebServer(
      root: directory.path, identity: identity(directory),
      directives: "location / { proxy_pass http://127.0.0.1:\(behindTLS.port); proxy_redirect off; proxy_http_version 1.1; }")
    let site = Site(home: home, otherPort: otherPort, otherHost: otherHost, behindTLS: behindTLS, tlsPort: web.port)
    try await body(site)
    for server in site.all { await server.stop() }
    withExtendedLifetime(web) {}
  }

  private static func configuration(_ proof: Proof, of start: String) throws -> (TransferSession.Configuration, HTTPFields) {
    var configuration = TransferSession.Configuration.ephemeral
    configuration.serverTrust.allowsAnyServer = true
    var fields: HTTPFields = [:]
    let url = try #require(URL(string: start))
    let port = try #require(url.port)
    switch proof {
    case .authorizationField: fields[.authorization] = "Bearer \(secret)"
    case .cookieField: fields[.cookie] = "s=\(secret)"
    case .keyField: fields[.init("X-Api-Key")!] = secret
    case .storedCookie:
      configuration.httpCookieStorage?.setCookie(.init(domain: "127.0.0.1", name: "s", value: secret))
    case .storedBasic, .storedDigest:
      configuration.sendsCredentialsUnasked = proof == .storedBasic
      configuration.authenticationMethods = proof == .storedBasic ? [.httpBasic] : [.httpDigest]
      configuration.urlCredentialStorage?.setDefaultCredential(
        .init(user: "anna", password: secret), scheme: url.scheme ?? "", host: "127.0.0.1", port: port)
    }
    return (configuration, fields)
  }

  private static let credentialFields = ["authorization", "proxy-authorization", "cookie", "x-api-key"]

  private static func shows(_ request: ServedRequest) -> Bool {
    let basic = Data("mallory:guess".utf8).base64EncodedString()
    return request.headers.fields.contains { field in
      credentialFields.contains(field.name.lowercased()) || field.value.contains(secret) || field.value.contains(basic)
        || field.value.contains("mallory")
    } || request.target.contains("mallory") || request.target.contains(secret)
  }

  @Test(arguments: [false, true])
  func `A credential is sent only to its own origin`(asks: Bool) async throws {
    try await Self.withSite(asks: asks) { site in
      for proof in Proof.allCases where (proof == .storedDigest) == asks {
        for way in Way.allCases { try await Self.judge(proof, way, site) }
      }
    }
  }

  private static func judge(_ proof: Proof, _ way: Way, _ site: Site) async throws {
    let seenBefore = site.all.map(\.requests.count)
    let start = site.start(way)
    let (configuration, fields) = try configuration(proof, of: start)
    let session = TransferSession(configuration: configuration, sink: RecordingSink(), names: SessionNames())
    defer { session.finishTasksAndInvalidate() }
    let request = HTTPRequest(method: way == .withBody ? .post : .get, urlText: start, headerFields: fields)
    let error = await failure {
      if way == .withBody {
        _ = try await session.upload(for: request, from: Data("body".utf8))
      } else {
        _ = try await session.data(for: request)
      }
    }
    let what = "\(proof) by \(way)"
    #expect(error?.code == (way == .schemeDown ? .redirectRefused : nil), "\(what)")
    let seen = zip(site.all, seenBefore).map { server, before in
      (server: server, requests: Array(server.requests.dropFirst(before)))
    }
    let owner = site.owner(way)
    for (server, requests) in seen where server !== owner {
      // Cookies are sent to all ports of a host (RFC 6265 §8.5).
      if proof == .storedCookie, server.host == "127.0.0.1" { continue }
      #expect(!requests.contains(where: shows), "\(what): \(server.url("")) received the credential in \(requests)")
    }
    let own = seen.first { $0.server === owner }!.requests
    #expect(shows(own[proof == .storedDigest ? 1 : 0]), "\(what): the credential's own origin gets it")
    let end = seen.flatMap(\.requests).filter { $0.target.hasPrefix("/end") || $0.target == "/ask" }
    #expect(end.count == (way == .schemeDown ? 0 : 1), "\(what): the redirect was followed")
    switch way {
    case .sameOrigin, .relative: #expect(end.allSatisfy(shows), "\(what): the same origin gets it again")
    case .otherName: #expect(!end.contains(where: shows), "\(what): another host name is another origin")
    case .awayAndBack:
      let isStored = [.storedBasic, .storedDigest, .storedCookie].contains(proof)
      #expect(end.allSatisfy { shows($0) == isStored }, "\(what): a dropped header field is not sent again")
    case .withBody: #expect(end.allSatisfy { $0.method == "POST" && $0.requestBodyBytes == 4 }, "\(what)")
    default: break
    }
  }

  /// Requests a host through a proxy. The host redirects to another host, which is reached without the proxy.
  @Test func `A proxy credential is sent only to the proxy`() async throws {
    try await Self.withSite(asks: false) { site in
      let proxy = try await ScriptedServer.start(
        ServerScript([
          .init(
            "/*",
            [
              ScriptedResponse(status: 407, headers: ["Proxy-Authenticate": "Basic realm=\"p\""]),
              .redirect(to: site.home.url("/to/http/127.0.0.2/\(site.otherHost.port)/end")),
            ])
        ]))
      var configuration = TransferSession.Configuration.ephemeral
      configuration.connectionProxy = .init(proxy.url("/"), credential: .init(user: "anna", password: Self.secret))
      configuration.connectionProxy?.exceptions = ["127.0.0.1", "127.0.0.2"]
      let session = TransferSession(configuration: configuration, sink: RecordingSink(), names: SessionNames())
      _ = try await session.data(for: HTTPRequest(method: .get, urlText: "http://example.invalid/"))
      session.finishTasksAndInvalidate()
      #expect(proxy.requests.map(Self.shows) == [false, true], "the proxy gets the credential after its challenge")
      #expect(site.home.requests.count == 1 && site.otherHost.requests.count == 1)
      for server in site.all { #expect(!server.requests.contains(where: Self.shows)) }
      await proxy.stop()
    }
  }
}
