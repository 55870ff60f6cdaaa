import CXferPlatform
import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of an app that reconnects to a daemon with an older or newer state than the killed daemon had.
@Suite(.serialized) struct ReconnectingTests {
  private static func empty(_ opened: OpenedSession) -> SessionInventory {
    SessionInventory(identifier: opened.identifier, instance: opened.instance, tasks: [], lastNumber: 0, pending: 0)
  }

  private static func knowing(_ tasks: NewTask..., as standing: KnownTask.Standing, pending: Int = 0) -> (OpenedSession) ->
    SessionInventory
  {
    { opened in
      SessionInventory(
        identifier: opened.identifier, instance: opened.instance,
        tasks: tasks.map { KnownTask(task: $0, standing: standing, received: 0, sent: 0) },
        lastNumber: UInt32(tasks.count), pending: pending)
    }
  }

  private static let outcome = TransferredOutcome(
    error: TransferredError(TransferError(.cannotWriteToFile, number: 23, stage: .file, problem: "no room")), response: nil,
    received: 0, sent: 0, resumeData: nil)

  @Test(.timeLimit(.minutes(5)))
  func `A task that was stored but not started before a daemon crash is started by the next daemon`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try FakeDaemon(device)
      let app = try device.startApp(device.url("/a"))
      var task: NewTask!
      do {
        let link = try daemon.accept(generation: 1, Self.empty)
        task = try link.next { if case .createTask(let task) = $0 { task } else { nil } }
        _ = try link.next { if case .resume = $0 { true } else { nil } }
      }
      let link = try daemon.accept(generation: 2, Self.knowing(task, as: .suspended))
      #expect(try link.next { if case .resume(let uid) = $0 { uid } else { nil } } == task.uid)
      try link.send(
        .deliver(BackgroundDelivery(id: 7, session: "probe", task: task.uid, number: 1, content: .completion(Self.outcome))))
      #expect(try link.acknowledged() == 7)
      #expect(app.wait() == 0)
      #expect(device.said == ["completed 1 cannotWriteToFile", "exit 0"])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A changed description that a daemon crash loses is sent to the next daemon`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try FakeDaemon(device)
      let app = try device.startApp(device.url("/a"), "describes=film 7")
      var task: NewTask!
      do {
        let link = try daemon.accept(generation: 1, Self.empty)
        task = try link.next { if case .createTask(let task) = $0 { task } else { nil } }
        _ = try link.next { if case .resume = $0 { true } else { nil } }
      }
      let link = try daemon.accept(generation: 2, Self.knowing(task, as: .running))
      let change = try link.next { if case .describe(let change) = $0 { change } else { nil } }
      #expect(task.description == device.url("/a") && change.uid == task.uid && change.description == "film 7")
      try link.send(
        .deliver(BackgroundDelivery(id: 7, session: "probe", task: task.uid, number: 1, content: .completion(Self.outcome))))
      #expect(try link.acknowledged() == 7)
      #expect(app.wait() == 0)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `After a daemon crash, a lost acknowledgement is repeated but its callback is not`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try FakeDaemon(device)
      let app = try device.startApp(device.url("/a"))
      let path = try device.directory.write([1, 2, 3], to: "state/xferd/spool/body")
      var status = stat()
      #expect(stat(path, &status) == 0)
      let response = TransferredResponse(
        TransferResponse(
          urlText: device.url("/a"), httpResponse: .init(status: .ok), networkProtocolName: "http/1.1", expectedContentLength: 3))
      var task: NewTask!
      var file: BackgroundDelivery!
      do {
        let link = try daemon.accept(generation: 1, Self.empty)
        task = try link.next { if case .createTask(let task) = $0 { task } else { nil } }
        file = BackgroundDelivery(
          id: 6, session: "probe", task: task.uid, number: 1,
          content: .file(path: path, inode: UInt64(status.st_ino), size: 3, response: response))
        try link.send(.deliver(file))
        #expect(try link.acknowledged() == 6)
      }
      let link = try daemon.accept(generation: 2, Self.knowing(task, as: .ended, pending: 2))
      try link.send(.deliver(file))
      #expect(try link.acknowledged() == 6)
      try link.send(
        .deliver(BackgroundDelivery(id: 7, session: "probe", task: task.uid, number: 1, content: .completion(Self.outcome))))
      #expect(try link.acknowledged() == 7)
      #expect(app.wait() == 0)
      #expect(device.said == ["file a", "completed 1 cannotWriteToFile", "exit 0"])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task completed in the app stays completed when the next daemon delivers its completion again`() async throws {
    try await Device.run([.init("/a", .generated(10)), .init("/b", .generated(10))]) { device throws in
      let daemon = try FakeDaemon(device)
      let app = try device.startApp(device.url("/a"), device.url("/b"))
      func completion(_ id: UInt64, of task: NewTask) -> DaemonMessage {
        .deliver(
          BackgroundDelivery(id: id, session: "probe", task: task.uid, number: task.number, content: .completion(Self.outcome)))
      }
      var tasks: [NewTask] = []
      do {
        let link = try daemon.accept(generation: 1, Self.empty)
        for _ in 0..<2 { tasks.append(try link.next { if case .createTask(let task) = $0 { task } else { nil } }) }
        try link.send(completion(7, of: tasks[0]))
        #expect(try link.acknowledged() == 7)
      }
      let link = try daemon.accept(generation: 2, Self.knowing(tasks[0], tasks[1], as: .ended, pending: 2))
      try link.send(completion(7, of: tasks[0]))
      #expect(try link.acknowledged() == 7)
      try link.send(completion(8, of: tasks[1]))
      #expect(try link.acknowledged() == 8)
      // The app exits when its session has no tasks left.
      #expect(app.wait() == 0)
      #expect(device.said == ["completed 1 cannotWriteToFile", "completed 2 cannotWriteToFile", "exit 0"])
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `The app gets its events-finished callback even if the daemon is killed before sending it`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try FakeDaemon(device)
      let app = try device.startApp("until=drained")
      do {
        _ = try daemon.accept(generation: 1) { opened in
          SessionInventory(identifier: opened.identifier, instance: opened.instance, tasks: [], lastNumber: 1, pending: 1)
        }
      }
      let link = try daemon.accept(generation: 2, Self.empty)
      #expect(app.wait() == 0)
      #expect(device.said == ["events finished", "exit 0"])
      _ = link
    }
  }
}
