import Foundation
import Testing
import XferEvents
import XferRecorder
import XferScript

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct DataTests {
  @Test func `A data task is recorded from its creation to its acknowledgement`() async throws {
    let delegate = AppDelegate()
    let log = try await Bench.run([.init("/a", .generated(100_000))]) { bench in
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/a?page=2")), in: session)
    }
    #expect(delegate.received == ScriptBody.bytes(seed: 1, size: 100_000))
    let expected = [
      "task.created", "task.resumed", "attempt.started", "attempt.requestSent", "attempt.responseReceived",
      "delivery.received", "delivery.entered", "delivery.left", "attempt.bytesReceived", "attempt.bytesReceived",
      "attempt.ended", "task.transferred", "delivery.received", "delivery.entered", "delivery.left", "task.completed",
      "task.acknowledged",
    ]
    #expect(log.story == expected)
    let created = try log.first(.taskCreated)
    #expect(created.type == .data)
    #expect(created.completion == .delegate)
    #expect(created.method == "GET")
    #expect(created.scheme == "http")
    #expect(created.host == "127.0.0.1")
    #expect(created.port != nil)
    if case .hashed = created.path {} else { Issue.record("\(String(describing: created.path)) is not hashed") }
    let response = try log.first(.attemptResponseReceived)
    #expect(response.status == 200)
    #expect(response.expected == 100_000)
    let completed = try log.first(.taskCompleted)
    #expect(completed.status == 200)
    #expect(completed.received == 100_000)
    #expect(completed.error == nil)
    #expect(try log.findings() == [])
  }

  @Test func `Progress is recorded for the first and last bytes, and once per second in between`() async throws {
    let clock = ManualTime()
    let seconds = 4
    let delegate = AppDelegate { $0.data = { _ in clock.advance(by: .milliseconds(500)) } }
    let body = ScriptedResponse(
      body: .generated(size: 1000, seed: 1), pieces: .init(size: 1000 / (2 * seconds), delay: .milliseconds(20)))
    let log = try await Bench.run([.init("/a", body)], now: { clock.now }) { bench in
      let session = bench.session(delegate)
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    let said = log.all(.attemptBytesReceived).compactMap(\.received)
    #expect(said.last == 1000)
    #expect(said.count <= seconds + 1)
    #expect(said == said.sorted() && Set(said).count == said.count)
  }

  @Test func `A completion with status 404 has no error`() async throws {
    let log = try await Bench.run([.init("/a", ScriptedResponse(status: 404, body: "no"))]) { bench in
      let session = bench.session(AppDelegate())
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    #expect(try log.first(.taskCompleted).status == 404)
    #expect(try log.first(.taskCompleted).error == nil)
    #expect(try log.replayed().tasks.map(\.outcome) == ["failed"])
  }

  @Test func `A connection reset during the body is recorded with URLSession's error number and name`() async throws {
    let response = ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .reset))
    let log = try await Bench.run([.init("/a", response)]) { bench in
      let session = bench.session(AppDelegate())
      await bench.carry(session.dataTask(with: bench.url("/a")), in: session)
    }
    let ended = try log.first(.attemptEnded)
    #expect(ended.end == .transport)
    #expect(ended.received == 25_000)
    let completed = try log.first(.taskCompleted)
    #expect(completed.domain == .url)
    #expect(completed.error == -1005)
    #expect(completed.errorName == "networkConnectionLost")
    #expect(log.all(.taskTransferred).isEmpty)
    #expect(try log.findings() == [])
  }

  @Test func `A refused connection is recorded as a failed attempt`() async throws {
    let log = try await Bench.run { bench in
      let session = bench.session(AppDelegate())
      await bench.carry(session.dataTask(with: URL(string: "http://127.0.0.1:1/")!), in: session)
    }
    #expect(log.story.filter { $0.hasPrefix("attempt.") } == ["attempt.started", "attempt.ended"])
    #expect(try log.first(.taskCompleted).errorName == "cannotConnectToHost")
    #expect(try log.findings() == [])
  }

  @Test func `A cancelled task completes as cancelled by the app`() async throws {
    let response = ScriptedResponse(body: .generated(size: 50_000, seed: 1), cut: .init(.midBody, .hang))
    let log = try await Bench.run([.init("/a", response)]) { bench in
      let session = bench.session(AppDelegate())
      let task = session.dataTask(with: bench.url("/a"))
      session.resume(task)
      await bench.log.wait(for: .attemptBytesReceived)
      session.cancel(task)
      await bench.log.wait(for: .taskCompleted)
    }
    #expect(try log.first(.taskCancelRequested).by == .app)
    #expect(try log.first(.attemptEnded).end == .cancelled)
    #expect(try log.first(.taskCompleted).cancelReason == CancelReason.none)
    #expect(try log.first(.taskCompleted).errorName == "cancelled")
    #expect(try log.replayed().tasks.map(\.outcome) == ["cancelled"])
    #expect(try log.findings() == [])
  }

  @Test func `A task cancelled before its start has no attempt`() async throws {
    let log = try await Bench.run([.init("/a", .generated(1))]) { bench in
      let session = bench.session(AppDelegate())
      session.cancel(session.dataTask(with: bench.url("/a")))
      await bench.log.wait(for: .taskCompleted)
    }
    #expect(log.story.filter { $0.hasPrefix("attempt.") } == [])
    #expect(try log.findings() == [])
  }

  @Test func `A task that the app resumes directly is recorded from its first delegate callback`() async throws {
    let log = try await Bench.run([.init("/a", .generated(10))]) { bench in
      let session = bench.session(AppDelegate())
      session.urlSession.dataTask(with: bench.url("/a")).resume()
      await bench.log.wait(for: .taskCompleted)
    }
    #expect(log.story.prefix(3) == ["task.created", "task.resumed", "attempt.started"])
    #expect(try log.first(.taskResumed).by == .unknown)
    #expect(try log.findings() == [])
  }

  @Test func `A transfer that URLSession restarts after a suspension is recorded as a second attempt`() async throws {
    let hanging = ScriptedResponse(body: .generated(size: 40_000, seed: 1), cut: .init(.midBody, .hang))
    let log = try await Bench.run([.init("/a", [hanging, .generated(40_000)])]) { bench in
      let session = bench.session(AppDelegate())
      let task = session.dataTask(with: bench.url("/a"))
      session.resume(task)
      await bench.log.wait(for: .attemptBytesReceived)
      session.suspend(task)
      session.resume(task)
      await bench.log.wait(for: .taskCompleted)
    }
    let steps: [EventKind] = [.taskResumed, .taskSuspended]
    #expect(
      log.events.compactMap { event in steps.contains { $0 == event.kind } ? event.kind : nil }
        == [.taskResumed, .taskSuspended, .taskResumed])
    #expect(log.all(.attemptStarted).map(\.attempt) == [1, 2])
    #expect(log.all(.attemptEnded).map(\.end) == [.suspended, .finished])
    #expect(try log.first(.taskCompleted).received == 40_000)
    #expect(try log.findings() == [])
  }
}
