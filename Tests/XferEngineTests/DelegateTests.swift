import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing
import XferEngine
import XferEvents
import XferScript

struct DelegateTests {
  @Test func `A data task calls its delegate with the response, the bytes, the metrics and the completion`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(3_000_000))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"), taskDescription: "film")
      #expect(task.state == .suspended)
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.calls == ["response", "data", "metrics", "complete"])
      #expect(delegate.seen.data[1] == ScriptBody.bytes(seed: 1, size: 3_000_000))
      #expect(delegate.seen.errors[1] == .some(nil))
      #expect(task.state == .completed)
      #expect(task.countOfBytesReceived == 3_000_000)
      #expect(task.taskIdentifier == 1)
      #expect(bench.log.all(.taskCreated)[0].text("label") == "film")
      // Frequent deliveries are not logged. Gaps in the delivery identifiers show their number.
      #expect(
        Set(bench.log.all(.deliverySent).map { $0.text("callback") }) == [
          "didReceiveResponse", "didFinishCollectingMetrics", "didComplete",
        ])
    }
  }

  @Test func `A download calls its delegate with progress, the file and the completion`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(3_000_000))], delegate: delegate) { bench in
      try bench.session.downloadTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      let notes = delegate.seen
      #expect(notes.calls == ["written", "file", "metrics", "complete"])
      #expect(notes.written.reduce(0) { $0 + $1.count } == 3_000_000)
      #expect(notes.written.last?.total == 3_000_000)
      #expect(notes.written.allSatisfy { $0.expected == 3_000_000 })
    }
  }

  @Test func `A slow delegate pauses the transfer instead of filling memory`() async throws {
    let delegate = RecordingDelegate(data: { _ in usleep(2_000) })
    try await Bench.run([.init("/a", .generated(20_000_000))], delegate: delegate) { bench in
      try bench.session.dataTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.data[1] == ScriptBody.bytes(seed: 1, size: 20_000_000))
      #expect(delegate.seen.largestData <= 1 << 20)
    }
  }

  @Test func `Callbacks run one at a time on the executor, and never on the engine's thread`() async throws {
    let delegate = RecordingDelegate(data: { _ in usleep(1_000) })
    let queue = DispatchQueue(label: "app", attributes: .concurrent)
    try await Bench.run([.init("/a", .generated(100_000))], delegate: delegate, executor: QueueExecutor(queue)) { bench in
      for _ in 0..<20 { try bench.session.dataTask(with: bench.request("/a")).resume() }
      await bench.log.wait(for: .taskAcknowledged, 20)
      #expect(delegate.seen.overlaps == 0)
      #expect(delegate.seen.completions.values.allSatisfy { $0 == 1 })
      #expect(Set(bench.log.all(.deliveryEntered).map { $0.text("queue") }) == ["app"])
      #expect(bench.log.all(.deliveryEntered).allSatisfy { $0.flag("onMainThread") == false })
      #expect(bench.log.all(.sessionCreated)[0].text("queue") == "app")
      let engine = Set(bench.log.all(.attemptStarted).map(\.thread))
      #expect(engine.count == 1)
      #expect(engine.isDisjoint(with: bench.log.all(.deliveryEntered).map(\.thread)))
    }
  }

  @Test func `Delivery identifiers have a random prefix per session`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(1))], delegate: delegate) { bench in
      for _ in 0..<5 { try bench.session.downloadTask(with: bench.request("/a")).resume() }
      await bench.log.wait(for: .taskAcknowledged, 5)
      let ids = bench.log.all(.deliverySent).compactMap { $0.identifier("delivery") }
      #expect(Set(ids).count == ids.count)
      #expect(Set(ids.map { $0 >> 32 }).count == 1)
      #expect(ids.allSatisfy { 1...100 ~= $0 & 0xFFFF_FFFF })
    }
  }

  @Test func `Metrics contain the durations of each transaction's phases`() async throws {
    let delegate = RecordingDelegate()
    let slow = ScriptedResponse(
      body: .generated(size: 100), delay: .init(beforeStatus: .milliseconds(400), beforeBody: .milliseconds(400)))
    try await Bench.run([.init("/r", .redirect(to: "/a")), .init("/a", slow)], delegate: delegate) { bench in
      try bench.session.dataTask(with: bench.request("/r")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      let metrics = try #require(delegate.seen.metrics[1])
      #expect(metrics.redirectCount == 1)
      #expect(metrics.taskInterval >= .milliseconds(800))
      let (first, second) = (metrics.transactionMetrics[0], metrics.transactionMetrics[1])
      #expect(first.statusCode == 302)
      #expect(first.isReusedConnection == false)
      #expect(first.connectTime != nil)
      #expect(first.secureTime == nil)
      #expect(second.statusCode == 200)
      #expect(second.isReusedConnection == true)
      #expect(second.connectTime == nil)
      // On a busy machine, libcurl can note the start of a phase late, which makes that phase shorter than the server's pause.
      #expect(second.firstByteTime ?? .zero >= .milliseconds(100))
      #expect(second.bodyTime ?? .zero >= .milliseconds(100))
      #expect(second.remotePort == bench.server.port)
      #expect(second.remoteAddress == "127.0.0.1")
      #expect(second.networkProtocolName == "http/1.1")
      #expect(second.countOfResponseBodyBytesReceived == 100)
      #expect(second.countOfRequestBytesSent > 30)
      let ended = bench.log.all(.attemptEnded)[0]
      #expect(ended.duration("firstByteTime") == second.firstByteTime)
      #expect(ended.duration("bodyTime") == second.bodyTime)
      #expect(bench.log.all(.attemptConnectionAcquired)[1].duration("idle") != nil)
    }
  }
}
