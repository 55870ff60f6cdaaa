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
}
