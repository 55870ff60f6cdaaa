import Foundation
import HTTPTypes
import Testing
import XferEvents
import XferScript

@testable import XferEngine

struct AuthenticationTests {
  private typealias Credential = TransferSession.Credential

  // MARK: Challenges

  @Test(
    arguments: [
      ([#"Basic realm="x""#], ["basic realm=x"]), (["Basic"], ["basic"]), (["basic REALM=x"], ["basic realm=x"]),
      ([#"Digest realm="a \"b\", c", nonce="n=="#], ["digest realm=a \"b\", c"]),
      ([#"Negotiate, Basic realm="x", Digest nonce=n, realm="y""#], ["negotiate", "basic realm=x", "digest nonce=n realm=y"]),
      (["Negotiate dG9rZW4==", #"Bearer error="invalid""#], ["negotiate dG9rZW4", "bearer error=invalid"]),
      ([#"Basic realm = "x" , charset="UTF-8""#], ["basic charset=UTF-8 realm=x"]),
      ([""], []), ([",,,"], []), (["=x"], []), ([#"Basic realm="open"#], ["basic"]),
      (["Basic realm=a, realm=b"], ["basic realm=a"]),
    ] as [([String], [String])])
  func `WWW-Authenticate challenges are parsed`(values: [String], expected: [String]) {
    let read = ChallengeList(values).challenges.map { challenge in
      ([challenge.scheme] + (challenge.token.map { [$0] } ?? [])
        + challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
    #expect(read == expected)
  }

  @Test func `At most 16 challenges of a response are parsed`() {
    #expect(ChallengeList([String(repeating: "Basic realm=x, ", count: 10_000)]).challenges.count == 16)
  }

  /// The example of RFC 7616 §3.9.1.
  @Test(arguments: [
    ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"), ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
  ])
  func `Digest responses match the examples of RFC 7616 and RFC 2617`(algorithm: String, response: String) throws {
    let challenge = try #require(
      ChallengeList([
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
      ]).challenges.first)
    var answer = try #require(DigestAnswer(challenge))
    let credential = Credential(user: "Mufasa", password: "Circle of Life")
    let nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
    let first = answer.authorization(credential, method: "GET", target: "/dir/index.html", clientNonce: nonce)
    #expect(first.contains("response=\"\(response)\"") && first.contains("nc=00000001") && first.contains("qop=auth,"))
    let second = answer.authorization(credential, method: "GET", target: "/dir/index.html", clientNonce: nonce)
    #expect(second.contains("nc=00000002") && !second.contains(response))
  }

  @Test func `A digest response to a challenge without qop has neither qop nor cnonce`() throws {
    let challenge = ChallengeList([#"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#]).challenges[
      0]
    var answer = try #require(DigestAnswer(challenge))
    let text = answer.authorization(
      Credential(user: "Mufasa", password: "Circle Of Life"), method: "GET", target: "/dir/index.html", clientNonce: "x")
    #expect(text.contains("response=\"670fd8c2df070c60b045671b8b24ff02\"") && !text.contains("qop") && !text.contains("cnonce"))
  }

  @Test(arguments: [
    #"Digest realm="x", nonce="n", algorithm=SHA-512-256"#, #"Digest realm="x", nonce="n", qop="auth-int""#, #"Digest realm="x""#,
    "Digest",
  ])
  func `An unsupported or incomplete Digest challenge is not answered`(text: String) {
    #expect(DigestAnswer(ChallengeList([text]).challenges[0]) == nil)
  }

  // MARK: Stored credentials

  private static let asking = ScriptedResponse(
    status: 401, headers: ["WWW-Authenticate": #"Basic realm="here", Digest realm="here", nonce="abc", qop="auth""#], body: "who?"
  )
  private static let basic = ScriptedResponse(
    status: 401, headers: ["WWW-Authenticate": #"Basic realm="here""#], body: "who?")
  private static let right = Credential(user: "anna", password: "canary")

  private static func configure(_ storage: TransferSession.CredentialStorage) -> (inout TransferSession.Configuration) -> Void {
    { $0.urlCredentialStorage = storage }
  }

  @Test(arguments: [(asking, "Digest "), (basic, "Basic YW5uYTpjYW5hcnk=")])
  func `A stored credential is sent after the first challenge and preemptively from then on`(
    response: ScriptedResponse, expected: String
  ) async throws {
    let storage = TransferSession.CredentialStorage()
    let routes: [ServerScript.Route] = [.init("/a", [response, ScriptedResponse(body: "secret")]), .init("/b", .status(200))]
    try await Bench.run(routes, configure: Self.configure(storage)) { bench in
      storage.setDefaultCredential(Self.right, scheme: "http", host: "127.0.0.1", port: bench.server.port)
      let (data, answer) = try await bench.session.data(for: bench.request("/a"))
      #expect(answer.statusCode == 200 && String(decoding: data, as: UTF8.self) == "secret")
      _ = try await bench.session.data(for: bench.request("/b"))
      let sent = bench.server.requests.map { $0.headers["Authorization"] }
      #expect(sent[0] == nil && sent[1]?.hasPrefix(expected) == true && sent[2]?.hasPrefix(expected) == true)
      if expected == "Digest " { #expect(sent[1]?.contains("nc=00000001") == true && sent[2]?.contains("nc=00000002") == true) }
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(bench.log.all(.attemptChallengeReceived).count == 1)
      #expect(bench.log.all(.attemptChallengeAnswered).map { $0.text("disposition") } == ["performDefaultHandling"])
      #expect(bench.log.all(.attemptRequestSent).map { $0.flag("authorized") } == [false, true, true])
      #expect(!"\(bench.log.events)".contains("canary") && !"\(bench.log.events)".contains("YW5uYT"))
    }
  }

  @Test func `A 401 response is the result without a credential or with a wrong one`() async throws {
    let storage = TransferSession.CredentialStorage()
    try await Bench.run([.init("/a", Self.basic)], configure: Self.configure(storage)) { bench in
      let (data, first) = try await bench.session.data(for: bench.request("/a"))
      #expect(first.statusCode == 401 && String(decoding: data, as: UTF8.self) == "who?" && bench.server.requests.count == 1)
      storage.setDefaultCredential(Self.right, scheme: "http", host: "127.0.0.1", port: bench.server.port)
      let (_, second) = try await bench.session.data(for: bench.request("/a"))
      #expect(second.statusCode == 401 && bench.server.requests.count == 3)
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(bench.log.all(.attemptChallengeReceived).map { $0.number("previousFailures") } == [0, 0, 1])
    }
  }

  @Test func `A preemptive credential is sent with the first request but not to another origin`() async throws {
    let storage = TransferSession.CredentialStorage()
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.urlCredentialStorage = storage
      configuration.sendsCredentialsUnasked = true
    }
    try await ScriptedServer.serving(ServerScript([.init("/c", Self.basic)])) { other in
      let routes: [ServerScript.Route] = [.init("/a", .status(200)), .init("/b", .redirect(to: other.url("/c")))]
      try await Bench.run(routes, configure: configure) { bench in
        storage.setDefaultCredential(Self.right, scheme: "http", host: "127.0.0.1", port: bench.server.port)
        _ = try await bench.session.data(for: bench.request("/a"))
        let (_, answer) = try await bench.session.data(for: bench.request("/b"))
        #expect(bench.server.requests.allSatisfy { $0.headers["Authorization"] == "Basic YW5uYTpjYW5hcnk=" })
        #expect(answer.statusCode == 401 && other.requests.map { $0.headers["Authorization"] } == [nil])
      }
    }
  }

  @Test func `A challenge with a stale nonce does not count as a rejected credential`() async throws {
    let storage = TransferSession.CredentialStorage()
    let stale = ScriptedResponse(
      status: 401, headers: ["WWW-Authenticate": #"Digest realm="here", nonce="new", qop="auth", stale=TRUE"#])
    try await Bench.run([.init("/a", [Self.asking, stale, .status(200)])], configure: Self.configure(storage)) { bench in
      storage.setDefaultCredential(Self.right, scheme: "http", host: "127.0.0.1", port: bench.server.port)
      let (_, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(response.statusCode == 200)
      #expect(bench.server.requests[2].headers["Authorization"]?.contains("nonce=\"new\"") == true)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.log.all(.attemptChallengeReceived).map { $0.number("previousFailures") } == [0, 0])
    }
  }

  // MARK: Delegate

  @Test func `The delegate is asked again after each rejected credential`() async throws {
    let asked = Mutexed<[TransferSession.AuthenticationChallenge]>([])
    let delegate = RecordingDelegate(challenge: { challenge in
      asked.value.append(challenge)
      return (.useCredential, Credential(user: "anna", password: "try \(challenge.previousFailureCount)"))
    })
    let responses = [Self.basic, Self.basic, ScriptedResponse(body: "secret")]
    try await Bench.run([.init("/a", responses)], delegate: delegate) { bench in
      let task = try bench.session.uploadTask(with: bench.request("/a", .put), from: Data("body".utf8))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.response?.statusCode == 200 && delegate.seen.data[1] == Array("secret".utf8))
      #expect(asked.value.map(\.previousFailureCount) == [0, 1])
      #expect(asked.value[0].protectionSpace.realm == "here" && asked.value[0].protectionSpace.port == bench.server.port)
      #expect(asked.value[0].failureResponse?.statusCode == 401)
      #expect(bench.server.requests.allSatisfy { $0.requestBodyBytes == 4 })
      #expect(bench.log.all(.attemptChallengeAnswered).map { $0.text("disposition") } == ["useCredential", "useCredential"])
      #expect(bench.log.all(.taskHeld).map { $0.text("hold") } == ["challenge", "challenge"])
    }
  }

  @Test func `A delegate can cancel a challenge or reject its authentication method`() async throws {
    let methods = Mutexed<[TransferSession.AuthenticationMethod]>([])
    let delegate = RecordingDelegate(challenge: { challenge in
      methods.value.append(challenge.protectionSpace.authenticationMethod)
      return methods.value.count == 1 ? (.cancelAuthenticationChallenge, nil) : (.rejectProtectionSpace, nil)
    })
    try await Bench.run([.init("/a", Self.asking)], delegate: delegate) { bench in
      let first = try bench.session.dataTask(with: bench.request("/a"))
      first.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(first.error?.code == .userCancelledAuthentication && first.error?.curlExitCode == 67)
      let second = try bench.session.dataTask(with: bench.request("/a"))
      second.resume()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(second.response?.statusCode == 401 && delegate.seen.data[2] == Array("who?".utf8))
      #expect(methods.value == [.httpDigest, .httpDigest, .httpBasic])
    }
  }

  @Test func `An unanswered challenge holds its task until the task is cancelled`() async throws {
    let kept = Mutexed<[@Sendable (TransferSession.AuthChallengeDisposition, Credential?) -> Void]>([])
    let delegate = SilentDelegate { kept.value.append($0) }
    try await Bench.run([.init("/a", Self.basic)], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskHeld)
      #expect(bench.log.all(.taskHeld)[0].text("hold") == "challenge")
      task.cancel()
      await bench.log.wait(for: .taskAcknowledged)
      // Late and repeated answers have no effect.
      for answer in kept.value { answer(.useCredential, Self.right) }
      #expect(task.error?.code == .cancelled && bench.server.requests.count == 1)
    }
  }

  private final class SilentDelegate: TransferSessionDelegate {
    private let keep: @Sendable (@escaping @Sendable (TransferSession.AuthChallengeDisposition, Credential?) -> Void) -> Void

    init(
      _ keep: @escaping @Sendable (@escaping @Sendable (TransferSession.AuthChallengeDisposition, Credential?) -> Void) -> Void
    ) {
      self.keep = keep
    }

    func urlSession(
      _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
      completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
    ) {
      keep(completionHandler)
    }
  }

  @Test func `A credential's descriptions do not contain the user or the password`() {
    let shown = "\(Self.right) \(String(reflecting: Self.right)) \(Mirror(reflecting: Self.right).children.count)"
    #expect(shown == "Credential Credential 0")
  }
}
