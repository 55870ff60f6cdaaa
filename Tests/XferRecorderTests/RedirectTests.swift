import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct RedirectTests {
  private static let routes: [ServerScript.Route] = [.init("/from", .redirect(to: "/to")), .init("/to", .generated(1000))]

  @Test(arguments: [false, true])
  func `A followed redirect adds a transaction`(toFile: Bool) async throws {
    let log = try await Bench.run(Self.routes) { bench in
      let delegate = AppDelegate { $0.file = { bench.leftOver($1) } }
      let session = bench.session(delegate)
      var request = URLRequest(url: bench.url("/from"))
      request.setValue("Bearer x", forHTTPHeaderField: "Authorization")
      let task = toFile ? session.downloadTask(with: request) : session.dataTask(with: request)
      await bench.carry(task, in: session)
    }
    #expect(log.all(.attemptResponseReceived).map(\.status) == [302, 200])
    #expect(log.all(.attemptResponseReceived).map(\.transaction) == [1, 2])
    #expect(try log.first(.attemptRedirectReceived).host == "127.0.0.1")
    let answered = try log.first(.attemptRedirectAnswered)
    #expect(answered.decision == .followed)
    #expect(answered.by == .app)
    #expect(answered.credentialsKept == true)
    #expect(log.all(.taskHeld).map(\.hold) == [.redirect])
    #expect(log.all(.taskHoldEnded).count == 1)
    #expect(try log.first(.taskCompleted).received == 1000)
    #expect(try log.findings() == (toFile ? ["temp-file-not-moved"] : []))
  }

  @Test func `The response of a refused redirect becomes the result`() async throws {
    let log = try await Bench.run([.init("/from", ScriptedResponse(status: 302, body: "moved", redirect: "/to"))]) { bench in
      let session = bench.session(AppDelegate { $0.redirect = { _ in nil } })
      await bench.carry(session.dataTask(with: bench.url("/from")), in: session)
    }
    #expect(log.all(.attemptResponseReceived).map(\.status) == [302])
    #expect(try log.first(.attemptRedirectAnswered).decision == .refusedByApp)
    #expect(try log.first(.taskCompleted).status == 302)
    #expect(try log.first(.taskCompleted).received == 5)
    #expect(try log.findings() == [])
  }

  @Test func `Without a delegate, URLSession follows redirects by default`() async throws {
    let log = try await Bench.run(Self.routes) { bench in
      let session = bench.session()
      await bench.carry(session.dataTask(with: bench.url("/from")), in: session)
    }
    #expect(try log.first(.attemptRedirectAnswered).by == .engine)
    #expect(try log.first(.taskCompleted).received == 1000)
    #expect(log.all(.deliveryEntered).isEmpty)
    #expect(log.all(.deliveryDropped).allSatisfy { $0.why == .noConsumer })
    #expect(try log.findings() == [])
  }
}
