import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct TaskOptionsTests {
  @Test func `A task's description, metadata and priority are kept and logged`() async throws {
    try await Bench.run([.init("/a", .generated(1))]) { bench in
      var options = TransferSession.TaskOptions(taskDescription: "film", metadata: ["id": "7", "for": "täst \"x\"/\n"])
      options.priority = TransferTask.lowPriority
      options.countOfBytesClientExpectsToSend = 0
      options.countOfBytesClientExpectsToReceive = 10
      let task = try bench.session.dataTask(with: bench.request("/a"), options: options)
      #expect(task.taskDescription == "film" && task.metadata == options.metadata && task.priority == 0.25)
      let created = bench.log.all(.taskCreated)[0]
      #expect(created.text("label") == "film" && created.number("priority") == 25)
      #expect(created.number("expectedToSend") == 0 && created.number("expectedToReceive") == 10)
      let text = try #require(created.text("metadata"))
      #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == options.metadata)
      #expect(text.hasPrefix("{\"for\":"), "sorted by key")
      task.taskDescription = "show"
      task.taskDescription = "show"
      task.priority = 1
      task.countOfBytesClientExpectsToReceive = -1
      let changed = bench.log.all(.taskChanged)
      #expect(changed.map { $0.text("label") } == ["show", "show", "show"])
      #expect(changed.map { $0.number("priority") } == [25, 100, 100])
      #expect(changed.last?.values["expectedToReceive"] == nil)
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      task.taskDescription = "late"
      #expect(task.taskDescription == "late" && bench.log.all(.taskChanged).count == 3, "changes after completion are not logged")
    }
  }

  @Test func `Metadata values with secret names are not logged`() async throws {
    try await Bench.run([]) { bench in
      let metadata = ["apiToken": "canary", "film": "7"]
      let task = try bench.session.dataTask(with: bench.request("/a"), options: .init(metadata: metadata))
      #expect(task.metadata == metadata)
      #expect(bench.log.all(.taskCreated)[0].text("metadata") == #"{"film":"7"}"#)
      task.cancel()
      await bench.log.wait(for: .taskAcknowledged)
    }
  }

  @Test func `Metadata above the size limit is rejected`() async throws {
    try await Bench.run([]) { bench in
      let fits = ["a": String(repeating: "x", count: 4096 - 8)]
      _ = try bench.session.dataTask(with: bench.request("/a"), options: .init(metadata: fits))
      let error = await failure {
        _ = try bench.session.dataTask(
          with: bench.request("/a"), options: .init(metadata: ["a": String(repeating: "x", count: 4096 - 7)]))
      }
      #expect(error?.code == .dataLengthExceedsMaximum && error?.stage == .creation)
      #expect(bench.log.all(.taskRejected).map { $0.text("rejection") } == ["metadataTooLarge"])
      bench.session.invalidateAndCancel()
      await bench.log.wait(for: .taskAcknowledged)
    }
  }

  @Test func `Resume data keeps the description and metadata of its download`() async throws {
    let half = ScriptedResponse(
      headers: ["ETag": "\"1\""], body: .generated(size: 1000, seed: .value(1)), cut: .init(.midBody, .hang), ranges: .honour)
    try await Bench.run([.init("/a", half)]) { bench in
      let options = TransferSession.TaskOptions(taskDescription: "film", metadata: ["id": "7"])
      let task = try bench.session.downloadTask(with: bench.request("/a"), options: options)
      task.resume()
      await bench.log.wait(for: .attemptBytesReceived)
      task.taskDescription = "the film"
      let data = try #require(await task.cancelByProducingResumeData())
      let next = try bench.session.downloadTask(withResumeData: data)
      #expect(next.taskDescription == "the film" && next.metadata == ["id": "7"])
      #expect(bench.log.all(.taskCreated)[1].text("metadata") == #"{"id":"7"}"#)
      let own = try bench.session.downloadTask(
        withResumeData: data, taskDescription: "mine", options: .init(metadata: ["own": "1"]))
      #expect(own.taskDescription == "mine" && own.metadata == ["own": "1"])
      // Only one task can adopt the partial file. The file is removed at the end of the test.
      next.resume()
      await bench.log.wait { $0.contains { $0.kind == .attemptBytesReceived && $0.task?.uid == next.uid } }
      let again = try #require(await next.cancelByProducingResumeData())
      #expect(String(decoding: again, as: UTF8.self).contains("the film"))
      let path = try #require(JSONSerialization.jsonObject(with: again.split(separator: UInt8(ascii: "\n"))[1]) as? [String: Any])
      try FileManager.default.removeItem(atPath: #require(path["file"] as? String))
    }
  }

  @Test func `Queued tasks start by priority, and in order of arrival for equal priorities`() async throws {
    try await Bench.run([.init("/mute", .hang(.beforeStatus)), .init("/*", .generated(1))]) {
      $0.httpMaximumConnectionsPerHost = 1
    } _: { bench in
      let first = try bench.session.dataTask(with: bench.request("/mute"))
      first.resume()
      await bench.log.wait(for: .attemptRequestSent)
      let priorities: [Float] = [0.5, 0.25, 0.75, 0.5, 1, 0]
      let tasks = try priorities.enumerated().map { place, priority in
        var options = TransferSession.TaskOptions()
        options.priority = priority
        return try bench.session.dataTask(with: bench.request("/\(place)"), options: options)
      }
      tasks.forEach { $0.resume() }
      await bench.log.wait(for: .taskHeld, 6)
      tasks[5].priority = 0.8
      first.cancel()
      await bench.log.wait(for: .taskAcknowledged, 7)
      #expect(bench.server.requests.map(\.target) == ["/mute", "/4", "/5", "/2", "/0", "/3", "/1"])
    }
  }

  @Test func `A task may override the session's timeouts`() async throws {
    let clock = ManualClock()
    let routes: [ServerScript.Route] = [.init("/mute", .hang(.beforeStatus)), .init("/quick", .generated(1))]
    try await Bench.run(routes, clock: clock) { bench in
      var short = TransferSession.TaskOptions()
      short.timeoutIntervalForRequest = .after(.seconds(5))
      var resource = TransferSession.TaskOptions()
      (resource.timeoutIntervalForRequest, resource.timeoutIntervalForResource) = (.none, .after(.seconds(30)))
      var never = TransferSession.TaskOptions()
      (never.timeoutIntervalForRequest, never.timeoutIntervalForResource) = (.none, .none)
      let all = [short, resource, .init(), never]
      let tasks = try all.map { try bench.session.dataTask(with: bench.request("/mute"), options: $0) }
      tasks.forEach { $0.resume() }
      try await bench.server.waitUntil { $0.count { $0.phase == .hanging } == 4 }
      let created = bench.log.all(.taskCreated)
      #expect(created.map { $0.duration("requestTimeout") } == [.seconds(5), nil, .seconds(60), nil])
      #expect(created.map { $0.duration("resourceTimeout") } == [.seconds(604_800), .seconds(30), .seconds(604_800), nil])
      for (step, ended) in [(Duration.seconds(5), 1), (.seconds(25), 2), (.seconds(30), 3)] {
        clock.advance(by: step)
        await bench.log.wait { events in events.count { $0.kind == .taskAcknowledged && $0.task!.number <= 4 } == ended }
        _ = try await bench.session.data(for: bench.request("/quick"))
        #expect(tasks.map { $0.error?.code } == (0..<4).map { $0 < ended ? .timedOut : nil })
      }
    }
  }

  @Test func `One resume undoes several suspends`() async throws {
    // The task waits for the only connection, so that it cannot end before it is suspended.
    try await Bench.run([.init("/mute", .hang(.beforeStatus)), .init("/a", .generated(1))]) {
      $0.httpMaximumConnectionsPerHost = 1
    } _: { bench in
      let (first, task) = (
        try bench.session.dataTask(with: bench.request("/mute")), try bench.session.dataTask(with: bench.request("/a"))
      )
      first.resume()
      task.resume()
      await bench.log.wait(for: .taskHeld)
      task.suspend()
      task.suspend()
      task.resume()
      task.resume()
      first.cancel()
      await bench.log.wait(for: .taskAcknowledged, 2)
      #expect(task.error == nil)
      #expect(bench.log.all(.taskSuspended).count == 1)
      #expect(bench.log.all(.taskResumed).count { $0.task?.uid == task.uid } == 2)
    }
  }
}
