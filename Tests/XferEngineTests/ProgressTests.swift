import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct ProgressTests {
  private static let silent = ScriptedResponse(body: .generated(size: 1000, seed: .value(1)), cut: .init(.midBody, .hang))

  @Test func `A parent progress sums its children and is 1 when all have succeeded`() async throws {
    try await Bench.run([
      .init("/a", .generated(300_000)), .init("/b", ScriptedResponse(body: .generated(size: 5), contentLength: .none)),
    ]) {
      bench in
      let whole = TransferProgress(totalUnitCount: 10)
      let part = TransferProgress(totalUnitCount: 2)
      whole.addChild(part, withPendingUnitCount: 4)
      let tasks = try ["/a", "/b"].map { path in
        var options = TransferSession.TaskOptions()
        options.parentProgress = part
        return try bench.session.dataTask(with: bench.request(path), options: options) { _, _, _ in }
      }
      let other = try bench.session.downloadTask(with: bench.request("/a"))
      whole.addChild(other.progress, withPendingUnitCount: 5)
      #expect(whole.fractionCompleted == 0 && whole.totalUnitCount == 10)
      #expect(tasks[0].progress.totalUnitCount == -1, "the size is unknown before the response")
      tasks.forEach { $0.resume() }
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(part.isFinished && part.fractionCompleted == 1)
      #expect(whole.completedUnitCount == 4 && whole.fractionCompleted == 0.4)
      other.resume()
      await bench.log.wait(for: .taskAcknowledged, 3)
      #expect(whole.completedUnitCount == 9 && !whole.isFinished)
      whole.complete(unitCount: 1)
      #expect(whole.isFinished && whole.fractionCompleted == 1)
      #expect(tasks[1].progress.snapshot.totalUnitCount == 5, "the size is known at the end")
      #expect(other.progress.completedUnitCount == 300_000)
    }
  }

  @Test func `Progress uses the declared size, or else the size that the app expects`() async throws {
    let unknown = ScriptedResponse(
      body: .generated(size: 1000, seed: .value(1)), contentLength: .none, cut: .init(.midBody, .hang))
    try await Bench.run([.init("/a", Self.silent), .init("/b", unknown)]) { bench in
      let whole = TransferProgress(totalUnitCount: 4)
      var options = TransferSession.TaskOptions()
      (options.parentProgress, options.progressUnitCount) = (whole, 2)
      let known = try bench.session.downloadTask(with: bench.request("/a"), options: options)
      options.countOfBytesClientExpectsToReceive = 2000
      let expected = try bench.session.downloadTask(with: bench.request("/b"), options: options)
      for task in [known, expected] {
        task.resume()
        await bench.log.wait {
          $0.contains { $0.kind == .attemptBytesReceived && $0.task?.uid == task.uid && $0.number("received") == 500 }
        }
      }
      #expect(known.progress.fractionCompleted == 0.5 && expected.progress.fractionCompleted == 0.25)
      #expect(whole.fractionCompleted == 0.375 && whole.completedUnitCount == 0)
      #expect(bench.log.all(.taskCreated)[1].number("expectedToReceive") == 2000)
    }
  }

  @Test func `Cancelling a parent progress cancels its tasks, and the log names progress as the origin`() async throws {
    try await Bench.run([.init("/a", Self.silent), .init("/b", .generated(1))]) { bench in
      let whole = TransferProgress(totalUnitCount: 3)
      let tasks = try ["/b", "/a", "/a"].map { path in
        let task = try bench.session.dataTask(with: bench.request(path)) { _, _, _ in }
        whole.addChild(task.progress, withPendingUnitCount: 1)
        task.resume()
        return task
      }
      await bench.log.wait { events in
        events.contains { $0.kind == .taskAcknowledged } && events.count { $0.kind == .attemptBytesReceived } == 3
      }
      whole.cancel()
      whole.cancel()
      await bench.log.wait(for: .taskAcknowledged, 3)
      #expect(tasks.map { $0.error?.code } == [nil, .cancelled, .cancelled])
      #expect(bench.log.all(.taskCancelRequested).map { $0.text("by") } == ["progress", "progress"])
      #expect(whole.isCancelled && !whole.isFinished)
      let late = try bench.session.dataTask(with: bench.request("/a"))
      whole.addChild(late.progress, withPendingUnitCount: 1)
      await bench.log.wait(for: .taskAcknowledged, 4)
      #expect(late.error?.code == .cancelled, "a task added to a cancelled progress must be cancelled")
    }
  }

  @Test func `Pausing a parent progress suspends its tasks until the progress is resumed`() async throws {
    try await Bench.run([.init("/a", Self.silent)]) { bench in
      let whole = TransferProgress(totalUnitCount: 1)
      let task = try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in }
      whole.addChild(task.progress, withPendingUnitCount: 1)
      whole.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      whole.pause()
      #expect(task.state == .suspended && task.progress.isPaused && whole.isPaused)
      whole.resume()
      #expect(task.state == .running && !task.progress.isPaused && !whole.isPaused)
      #expect(bench.log.all(.taskSuspended).map { $0.text("by") } == ["progress"])
      #expect(bench.log.all(.taskResumed).map { $0.text("by") } == ["progress", "progress"])
    }
  }

  @Test func `The sequence of progress updates never decreases, and ends with its task`() async throws {
    let part = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: 900_000, seed: .value(1)), rate: 3_000_000,
      cut: .init(.afterBodyBytes(600_000), .close))
    let changed = ScriptedResponse(headers: ["ETag": "\"2\""], body: .generated(size: 900_000, seed: .value(2)), rate: 3_000_000)
    try await Bench.run([.init("/a", [part, changed])]) {
      $0.retryPolicy = .init(maximumRetries: 1)
      $0.retryPolicy.delay = .zero
    } _: { bench in
      let task = try bench.session.downloadTask(with: bench.request("/a")) { _, _, _ in }
      let whole = TransferProgress(totalUnitCount: 1)
      whole.addChild(task.progress, withPendingUnitCount: 1)
      let watched = [task.progress, whole].map { progress in
        let updates = progress.updates
        return Task {
          var seen: [TransferProgress.Snapshot] = []
          for await snapshot in updates { seen.append(snapshot) }
          return seen
        }
      }
      task.resume()
      for watch in watched {
        let seen = await watch.value
        let fractions = seen.map(\.fractionCompleted)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1 && seen.last?.isFinished == true)
        let counts = seen.map(\.completedUnitCount)
        #expect(counts == counts.sorted())
      }
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.server.requests.count == 2)
    }
  }

  @Test func `The progress of a failed task keeps its last value`() async throws {
    let cut = ScriptedResponse(body: .generated(size: 1000, seed: .value(1)), cut: .init(.midBody, .close))
    try await Bench.run([.init("/a", cut)]) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in }
      let updates = task.progress.updates
      task.resume()
      var last: TransferProgress.Snapshot?
      for await snapshot in updates { last = snapshot }
      #expect(last?.fractionCompleted == 0.5 && last?.isFinished == false && last?.isCancelled == false)
    }
  }

  @Test func `The progress of an upload counts sent and received bytes`() async throws {
    try await Bench.run([.init("/a", .generated(1000))]) { bench in
      let task = try bench.session.uploadTask(with: bench.request("/a", .post), from: Data(repeating: 7, count: 3000)) {
        _, _, _ in
      }
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(task.progress.completedUnitCount == 4000 && task.progress.totalUnitCount == 4000 && task.progress.isFinished)
    }
  }
}
