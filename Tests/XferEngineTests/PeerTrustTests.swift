import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents

/// Tests of TLS challenges to the delegate: server trust and client certificates.
///
/// Serialized for the same reason as `TLSTests`.
@Suite(.serialized)
struct PeerTrustTests {
  private typealias Challenge = TransferSession.AuthenticationChallenge

  /// A session whose delegate records its challenges.
  private final class Visit {
    let log = RecordingSink()
    let asked = Mutexed<[TransferSession.AuthenticationChallenge]>([])
    let session: TransferSession

    init(
      _ configure: (inout TransferSession.Configuration) -> Void = { _ in },
      answer: @escaping RecordingDelegate.Challenge = { _ in (.performDefaultHandling, nil) }
    ) {
      var configuration = TransferSession.Configuration.ephemeral
      configuration.asksAboutServerTrust = true
      // A file that is ten seconds old on a busy machine would be fresh for a second, and be answered from the cache.
      configuration.urlCache = nil
      configure(&configuration)
      let asked = asked
      let delegate = RecordingDelegate(challenge: { challenge in
        asked.value.append(challenge)
        return answer(challenge)
      })
      session = TransferSession(configuration: configuration, delegate: delegate, sink: log, names: SessionNames())
    }

    func get(_ url: String) async -> Result<TransferResponse, TransferError> {
      do throws(TransferError) {
        return .success(try await session.data(for: HTTPRequest(method: .get, urlText: url)).1)
      } catch {
        return .failure(error)
      }
    }

    func end() async {
      session.finishTasksAndInvalidate()
      await log.wait { $0.contains { $0.kind == .deliveryLeft && $0.text("callback") == "didBecomeInvalid" } }
      #expect(LogChecks.problems(in: log.events) == [])
    }

    /// The number of requests that were sent.
    var sent: Int { log.all(.attemptRequestSent).count }
  }

  private func code(_ result: Result<TransferResponse, TransferError>) -> TransferError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  /// An answer that trusts every server.
  private static let trusting: RecordingDelegate.Challenge = { challenge in
    challenge.protectionSpace.serverTrust.map { (.useCredential, .init(trust: $0)) } ?? (.performDefaultHandling, nil)
  }

  // MARK: Server trust

  @Test func `The delegate gets one challenge for a valid server, before any request is sent`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server)
    let sentWhenAsked = Mutexed<[Int]>([])
    let log = Mutexed<RecordingSink?>(nil)
    let visit = Visit {
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { challenge in
      sentWhenAsked.value.append(log.value?.all(.attemptRequestSent).count ?? -1)
      return Self.trusting(challenge)
    }
    log.value = visit.log
    for _ in 0..<3 { #expect(try await visit.get(server.url("/file", host: "localhost")).get().statusCode == 200) }
    let asked = visit.asked.value
    #expect(asked.count == 1 && sentWhenAsked.value == [0])
    let trust = try #require(asked.first?.protectionSpace.serverTrust)
    #expect(trust.isValid && trust.problem == nil && asked[0].error == nil)
    #expect(asked[0].protectionSpace.host == "localhost" && asked[0].protectionSpace.port == server.port)
    #expect(asked[0].protectionSpace.authenticationMethod == .serverTrust)
    #expect(try trust.publicKeyPin == authority.pin())
    let pem = try String(contentsOfFile: authority.path("server.pem"), encoding: .utf8)
    #expect(pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined() == trust.certificates[0].base64EncodedString())
    #expect(visit.log.all(.attemptChallengeReceived).map { $0.text("challengeMethod") } == ["serverTrust"])
    #expect(visit.log.all(.attemptChallengeAnswered).map { $0.text("disposition") } == ["useCredential"])
    #expect(visit.log.all(.messageFault).isEmpty)
    #expect(visit.sent == 3)
    await visit.end()
  }

  @Test func `A trusted server with an invalid certificate is pinned to its key, and a fault is logged`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.stranger)
    let visit = Visit(answer: Self.trusting)
    #expect(try await visit.get(server.url("/file", host: "localhost")).get().statusCode == 200)
    // The certificate is also for another host name.
    #expect(try await visit.get(server.url("/file", host: "127.0.0.1")).get().statusCode == 200)
    let asked = visit.asked.value
    #expect(asked.count == 2)
    #expect(
      asked.allSatisfy { $0.protectionSpace.serverTrust?.isValid == false && $0.error?.code == .serverCertificateUntrusted })
    let pin = try #require(asked[0].protectionSpace.serverTrust?.publicKeyPin)
    let faults = visit.log.all(.messageFault)
    #expect(faults.count == 2 && "\(faults[0])".contains(pin))
    await visit.end()
  }

  @Test func `A trusted server that changes its key causes another challenge`() async throws {
    let authority = try Authority()
    let other = try Authority()
    let answers = Mutexed(0)
    let visit = Visit(answer: { challenge in
      answers.value += 1
      return answers.value == 1 ? Self.trusting(challenge) : (.performDefaultHandling, nil)
    })
    var server: WebServer? = try WebServer(root: authority.root, identity: authority.stranger)
    let (port, url) = (server!.port, server!.url("/file", host: "localhost"))
    #expect(try await visit.get(url).get().statusCode == 200)
    server = nil
    server = try WebServer(root: authority.root, identity: other.stranger, port: port)
    #expect(code(await visit.get(url)) == .serverCertificateUntrusted)
    let pins = visit.asked.value.map { $0.protectionSpace.serverTrust?.publicKeyPin }
    #expect(pins.count == 2 && pins[0] != pins[1])
    #expect(visit.sent == 1, "the server with the untrusted key must not receive a request")
    await visit.end()
    _ = server
  }

  @Test func `If the app does not trust a server, the certificate or the disposition decides`() async throws {
    let authority = try Authority()
    let good = try WebServer(root: authority.root, identity: authority.server)
    let bad = try WebServer(root: authority.root, identity: authority.stranger)
    typealias Disposition = TransferSession.AuthChallengeDisposition
    let wanted: [(Disposition, good: TransferError.Code?, bad: TransferError.Code?)] = [
      (.performDefaultHandling, nil, .serverCertificateUntrusted), (.useCredential, nil, .serverCertificateUntrusted),
      (.rejectProtectionSpace, .serverCertificateUntrusted, .serverCertificateUntrusted),
      (.cancelAuthenticationChallenge, .userCancelledAuthentication, .userCancelledAuthentication),
    ]
    for (disposition, goodCode, badCode) in wanted {
      let visit = Visit {
        $0.serverTrust.authoritiesFile = authority.certificate
      } answer: { _ in
        (disposition, nil)
      }
      #expect(code(await visit.get(good.url("/file", host: "localhost"))) == goodCode, "\(disposition)")
      #expect(code(await visit.get(bad.url("/file", host: "localhost"))) == badCode, "\(disposition)")
      #expect(visit.asked.value.count == 2 && visit.log.all(.messageFault).isEmpty)
      #expect(visit.sent == (goodCode == nil ? 1 : 0))
      await visit.end()
    }
  }

  @Test func `A credential with the trust object of another server does not count`() async throws {
    let authority = try Authority()
    let good = try WebServer(root: authority.root, identity: authority.server)
    let bad = try WebServer(root: authority.root, identity: authority.stranger)
    let first = Mutexed<TransferSession.PeerTrust?>(nil)
    let visit = Visit {
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { challenge in
      if first.value == nil { first.value = challenge.protectionSpace.serverTrust }
      return (.useCredential, .init(trust: first.value!))
    }
    #expect(code(await visit.get(good.url("/file", host: "localhost"))) == nil)
    #expect(code(await visit.get(bad.url("/file", host: "localhost"))) == .serverCertificateUntrusted)
    await visit.end()
  }

  @Test func `The app cannot override the session's pinned keys`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server)
    let visit = Visit(
      {
        $0.serverTrust.authoritiesFile = authority.certificate
        $0.serverTrust.pinnedPublicKeys = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
      }, answer: Self.trusting)
    #expect(code(await visit.get(server.url("/file", host: "localhost"))) == .serverCertificateUntrusted)
    #expect(visit.asked.value.isEmpty && visit.sent == 0)
    await visit.end()
  }

  @Test func `Without the configuration setting there is no server trust challenge`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.stranger)
    let visit = Visit({ $0.asksAboutServerTrust = false }, answer: Self.trusting)
    #expect(code(await visit.get(server.url("/file", host: "localhost"))) == .serverCertificateUntrusted)
    #expect(visit.asked.value.isEmpty)
    await visit.end()
  }

  @Test func `A task can be cancelled while its challenge is unanswered`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.server)
    let log = RecordingSink()
    var configuration = TransferSession.Configuration.ephemeral
    configuration.asksAboutServerTrust = true
    let session = TransferSession(configuration: configuration, delegate: SilentDelegate(), sink: log, names: SessionNames())
    let task = try session.dataTask(with: HTTPRequest(method: .get, urlText: server.url("/file", host: "localhost")))
    task.resume()
    await log.wait { $0.contains { $0.kind == .deliveryLeft } }
    #expect(log.all(.taskHeld).map { $0.text("hold") } == ["challenge"])
    task.cancel()
    await log.wait(for: .taskAcknowledged)
    #expect(task.error?.code == .cancelled)
    session.finishTasksAndInvalidate()
    await log.wait { $0.contains { $0.kind == .deliveryLeft && $0.text("callback") == "didBecomeInvalid" } }
    #expect(LogChecks.problems(in: log.events) == [])
  }

  private final class SilentDelegate: TransferSessionDelegate {
    func urlSession(
      _ session: TransferSession, task: TransferTask, didReceive challenge: TransferSession.AuthenticationChallenge,
      completionHandler: @escaping @Sendable (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) -> Void
    ) {}
  }

  @Test func `A server trust challenge does not make an upload send its body twice`() async throws {
    let authority = try Authority()
    let server = try WebServer(
      root: authority.root, identity: authority.server, directives: "dav_methods PUT;")
    let visit = Visit({ $0.serverTrust.authoritiesFile = authority.certificate }, answer: Self.trusting)
    let made = Mutexed(0)
    let (_, response) = try await visit.session.upload(
      for: HTTPRequest(method: .put, urlText: server.url("/put", host: "localhost")),
      stream: {
        made.value += 1
        return RequestBodyStream(
          AsyncStream {
            $0.yield(Data(repeating: 1, count: 1000)); $0.finish()
          }, length: 1000)
      })
    #expect(response.statusCode == 201 && made.value == 1)
    #expect(FileManager.default.contents(atPath: authority.root + "/put")?.count == 1000)
    #expect(visit.asked.value.count == 1 && visit.sent == 1)
    await visit.end()
  }

  // MARK: Client certificates

  private func certificate(_ authority: Authority) -> TransferSession.ClientCertificate {
    .init(certificateFile: authority.path("client.pem"), keyFile: authority.path("client.key"))
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `A server that requires a client certificate gets one from the app`(version: String) async throws {
    let authority = try Authority()
    let server = try DemandingServer(authority, version)
    let own = certificate(authority)
    let visit = Visit {
      $0.asksAboutServerTrust = false
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { challenge in
      challenge.protectionSpace.authenticationMethod == .clientCertificate && challenge.previousFailureCount == 0
        ? (.useCredential, .init(clientCertificate: own)) : (.performDefaultHandling, nil)
    }
    for _ in 0..<2 { #expect(try await visit.get(server.url).get().statusCode == 200) }
    let asked = visit.asked.value
    #expect(asked.map(\.protectionSpace.authenticationMethod) == [.clientCertificate])
    #expect(asked[0].error != nil)
    #expect(visit.log.all(.attemptChallengeReceived).map { $0.text("challengeMethod") } == ["clientCertificate"])
    await visit.end()
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `Without an accepted client certificate, the task fails with the handshake's error`(version: String) async throws {
    let (authority, other) = (try Authority(), try Authority())
    let server = try DemandingServer(authority, version)
    let none = Visit {
      $0.asksAboutServerTrust = false
      $0.serverTrust.authoritiesFile = authority.certificate
    }
    let refused = code(await none.get(server.url))
    #expect(refused == .secureConnectionFailed || refused == .networkConnectionLost)
    await none.end()
    let strange = certificate(other)
    let visit = Visit {
      $0.asksAboutServerTrust = false
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { challenge in
      challenge.previousFailureCount < 2 ? (.useCredential, .init(clientCertificate: strange)) : (.performDefaultHandling, nil)
    }
    #expect(code(await visit.get(server.url)) != nil)
    #expect(visit.asked.value.map(\.previousFailureCount) == [0, 1, 2])
    await visit.end()
  }

  @Test func `A session can ask for a client certificate before the first request`() async throws {
    let authority = try Authority()
    let directives = "ssl_client_certificate \(authority.certificate); ssl_verify_client on;"
    let server = try WebServer(root: authority.root, identity: authority.server, directives: directives)
    let own = certificate(authority)
    let visit = Visit {
      $0.asksForClientCertificate = true
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { challenge in
      challenge.protectionSpace.authenticationMethod == .clientCertificate
        ? (.useCredential, .init(clientCertificate: own)) : Self.trusting(challenge)
    }
    for _ in 0..<2 { #expect(try await visit.get(server.url("/file", host: "localhost")).get().statusCode == 200) }
    #expect(visit.asked.value.map(\.protectionSpace.authenticationMethod) == [.serverTrust, .clientCertificate])
    #expect(visit.sent == 2)
    await visit.end()
  }

  @Test func `The probe for a client certificate still verifies the server`() async throws {
    let authority = try Authority()
    let server = try WebServer(root: authority.root, identity: authority.stranger)
    let visit = Visit({ ($0.asksForClientCertificate, $0.asksAboutServerTrust) = (true, false) })
    #expect(code(await visit.get(server.url("/file", host: "localhost"))) == .serverCertificateUntrusted)
    #expect(visit.asked.value.isEmpty && visit.log.all(.attemptConnectionAcquired).isEmpty)
    await visit.end()
  }

  @Test func `An unreadable client certificate fails the task, and the next task asks the app again`() async throws {
    let authority = try Authority()
    let directives = "ssl_client_certificate \(authority.certificate); ssl_verify_client on;"
    let server = try WebServer(root: authority.root, identity: authority.server, directives: directives)
    let own = certificate(authority)
    let missing = TransferSession.ClientCertificate(certificateFile: authority.path("nobody.pem"))
    let count = Mutexed(0)
    let visit = Visit {
      ($0.asksForClientCertificate, $0.asksAboutServerTrust) = (true, false)
      $0.serverTrust.authoritiesFile = authority.certificate
    } answer: { _ in
      count.value += 1
      return (.useCredential, .init(clientCertificate: count.value == 1 ? missing : own))
    }
    #expect(code(await visit.get(server.url("/file", host: "localhost"))) == .clientCertificateRejected)
    #expect(try await visit.get(server.url("/file", host: "localhost")).get().statusCode == 200)
    #expect(count.value == 2)
    await visit.end()
  }

  /// An `openssl s_server` that aborts the handshake if the client has no certificate of the authority. nginx would answer 400.
  private final class DemandingServer {
    private let process: Process
    private let port: Int

    init(_ authority: Authority, _ version: String) throws {
      port = try LoopbackPort.free()
      process = ToolRun.process(
        "/usr/bin/openssl",
        [
          "s_server", "-accept", "127.0.0.1:\(port)", "-cert", authority.server.certificate, "-key", authority.server.key,
          "-CAfile",
          authority.certificate, "-Verify", "1", "-verify_return_error", version, "-WWW", "-quiet",
        ])
      process.currentDirectoryURL = URL(fileURLWithPath: authority.root)
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      guard WebServer.accepts(port) else { throw WebServer.Failure(said: "openssl s_server does not listen") }
    }

    deinit {
      // The child inherits the blocked signals of the test's thread, so only SIGKILL is certain to end it.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    var url: String { "https://localhost:\(port)/file" }
  }
}
