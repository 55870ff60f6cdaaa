import Dispatch
import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of data tasks whose delegate answers `becomeDownload`.
struct BecomeDownloadTests {
  private static let size = 700_000

  private func delegate(_ directory: Mutexed<String>) -> RecordingDelegate {
    RecordingDelegate(
      response: { _ in .becomeDownload }, file: { try $0.move(to: directory.value + "/got", replacing: true) })
  }

  private func run(
    _ responses: [ScriptedResponse], configure: (inout TransferSession.Configuration) -> Void = { _ in },
    log: RecordingSink = RecordingSink(), _ body: (Bench, RecordingDelegate) async throws -> Void
  ) async throws {
    let directory = Mutexed("")
    let delegate = delegate(directory)
    try await Bench.run([.init("/a", responses)], configure: configure, delegate: delegate, log: log) { bench in
      directory.value = bench.directory
      try await body(bench, delegate)
    }
  }

  @Test func `The download replaces the data task, which gets no further calls`() async throws {
    try await run([.generated(Self.size)]) { bench, delegate in
      var options = TransferSession.TaskOptions(metadata: ["film": "7"])
      options.priority = TransferTask.highPriority
      let task = try bench.session.dataTask(with: bench.request("/a"), taskDescription: "film", options: options)
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      let notes = delegate.seen
      #expect(notes.calls == ["response", "became", "written", "file", "metrics", "complete"])
      let download = try #require(notes.became.first?.download)
      #expect(notes.became.first?.data === task)
      #expect(download.taskIdentifier == task.taskIdentifier && download.uid != task.uid)
      #expect(download.taskDescription == "film" && download.metadata == ["film": "7"] && download.priority == 0.75)
      #expect(download.response?.statusCode == 200 && download.error == nil && download.state == .completed)
      #expect(download.countOfBytesReceived == Int64(Self.size))
      #expect(task.state == .completed && task.error == nil)
      #expect(notes.data[1] == nil, "the data task's delegate method gets no bytes")
      #expect(bench.bytes("got") == ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(notes.written.reduce(0) { $0 + $1.count } == Int64(Self.size))
      let handedOff = try #require(bench.log.all(.taskHandedOff).first)
      #expect(handedOff.task?.uid == task.uid)
      #expect("\(handedOff.values["successor"]!)".contains("\(download.uid)"))
      let created = bench.log.all(.taskCreated)
      #expect(created.map { $0.text("type") } == ["data", "download"] && created[1].text("label") == "film")
      #expect(bench.log.all(.attemptEnded).map { $0.text("end") } == ["handedOff", "finished"])
      #expect(bench.log.all(.taskCompleted).map { $0.task?.uid } == [download.uid])
      #expect(bench.server.requests.count == 1)
    }
  }

  @Test func `A response without a body becomes an empty file`() async throws {
    try await run([.generated(0)]) { bench, delegate in
      try bench.session.dataTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.errors[1] == .some(nil) && bench.bytes("got") == [])
    }
  }

  @Test func `A download that replaced a data task can be cancelled with resume data and resumed`() async throws {
    let half = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)), cut: .init(.afterBodyBytes(300_000), .hang),
      ranges: .honour)
    let whole = ScriptedResponse(headers: ["ETag": "\"1\""], body: .generated(size: Self.size, seed: .value(1)), ranges: .honour)
    try await run([half, whole]) { bench, delegate in
      try bench.session.dataTask(with: bench.request("/a"), options: .init(metadata: ["film": "7"])).resume()
      await bench.log.wait { $0.contains { $0.kind == .attemptBytesReceived } }
      let download = try #require(delegate.seen.became.first?.download)
      let data = try #require(await download.cancelByProducingResumeData())
      let next = try bench.session.downloadTask(withResumeData: data)
      #expect(next.metadata == ["film": "7"])
      next.resume()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(next.error == nil && bench.bytes("got") == ScriptBody.bytes(seed: 1, size: Self.size))
      #expect(bench.server.requests[1].headers["Range"] != nil)
    }
  }

  @Test func `A download of a decoded body produces no resume data`() async throws {
    let directory = TemporaryDirectory()
    let plain = try directory.write(ScriptBody.bytes(seed: 1, size: Self.size), to: "plain")
    let packed = try ToolRun("/bin/gzip", ["-c", plain]).standardOutput
    let half = ScriptedResponse(
      headers: ["ETag": "\"1\"", "Content-Encoding": "gzip"], body: .bytes(packed), cut: .init(.midBody, .close), ranges: .honour)
    try await run([half]) { bench, delegate in
      try bench.session.dataTask(with: bench.request("/a")).resume()
      await bench.log.wait(for: .taskAcknowledged)
      let error = try #require(delegate.seen.errors[1] ?? nil)
      #expect(error.code == .networkConnectionLost && error.downloadTaskResumeData == nil)
      #expect(bench.log.all(.attemptEnded)[1].number("decoded") ?? 0 > 0)
    }
  }

  @Test func `A cancellation before the download replaces the data task ends the data task`() async throws {
    let (isBlocked, unblock, isArmed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Mutexed(false))
    // Blocks the engine's thread, so that it receives the answer and the cancellation at the same time.
    let log = RecordingSink { kind in
      guard kind == .attemptStarted, isArmed.value else { return }
      isArmed.value = false
      isBlocked.signal()
      unblock.wait()
    }
    let delegate = HoldingDelegate { task, answer in
      isArmed.value = true
      guard let other = try? task.session.dataTask(with: task.originalRequest, completionHandler: { _, _, _ in }) else { return }
      other.resume()
      isBlocked.wait()
      answer(.becomeDownload)
      task.cancel()
      unblock.signal()
    }
    try await Bench.run([.init("/a", .generated(1000))], delegate: delegate, log: log) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await log.wait(for: .taskAcknowledged, 2)
      #expect(task.error?.code == .cancelled && log.all(.taskHandedOff).isEmpty)
    }
  }

  private final class HoldingDelegate: TransferSessionDelegate {
    typealias Answer = @Sendable (TransferSession.ResponseDisposition) -> Void
    private let respond: @Sendable (DataTask, Answer) -> Void

    init(_ respond: @escaping @Sendable (DataTask, Answer) -> Void) { self.respond = respond }

    func urlSession(
      _ session: TransferSession, dataTask: DataTask, didReceive response: TransferResponse, completionHandler: @escaping Answer
    ) {
      respond(dataTask, completionHandler)
    }
  }

  @Test func `A suspended data task becomes a suspended download`() async throws {
    let task = Mutexed<TransferTask?>(nil)
    let directory = Mutexed("")
    let delegate = RecordingDelegate(
      response: { _ in
        task.value?.suspend()
        return .becomeDownload
      }, file: { try $0.move(to: directory.value + "/got") })
    let routes: [ServerScript.Route] = [.init("/a", .generated(Self.size)), .init("/quick", .generated(1))]
    try await Bench.run(routes, delegate: delegate) { bench in
      directory.value = bench.directory
      let data = try bench.session.dataTask(with: bench.request("/a"))
      task.value = data
      data.resume()
      await bench.log.wait { $0.contains { $0.kind == .deliveryLeft && $0.text("callback") == "didBecomeDownload" } }
      let download = try #require(delegate.seen.became.first?.download)
      #expect(download.state == .suspended)
      data.resume()
      _ = try await bench.session.data(for: bench.request("/quick"))
      #expect(download.countOfBytesReceived == 0, "resuming the replaced data task has no effect")
      download.resume()
      await bench.log.wait { $0.contains { $0.kind == .taskAcknowledged && $0.task?.uid == download.uid } }
      #expect(download.error == nil && bench.bytes("got")?.count == Self.size)
      task.value = nil
    }
  }

  @Test func `A download that replaced a data task continues the data task's progress`() async throws {
    try await run([.generated(Self.size)]) { bench, delegate in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      let download = try #require(delegate.seen.became.first?.download)
      #expect(download.progress === task.progress)
      #expect(task.progress.fractionCompleted == 1 && task.progress.isFinished)
      #expect(task.progress.completedUnitCount == Int64(Self.size))
    }
  }

  /// To reproduce a failure, run only its seed.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func `Exactly one of the data task and its download completes, whenever they are cancelled`(seed: UInt64) async throws {
    var random = SeededGenerator(state: seed)
    let moments = (0..<2).map { _ in Int.random(in: 1..<36, using: &random) }
    let cancelsDownload = Bool.random(using: &random)
    try await run([.generated([0, 5_000, 300_000].randomElement(using: &random)!)]) { bench, delegate in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      let end: @Sendable ([NotedEvent]) -> Bool = { $0.contains { $0.kind == .taskAcknowledged } }
      await withTaskGroup { group in
        group.addTask { task.resume() }
        for moment in moments {
          group.addTask {
            await bench.log.wait { $0.count >= moment || end($0) }
            task.cancel()
            if cancelsDownload { delegate.seen.became.first?.download.cancel() }
          }
        }
      }
      await bench.log.wait(until: end)
      #expect(delegate.seen.completions == [1: 1])
      #expect(bench.log.all(.taskCompleted).count == 1)
    }
  }
}
