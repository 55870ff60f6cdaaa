import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct ChallengeTests {
  private static let refusal = ScriptedResponse(
    status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: "no")
  private static let route = ServerScript.Route("/a", [refusal, .generated(1000)])

  @Test func `A challenge that is answered with a credential repeats the request`() async throws {
    let delegate = AppDelegate {
      $0.challenge = { _ in (.useCredential, URLCredential(user: "me", password: "secret", persistence: .none)) }
    }
    let log = try await Bench.run([Self.route]) { bench in
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
      #expect(bench.server.requests.map { $0.headers["Authorization"] != nil } == [false, true])
    }
    let received = try log.first(.attemptChallengeReceived)
    #expect(received.challengeMethod == .basic)
    #expect(received.host == "127.0.0.1")
    #expect(received.previousFailures == 0)
    let answered = try log.first(.attemptChallengeAnswered)
    #expect(answered.disposition == .useCredential)
    #expect(answered.challenge == received.challenge)
    #expect(answered.by == .app)
    #expect(log.all(.taskHeld).map(\.hold) == [.challenge])
    #expect(log.all(.attemptRequestSent).map(\.transaction) == [1, 2])
    #expect(try log.first(.taskCompleted).status == 200)
    #expect(try log.first(.taskCompleted).received == 1000)
    #expect(try log.findings() == [])
  }

  @Test func `A challenge that is cancelled ends the task`() async throws {
    let log = try await Bench.run([Self.route]) { bench in
      let session = bench.session(AppDelegate { $0.challenge = { _ in (.cancelAuthenticationChallenge, nil) } })
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    #expect(try log.first(.attemptChallengeAnswered).disposition == .cancel)
    #expect(try log.first(.taskCompleted).errorName == "cancelled")
    #expect(try log.findings() == [])
  }

  @Test func `A challenge of the session is forwarded and recorded without a task`() async throws {
    let delegate = SessionChallengeDelegate()
    let log = try await Bench.run { bench in
      let session = bench.session(delegate).urlSession
      // FoundationNetworking calls this method for no challenge of a server.
      let proxy = try #require(session.delegate)
      let answer = await withCheckedContinuation { continuation in
        proxy.urlSession(session, didReceive: .untrustedServer) { disposition, _ in continuation.resume(returning: disposition) }
      }
      #expect(answer == .cancelAuthenticationChallenge)
    }
    #expect(delegate.hosts == ["example.test"])
    let deliveries = log.events.filter { $0.callback == .didReceiveChallenge }
    #expect(deliveries.map(\.layout.name) == ["delivery.received", "delivery.entered", "delivery.left"])
    #expect(deliveries.allSatisfy { $0.task == nil && $0.session != nil })
  }

  @Test func `A challenge of the session has its default handling if there is no delegate`() async throws {
    let log = try await Bench.run { bench in
      let session = bench.session().urlSession
      let proxy = try #require(session.delegate)
      let answer = await withCheckedContinuation { continuation in
        proxy.urlSession(session, didReceive: .untrustedServer) { disposition, _ in continuation.resume(returning: disposition) }
      }
      #expect(answer == .performDefaultHandling)
    }
    #expect(log.events.allSatisfy { $0.callback != .didReceiveChallenge })
  }
}

extension URLAuthenticationChallenge {
  fileprivate static var untrustedServer: URLAuthenticationChallenge {
    let space = URLProtectionSpace(
      host: "example.test", port: 443, protocol: "https", realm: nil,
      authenticationMethod: "NSURLAuthenticationMethodServerTrust")
    return URLAuthenticationChallenge(
      protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
      sender: UnusedSender())
  }
}

/// A challenge is answered through its completion handler, so nothing calls its sender.
private final class UnusedSender: NSObject, URLAuthenticationChallengeSender {
  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
  func cancel(_ challenge: URLAuthenticationChallenge) {}
  func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
