import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct CancellationTests {
  private static let silent = ScriptedResponse(body: .generated(size: 1000), cut: .init(.midBody, .hang))

  // The optimizer of Swift 6.3.1 crashes if this is inlined into an async function.
  @inline(never)
  private static func isAcknowledged(_ task: TransferTask, in events: [NotedEvent]) -> Bool {
    events.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid }
  }

  private func expectCancelled(_ bench: Bench, _ task: TransferTask, attempts: Int) async {
    await bench.log.wait { Self.isAcknowledged(task, in: $0) }
    let own = bench.log.events.filter { $0.task?.uid == task.uid }
    #expect(task.error?.code == .cancelled)
    #expect(task.state == .completed)
    #expect(own.filter { $0.kind == .attemptEnded }.map { $0.text("end") } == Array(repeating: "cancelled", count: attempts))
    let completed = own.first { $0.kind == .taskCompleted }
    #expect(completed?.text("errorName") == "cancelled")
    #expect(completed?.text("cancelReason") == "none")
    #expect(own.count { $0.kind == .taskCancelRequested } == 1)
  }

  @Test func `A task that was never resumed completes as cancelled without an attempt`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.cancel()
      task.cancel()
      task.resume()
      await expectCancelled(bench, task, attempts: 0)
      #expect(delegate.seen.calls == ["metrics", "complete"])
      #expect(bench.log.all(.taskResumed).isEmpty)
    }
  }

  @Test func `A task that waits for a connection completes as cancelled without an attempt`() async throws {
    try await Bench.run([.init("/a", Self.silent)]) {
      $0.httpMaximumConnectionsPerHost = 1
    } _: { bench in
      let tasks = try (0..<3).map { _ in try bench.session.downloadTask(with: bench.request("/a")) }
      tasks.forEach { $0.resume() }
      await bench.log.wait(for: .taskHeld, 2)
      tasks[1].cancel()
      await expectCancelled(bench, tasks[1], attempts: 0)
      tasks[0].cancel()
      await expectCancelled(bench, tasks[0], attempts: 1)
      await bench.log.wait { $0.contains { $0.kind == .attemptStarted && $0.task?.number == 3 } }
    }
  }

  @Test func `A task that is receiving its body completes as cancelled`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", Self.silent)], delegate: delegate) { bench in
      let task = try bench.session.downloadTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      task.cancel()
      await expectCancelled(bench, task, attempts: 1)
      #expect(task.countOfBytesReceived == 500)
      #expect(task.countOfBytesExpectedToReceive == 1000)
      #expect(bench.log.all(.attemptEnded)[0].number("received") == 500)
    }
  }

  @Test func `A suspended task can be cancelled`() async throws {
    try await Bench.run([.init("/a", Self.silent)]) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      task.suspend()
      task.cancel()
      await expectCancelled(bench, task, attempts: 1)
    }
  }

  @Test func `A task can be cancelled while its delegate has not answered a redirect`() async throws {
    let delegate = SilentDelegate()
    try await Bench.run([.init("/a", .redirect(to: "/b"))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait { $0.contains { $0.kind == .deliveryLeft } }
      task.cancel()
      await expectCancelled(bench, task, attempts: 1)
    }
  }

  private final class SilentDelegate: TransferSessionDelegate {
    func urlSession(
      _ session: TransferSession, task: TransferTask, willPerformHTTPRedirection response: TransferResponse,
      newRequest request: HTTPRequest, completionHandler: @escaping @Sendable (HTTPRequest?) -> Void
    ) {}
  }

  @Test func `A delegate that answers cancel to a response cancels its task`() async throws {
    let delegate = RecordingDelegate(response: { _ in .cancel })
    try await Bench.run([.init("/a", .generated(1000))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await expectCancelled(bench, task, attempts: 1)
      #expect(delegate.seen.calls == ["response", "metrics", "complete"])
    }
  }

  @Test func `Cancelling the calling task cancels the transfer`() async throws {
    try await Bench.run([.init("/a", Self.silent)]) { bench in
      let caller = Task { await failure { _ = try await bench.session.data(for: bench.request("/a")) } }
      await bench.log.wait(for: .attemptBytesReceived)
      caller.cancel()
      #expect(await caller.value?.code == .cancelled)
      let early = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      }
      #expect(await early.value?.code == .cancelled)
    }
  }

  @Test func `Cancelling a task after its transfer has no effect`() async throws {
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(10))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskTransferred)
      task.cancel()
      await bench.log.wait(for: .taskAcknowledged)
      task.cancel()
      #expect(task.error == nil)
      #expect(bench.log.all(.taskCancelRequested).isEmpty)
    }
  }

  @Test func `A cancellation after the last byte still cancels the task, and the file is not offered`() async throws {
    let task = Mutexed<TransferTask?>(nil)
    let log = RecordingSink { kind in if kind == .attemptEnded { task.value?.cancel() } }
    let delegate = RecordingDelegate()
    try await Bench.run([.init("/a", .generated(1000))], delegate: delegate, log: log) { bench in
      let download = try bench.session.downloadTask(with: bench.request("/a"))
      task.value = download
      download.resume()
      await log.wait(for: .taskAcknowledged)
      #expect(download.error?.code == .cancelled)
      #expect(delegate.seen.files.isEmpty)
      #expect(log.all(.attemptEnded).map { $0.text("end") } == ["finished"])
      #expect(log.all(.taskTransferred).isEmpty)
      task.value = nil
    }
  }

  /// To reproduce a failure, run only its seed.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func `A task completes exactly once, whenever it is cancelled`(seed: UInt64) async throws {
    var random = SeededGenerator(state: seed)
    let delegate = RecordingDelegate(file: { try $0.move(to: $0.path + ".kept") })
    let size = [0, 1, 5_000, 300_000].randomElement(using: &random)!
    let path = ["/a", "/r"].randomElement(using: &random)!
    let isDownload = Bool.random(using: &random)
    let moments = (0..<2).map { _ in Int.random(in: 1..<36, using: &random) }
    let suspends = Bool.random(using: &random)
    try await Bench.run([.init("/a", .generated(size)), .init("/r", .redirect(to: "/a"))], delegate: delegate) { bench in
      let task: TransferTask =
        isDownload
        ? try bench.session.downloadTask(with: bench.request(path)) : try bench.session.dataTask(with: bench.request(path))
      let end: @Sendable ([NotedEvent]) -> Bool = { $0.contains { $0.kind == .taskAcknowledged } }
      await withTaskGroup { group in
        group.addTask {
          if suspends { task.suspend() }
          task.resume()
        }
        for moment in moments {
          group.addTask {
            await bench.log.wait { $0.count >= moment || end($0) }
            task.cancel()
          }
        }
      }
      await bench.log.wait(until: end)
      #expect(delegate.seen.completions == [1: 1])
      let wasCancelled = !bench.log.all(.taskCancelRequested).isEmpty
      #expect(task.error?.code == (wasCancelled ? .cancelled : nil))
      #expect(wasCancelled == bench.log.all(.taskTransferred).isEmpty)
      if let file = delegate.seen.files.first { try FileManager.default.removeItem(atPath: file.path + ".kept") }
    }
  }
}
