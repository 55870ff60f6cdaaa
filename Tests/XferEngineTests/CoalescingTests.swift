import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of tasks that share one transfer.
struct CoalescingTests {
  private static let size = 400_000
  /// A response that is slow enough for all tasks to join before it ends.
  private static let slow = ScriptedResponse(
    headers: ["ETag": "\"1\""], body: .generated(size: size, seed: .value(1)), delay: .init(beforeStatus: .milliseconds(100)),
    ranges: .honour)
  private static let silent = ScriptedResponse(body: .generated(size: 1000, seed: .value(1)), cut: .init(.midBody, .hang))

  private func run(
    _ routes: [ServerScript.Route], log: RecordingSink = RecordingSink(), delegate: (any TransferSessionDelegate)? = nil,
    _ body: (Bench) async throws -> Void
  ) async throws {
    try await Bench.run(routes, configure: { $0.coalescesIdenticalRequests = true }, delegate: delegate, log: log) { bench in
      try await body(bench)
      // Lets the internal carrier tasks complete too, because the log is checked for all tasks.
      bench.session.finishTasksAndInvalidate()
    }
  }

  /// The numbers of the tasks that share a carrier's transfer.
  private func members(_ bench: Bench) -> Set<UInt32> { Set(bench.log.all(.taskCoalesced).compactMap { $0.task?.number }) }

  @Test func `Five identical tasks share one request and get five results`() async throws {
    try await run([.init("/a", Self.slow)]) { bench in
      let results = try await withThrowingTaskGroup(of: (Data, TransferResponse).self) { group in
        for _ in 0..<5 { group.addTask { try await bench.session.data(for: bench.request("/a")) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { Array($0.0) == ScriptBody.bytes(seed: 1, size: Self.size) && $0.1.statusCode == 200 })
      #expect(bench.server.requests.count == 1)
      #expect(members(bench).count == 5)
      let carriers = Set(bench.log.all(.taskCoalesced).map { "\($0.values["carrier"]!)" })
      #expect(carriers.count == 1)
      let carrier = try #require(bench.log.all(.taskCreated).first { $0.text("completion") == "shared" }?.task)
      #expect(carriers.first?.contains("\(carrier.uid)") == true)
      #expect(Set(bench.log.all(.attemptStarted).compactMap(\.task)) == [carrier])
      let completed = bench.log.all(.taskCompleted).filter { members(bench).contains($0.task!.number) }
      #expect(completed.count == 5 && completed.allSatisfy { $0.values["received"] == nil && $0.number("status") == 200 })
    }
  }

  @Test func `Coalesced downloads each get their own file`() async throws {
    try await run([.init("/a", Self.slow)]) { bench in
      let tasks = (0..<4).map { place in
        Task { try await bench.session.download(for: bench.request("/a"), to: bench.path("got-\(place)")) }
      }
      for task in tasks { #expect(try await task.value.statusCode == 200) }
      #expect(bench.server.requests.count == 1)
      for place in 0..<4 { #expect(bench.bytes("got-\(place)") == ScriptBody.bytes(seed: 1, size: Self.size)) }
      try Data("mine".utf8).write(to: URL(fileURLWithPath: bench.path("got-0")))
      #expect(bench.bytes("got-1")?.count == Self.size, "changing one file does not change the others")
      let inodes = try (0..<4).map {
        try FileManager.default.attributesOfItem(atPath: bench.path("got-\($0)"))[.systemFileNumber] as? Int
      }
      #expect(Set(inodes).count == 4)
    }
  }

  @Test func `A shared transfer ends when the last of its tasks is cancelled`() async throws {
    try await run([.init("/a", Self.silent)]) { bench in
      let tasks = try (0..<3).map { _ in try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in } }
      tasks.forEach { $0.resume() }
      await bench.log.wait { events in
        events.count { $0.kind == .taskCoalesced } == 3 && events.contains { $0.kind == .attemptBytesReceived }
      }
      #expect(tasks.allSatisfy { $0.countOfBytesReceived == 500 && $0.countOfBytesExpectedToReceive == 1000 })
      #expect(tasks.allSatisfy { $0.progress.fractionCompleted == 0.5 })
      tasks[0].cancel()
      tasks[1].cancel()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(tasks.map { $0.error?.code } == [.cancelled, .cancelled, nil])
      #expect(bench.log.all(.attemptEnded).isEmpty, "the transfer continues for the third task")
      #expect(await bench.session.allTasks.map(\.uid) == [tasks[2].uid], "the carrier task is not listed")
      tasks[2].cancel()
      await bench.log.wait(for: .taskAcknowledged, 4)
      #expect(bench.log.all(.attemptEnded).map { $0.text("end") } == ["cancelled"])
      #expect(bench.log.all(.taskCancelRequested).map { $0.text("by") } == ["app", "app", "app", "engine"])
    }
  }

  @Test func `A shared transfer is suspended while all of its tasks are suspended`() async throws {
    let log = RecordingSink()
    try await run([.init("/a", Self.silent)], log: log) { bench in
      let tasks = try (0..<2).map { _ in try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in } }
      tasks.forEach { $0.resume() }
      await log.wait { events in
        events.count { $0.kind == .taskCoalesced } == 2 && events.contains { $0.kind == .attemptBytesReceived }
      }
      tasks[0].suspend()
      tasks[1].suspend()
      await log.wait { $0.contains { $0.kind == .taskSuspended && $0.text("by") == "engine" } }
      tasks[1].resume()
      await log.wait { $0.count { $0.kind == .taskResumed && $0.text("by") == "engine" } == 2 }
      tasks[1].cancel()
      await log.wait { $0.count { $0.kind == .taskSuspended && $0.text("by") == "engine" } == 2 }
      tasks[0].cancel()
      await log.wait(for: .taskAcknowledged, 3)
    }
  }

  @Test func `Requests that differ are not coalesced`() async throws {
    try await run([.init("/a", Self.slow), .init("/b", Self.slow)], delegate: RecordingDelegate()) { bench in
      let tasks = try Self.unlikeTasks(bench)
      tasks.forEach { $0.resume() }
      await Self.acknowledged(tasks, in: bench.log)
      #expect(tasks.allSatisfy { $0.error == nil })
      #expect(bench.server.requests.count == 8)
    }
  }

  // Separate functions, because the optimizer fails if their bodies are part of the closure.
  private static func acknowledged(_ tasks: [TransferTask], in log: RecordingSink) async {
    let wanted = Set(tasks.map(\.uid))
    await log.wait { events in wanted.isSubset(of: events.filter { $0.kind == .taskAcknowledged }.compactMap { $0.task?.uid }) }
  }

  private static func unlikeTasks(_ bench: Bench) throws -> [TransferTask] {
    var own = TransferSession.TaskOptions()
    own.coalescesIdenticalRequests = false
    let none: @Sendable (Data?, TransferResponse?, TransferError?) -> Void = { _, _, _ in }
    let session = bench.session
    let requests = [
      bench.request("/a"), bench.request("/b"), bench.request("/a", .get, [.acceptLanguage: "de"]), bench.request("/a", .head),
      bench.request("/a", .post),
    ]
    var tasks: [TransferTask] = []
    for request in requests { tasks.append(try session.dataTask(with: request, completionHandler: none)) }
    tasks.append(try session.downloadTask(with: bench.request("/a")) { _, _, _ in })
    tasks.append(try session.dataTask(with: bench.request("/a"), options: own, completionHandler: none))
    tasks.append(try session.dataTask(with: bench.request("/a")))
    return tasks
  }

  @Test func `A failed shared transfer fails all of its tasks, and the next task makes a new request`() async throws {
    let cut = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: 1000, seed: .value(1)), delay: .init(beforeStatus: .milliseconds(50)),
      cut: .init(.midBody, .close))
    try await run([.init("/a", [cut, Self.slow])]) { bench in
      let tasks = (0..<2).map { _ in
        Task { await failure { _ = try await bench.session.data(for: bench.request("/a")) }?.code }
      }
      for task in tasks { #expect(await task.value == .networkConnectionLost) }
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(data.count == Self.size)
      #expect(bench.server.requests.count == 2)
    }
  }

  @Test func `Tasks of an invalidated session are not coalesced`() async throws {
    try await run([.init("/a", Self.slow)]) { bench in
      let tasks = try (0..<2).map { _ in try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in } }
      bench.session.finishTasksAndInvalidate()
      tasks.forEach { $0.resume() }
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(tasks.allSatisfy { $0.error == nil } && bench.server.requests.count == 2)
    }
  }

  /// To reproduce a failure, run only its seed.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func `Coalesced tasks complete once and leave no file, whenever they are resumed and cancelled`(seed: UInt64) async throws {
    var random = SeededGenerator(state: seed)
    let plans = (0..<6).map { _ in
      (
        comes: Int.random(in: 0..<30, using: &random),
        goes: Bool.random(using: &random) ? Int.random(in: 5..<60, using: &random) : nil,
        isDownload: Bool.random(using: &random)
      )
    }
    try await run([.init("/a", .generated([0, 5_000, 300_000].randomElement(using: &random)!))]) { bench in
      let tasks: [TransferTask] = try plans.map { plan in
        plan.isDownload
          ? try bench.session.downloadTask(with: bench.request("/a")) { _, _, _ in }
          : try bench.session.dataTask(with: bench.request("/a")) { _, _, _ in }
      }
      // Each wait also ends when the first task has been acknowledged, so that no wait lasts for ever.
      let ended: @Sendable ([NotedEvent]) -> Bool = { $0.contains { $0.kind == .taskAcknowledged } }
      await withTaskGroup { group in
        for (task, plan) in zip(tasks, plans) {
          group.addTask {
            await bench.log.wait { $0.count >= min(plan.comes, 6) || ended($0) }
            task.resume()
            guard let goes = plan.goes else { return }
            await bench.log.wait { $0.count >= goes || ended($0) }
            task.cancel()
          }
        }
      }
      await bench.log.wait { events in
        tasks.allSatisfy { task in events.contains { $0.kind == .taskAcknowledged && $0.task?.uid == task.uid } }
      }
      for task in tasks { #expect(task.error == nil || task.error?.code == .cancelled) }
      bench.session.finishTasksAndInvalidate()
      await bench.log.wait(for: .sessionInvalidated)
    }
  }
}
