import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of connections that the server closes while their task is suspended.
struct SuspensionTests {
  /// The body size: more than sockets and the engine buffer, so that the task is suspended before the end arrives.
  private static let size = 60_000_000
  private static let cut = 40_000_000

  private static func response(_ seed: UInt64 = 1, _ tag: String? = "\"1\"", cut: Int? = nil) -> ScriptedResponse {
    var headers: ScriptHeaders = [:]
    if let tag { headers = ["ETag": tag] }
    return ScriptedResponse(
      headers: headers, body: .generated(size: size, seed: .value(seed)), cut: cut.map { .init(.afterBodyBytes($0), .close) },
      ranges: .honour)
  }

  /// Suspends the task after its first bytes, and resumes it after the server has closed the connection.
  private func run(
    _ responses: [ScriptedResponse], _ start: @escaping (Bench) throws -> TransferTask,
    _ check: (Bench, TransferTask) async throws -> Void
  ) async throws {
    let task = Mutexed<TransferTask?>(nil)
    let log = RecordingSink { kind in if kind == .attemptBytesReceived { task.value?.suspend() } }
    try await Bench.run([.init("/a", responses), .init("/quick", .generated(1))], log: log) { bench in
      let made = try start(bench)
      task.value = made
      made.resume()
      await log.wait(for: .taskSuspended)
      task.value = nil
      _ = try await bench.session.data(for: bench.request("/quick"))
      let received = made.countOfBytesReceived
      #expect(received < Self.size)
      made.resume()
      await log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == made.uid } }
      try await check(bench, made)
    }
  }

  private func download(_ bench: Bench) throws -> TransferTask {
    try bench.session.downloadTask(with: bench.request("/a")) { file, _, _ in
      try? file?.move(to: bench.path("got"))
    }
  }

  @Test func `A download resumes at its offset after suspension, even without retries`() async throws {
    try await run([Self.response(cut: Self.cut), Self.response()], download) { bench, task in
      #expect(task.error == nil)
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(bench.server.requests.map { $0.headers["Range"] }.last == "bytes=\(Self.cut)-")
      let ended = bench.log.all(.attemptEnded).filter { $0.task?.uid == task.uid }
      #expect(ended.map { $0.text("end") } == ["suspended", "finished"])
    }
  }

  @Test func `A resource that changed during the suspension is downloaded from the beginning`() async throws {
    try await run([Self.response(cut: Self.cut), Self.response(2, "\"2\"")], download) { bench, task in
      #expect(task.error == nil && bench.bytes("got") == ScriptBody.bytes(seed: 2, size: Self.size))
    }
  }

  @Test func `A data task starts from the beginning after its connection was lost in suspension`() async throws {
    let got = Mutexed<Data?>(nil)
    try await run([Self.response(cut: Self.cut), Self.response(2, nil)]) { bench in
      try bench.session.dataTask(with: bench.request("/a")) { data, _, _ in got.value = data }
    } _: { _, task in
      #expect(task.error == nil && got.value.map(Array.init) == ScriptBody.bytes(seed: 2, size: Self.size))
    }
  }

  @Test func `A second loss after the suspension fails the task`() async throws {
    try await run([Self.response(cut: Self.cut), Self.response(cut: 1000), Self.response()], download) { bench, task in
      #expect(task.error?.code == .networkConnectionLost)
      let path = try #require(task.error?.downloadTaskResumeData).split(separator: UInt8(ascii: "\n"))[1]
      let record = try #require(JSONSerialization.jsonObject(with: path) as? [String: Any])
      try FileManager.default.removeItem(atPath: #require(record["file"] as? String))
    }
  }

  @Test func `A POST fails when its connection is lost in suspension`() async throws {
    try await run([Self.response(cut: Self.cut), Self.response()]) { bench in
      try bench.session.dataTask(with: bench.request("/a", .post)) { _, _, _ in }
    } _: { bench, task in
      #expect(task.error?.code == .networkConnectionLost)
    }
  }

  @Test func `Timeouts do not run while a task is suspended`() async throws {
    let clock = ManualClock()
    let silent = ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .hang))
    try await Bench.run([.init("/a", silent), .init("/quick", .generated(1))], clock: clock) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in }
      task.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      task.suspend()
      _ = try await bench.session.data(for: bench.request("/quick"))
      clock.advance(by: .seconds(1_000_000))
      _ = try await bench.session.data(for: bench.request("/quick"))
      #expect(task.error == nil)
      task.resume()
      _ = try await bench.session.data(for: bench.request("/quick"))
      #expect(task.state == .running)
      clock.advance(by: .seconds(60))
      await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
      #expect(task.error?.code == .timedOut)
    }
  }
}
