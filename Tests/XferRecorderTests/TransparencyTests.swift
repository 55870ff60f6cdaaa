import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests that an app behaves the same with and without the recorder.
struct TransparencyTests {
  private static let routes: [ServerScript.Route] = [
    .init("/a", .generated(100_000)), .init("/from", .redirect(to: "/a")),
    .init("/404", ScriptedResponse(status: 404, body: "no")),
    .init("/cut", ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .reset))),
    .init("/private", [ScriptedResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]), .generated(10)]),
  ]

  private static let credential:
    @Sendable (URLAuthenticationChallenge) -> (
      URLSession.AuthChallengeDisposition, URLCredential?
    ) = { _ in (.useCredential, URLCredential(user: "me", password: "pass", persistence: .none)) }

  @Test(arguments: ["data /a", "data /from", "data /404", "data /cut", "data /private", "file /a", "file /cut", "upload /a"])
  func `A delegate gets the same calls with and without the recorder`(_ work: String) async throws {
    var calls: [[String]] = []
    var bodies: [[UInt8]] = []
    for isRecorded in [false, true] {
      let (delegate, end) = (SharedValue<AppDelegate>(), AsyncStream<Void>.makeStream())
      let left = LeftOverFiles()
      _ = try await Bench.run(Self.routes) { bench in
        delegate.value = AppDelegate {
          $0.challenge = Self.credential
          $0.file = { left.add($1) }
          $0.complete = { _, _ in end.continuation.finish() }
        }
        let recorded = bench.session(delegate.value)
        let plain = URLSession(configuration: .ephemeral, delegate: delegate.value, delegateQueue: nil)
        task(work, bench, isRecorded ? recorded.urlSession : plain).resume()
        for await _ in end.stream {}
      }
      calls.append(delegate.value!.calls.filter { $0 != "invalid" })
      bodies.append(delegate.value!.received)
    }
    #expect(calls[0] == calls[1])
    #expect(!calls[0].isEmpty)
    #expect(bodies[0] == bodies[1])
  }

  private func task(_ work: String, _ bench: Bench, _ session: URLSession) -> URLSessionTask {
    let words = work.split(separator: " ").map(String.init)
    let url = bench.url(words[1])
    switch words[0] {
    case "data": return session.dataTask(with: url)
    case "file": return session.downloadTask(with: url)
    default:
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      return session.uploadTask(with: request, from: Data(count: 100_000))
    }
  }

  @Test func `Callbacks that a delegate does not implement get URLSession's default behavior`() async throws {
    let delegate = QuietDelegate()
    let log = try await Bench.run(Self.routes) { bench in
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/from")), in: session)
      await bench.carry(session.dataTask(with: bench.url("/404")), in: session)
    }
    #expect(delegate.completions == 2)
    #expect(log.all(.taskCompleted).map(\.status) == [200, 404])
    #expect(try log.findings() == [])
  }

  @Test func `The app may call the recorder and the task from its callbacks`() async throws {
    let response = ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .hang))
    let log = try await Bench.run([.init("/a", response)]) { bench in
      let session = SharedValue<RecordedSession>()
      let delegate = AppDelegate {
        $0.response = { task in
          bench.recorder.app.note("cancelled at once", task: task)
          session.value?.cancel(task)
        }
        $0.complete = { task, _ in bench.recorder.app.record(.cancelled, of: task) }
      }
      session.value = bench.session(delegate)
      await bench.carry(session.value!.dataTask(with: bench.url("/a")), in: session.value!)
    }
    #expect(try log.first(.taskCompleted).errorName == "cancelled")
    #expect(try log.first(.appOutcomeRecorded).outcome == .cancelled)
    #expect(try log.findings() == [])
  }

  @Test func `Each callback of many concurrent tasks is recorded once`() async throws {
    let count = 40
    let delegate = AppDelegate()
    let log = try await Bench.run([.init("/*", .generated(20_000))]) { bench in
      let session = bench.session(delegate)
      let tasks = (0..<count).map { session.dataTask(with: bench.url("/\($0)")) }
      await withTaskGroup(of: Void.self) { group in
        for task in tasks { group.addTask { session.resume(task) } }
      }
      await bench.log.wait(for: .taskCompleted, count)
    }
    #expect(Set(log.all(.taskCreated).compactMap { $0.task?.uid }).count == count)
    #expect(Set(log.all(.taskCompleted).compactMap { $0.task?.uid }).count == count)
    let entered = log.all(.deliveryEntered).compactMap { $0.delivery?.rawValue }
    #expect(Set(entered).count == entered.count)
    #expect(entered.count == log.all(.deliveryLeft).count)
    #expect(try log.findings() == [])
  }
}
