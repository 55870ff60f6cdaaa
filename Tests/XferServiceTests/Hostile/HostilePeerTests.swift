import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

/// Tests of oversized, numerous and extreme inputs from servers and apps.
@Suite(.serialized) struct HostilePeerTests {
  @Test(.timeLimit(.minutes(5)), arguments: [0xFF, 0x01, 0x22, 0x09] as [UInt8])
  func `A task with a response header of the maximum size is delivered, even after a restart`(byte: UInt8) async throws {
    // Uses three lines, because libcurl rejects header lines over 100 KiB.
    let fields = (0..<3).flatMap { Array("X-\($0): a".utf8) + Array(repeating: byte, count: 95_000) + Array("b\r\n".utf8) }
    let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n".utf8) + fields + Array("\r\nabc".utf8)
    try await Device.run([.init("/a", .raw(.bytes(head)))]) { device throws in
      // The app exits, so that the result is stored and delivered by the next daemon.
      #expect(try device.app("quiet=1", "until=resumed", device.url("/a")).status == 0)
      try await device.until { !device.spooled.isEmpty && device.spooled.allSatisfy { $0.hasSuffix(".body") } }
      device.stopDaemon()
      let run = try device.app("quiet=1", "until=rest")
      #expect(run.status == 0)
      #expect(device.file("a") == Array("abc".utf8))
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A callback that is too large for a message fails its task without blocking others`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Large: \(String(repeating: "x", count: 50_000))\r\n\r\nabc"
    try await Device.run([.init("/a", .raw(.text(head))), .init("/b", .generated(10))]) { device throws in
      #expect(try device.app("quiet=1", "until=resumed", device.url("/a")).status == 0)
      try await device.until { device.spooled.contains { $0.hasSuffix(".body") } }
      device.stopDaemon()
      // Simulates a callback that an earlier version stored and that this version cannot send.
      let daemon = try await device.startListeningDaemon(["XFERLOG_TEST_FRAME": "20000"])
      #expect(try device.app("quiet=1", "until=rest").status == 0)
      #expect(device.said.contains("completed 1 responseHeadersTooLarge"))
      #expect(device.file("a") == nil && device.spooled == [])
      #expect(try device.app("quiet=1", device.url("/b")).status == 0)
      #expect(device.file("b")?.count == 10)
      #expect(device.daemon == daemon.pid)
      let messages = try device.events("message.error").compactMap { $0["message"] ?? $0["eventMessage"] }
      #expect(messages.contains { $0.contains("cannot be delivered because it has") }, "\(messages)")
    }
  }

  @Test(.timeLimit(.minutes(isCampaign ? 60 : 5)), arguments: isCampaign ? [(10_000, 60), (1_000, 8_000)] : [(200, 8_000)])
  func `All tasks of a large session are delivered even if the daemon is killed three times`(
    _ count: Int, urlBytes: Int
  ) async throws {
    let size = 300
    // A slow server keeps a small session busy long enough for three kills.
    let response = ScriptedResponse(body: .generated(size: size, seed: .path), rate: count < 1_000 ? 600 : nil)
    try await Device.run([.init("/f/{long}/{n}", response)]) { device throws in
      let path = "/f/\(String(repeating: "x", count: max(1, urlBytes - device.url("/f//").utf8.count - 4)))"
      let app = try device.startApp("many=\(count)", device.url(path))
      var daemons: Set<pid_t> = []
      for part in 1...3 {
        try await device.until(pause: .milliseconds(20)) {
          device.said.count { $0.hasPrefix("file ") } >= count * part / 10 || !app.isRunning
        }
        try await device.until { device.daemon != nil || !app.isRunning }
        daemons.insert(try #require(device.daemon, "the app ended before kill \(part)"))
        device.killDaemon()
      }
      try await device.until(pause: .milliseconds(50)) { !app.isRunning }
      #expect(app.wait() == 0)
      #expect(daemons.count == 3)
      let said = device.said
      #expect(said.filter { $0.hasPrefix("completed ") }.sorted() == (1...count).map { "completed \($0) 200" }.sorted())
      for number in 0..<count {
        let expected = ScriptBody.bytes(seed: ScriptBody.seed(forPath: "\(path)/\(number)"), size: size)
        #expect(device.file("\(number)") == expected, "\(number)")
      }
      #expect(device.spooled == [])
      print("\(count) tasks with URLs of \(urlBytes) bytes: all delivered, \(daemons.count) daemons killed")
    }
  }

  @Test(.timeLimit(.minutes(isCampaign ? 30 : 5)))
  func `A session with a very large number of tasks can be opened`() async throws {
    let count = isCampaign ? 100_000 : 5_000
    try await Device.run([]) { device throws in
      var daemon = try await device.startListeningDaemon()
      do {
        let socket = try device.connect()
        try socket.open("crowd")
        for number in 1...count { try socket.send(.createTask(.suspended(number, in: "crowd"))) }
        // Sends an invalid command. Its rejection shows that all earlier messages were processed.
        try socket.send(.command(.order(.resume, process: 0)))
        while let json = socket.receive(), !json.contains("answered") {}
      }
      for _ in 1...2 {
        let socket = try device.connect()
        try socket.send(.hello(Hello(launch: "")))
        try socket.send(.openSession(.named("crowd")))
        var uids: Set<String> = []
        reading: while let json = socket.receive() {
          switch try JSONDecoder().decode(DaemonMessage.self, from: Data(json.utf8)) {
          case .sessionTasks(_, let tasks): uids.formUnion(tasks.map(\.task.uid))
          case .sessionOpened(let inventory):
            uids.formUnion(inventory.tasks.map(\.task.uid))
            #expect(inventory.lastNumber == UInt32(count))
            break reading
          default: break
          }
        }
        #expect(uids.count == count)
        // Repeats the check with tasks loaded from the database.
        daemon.kill()
        daemon = try await device.startListeningDaemon()
      }
      print("\(count) tasks listed, daemon at most \((device.peakMemory(daemon.pid) ?? 0) >> 20) MiB")
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Connections that close after the greeting leak no descriptors`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try await device.startListeningDaemon()
      #expect(try device.app(device.url("/a")).status == 0)
      let before = device.descriptors(daemon.pid)
      for _ in 0..<600 {
        let socket = try device.connect()
        socket.send(Hello(launch: ""))
      }
      // The number of descriptors in the engine varies. A leak would keep hundreds open.
      try await device.until { device.descriptors(daemon.pid) <= before + 8 }
      #expect(try device.app(device.url("/a")).status == 0)
      #expect(device.daemon == daemon.pid)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `Extreme numbers in an app's messages do not crash the daemon`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let daemon = try await device.startListeningDaemon()
      let doubles: [Double] = [
        -1e300, 1e300, -1, 0, -8.9e9, 8.9e9, 1e18, -1e18, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      ]
      for (place, number) in doubles.enumerated() {
        let socket = try device.connect()
        try socket.send(.hello(Hello(launch: "")))
        var opened = OpenedSession.named("s\(place)")
        (opened.settings.requestTimeout, opened.settings.resourceTimeout) = (number, number)
        (opened.settings.connectionsPerHost, opened.settings.redirectLimit) = place % 2 == 0 ? (.min, .max) : (.max, .min)
        (opened.settings.maximumBodyBytes, opened.settings.bytesPerSecondSent) = place % 2 == 0 ? (.min, .max) : (.max, .min)
        opened.settings.bytesPerSecondReceived = place % 2 == 0 ? .max : .min
        try socket.send(.openSession(opened))
        var task = NewTask.suspended(1, in: opened.identifier)
        task.uid = "\(TaskUID(high: UInt64(place), low: 1))"
        task.number = place % 2 == 0 ? .max : 0
        task.request = HTTPRequest(method: .get, urlText: device.url("/a"))
        (task.requestTimeout, task.resourceTimeout, task.earliestBegin) = (number, number, place % 3 == 0 ? nil : number)
        (task.expectedToSend, task.expectedToReceive) = place % 2 == 0 ? (.min, .max) : (.max, .min)
        task.priority = place % 2 == 0 ? .greatestFiniteMagnitude : -1
        try socket.send(.createTask(task))
        try socket.send(.resume(task.uid))
        try socket.send(.report(.deadManArmed(UInt64(place), name: "", firesAt: place % 2 == 0 ? .min : .max)))
        try socket.send(.acknowledge(.max))
        try socket.send(.refuseDelivery(.max, reason: ""))
        try socket.send(.handlerCalled(.max))
        try socket.send(.command(.end(process: .min, because: 255)))
        try socket.send(.command(.conditions))
        while let json = socket.receive(), !json.contains("conditions") {}
      }
      #expect(try device.app(device.url("/a")).status == 0)
      var conditions = DeviceConditions()
      (conditions.clockAhead, conditions.battery, conditions.freeDisk) = (.max, .min, .min)
      let socket = try device.connect()
      try socket.send(.hello(Hello(launch: "")))
      try socket.send(.command(.setConditions(conditions)))
      while let json = socket.receive(), !json.contains("conditions") {}
      #expect(device.daemon == daemon.pid)
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A task that is too large for a message is rejected at its creation`() async throws {
    try await Device.run([.init("/a", .generated(10))]) { device throws in
      let run = try device.app("quiet=1", "until=created", "large=1100000", device.url("/a"))
      #expect(run.status == 0)
      #expect(device.said == ["rejected dataLengthExceedsMaximum", "exit 0"])
      // A task just below the limit is accepted and listed after a relaunch.
      #expect(try device.app("quiet=1", "until=created", "large=900000", device.url("/a")).status == 0)
      #expect(try device.app("quiet=1", "until=rest").status == 0)
      // The scripted server rejects a request header of this size.
      #expect(device.said.contains("completed 1 431"))
    }
  }
}

extension RawSocket {
  func send(_ message: AppMessage) throws {
    send(json: String(decoding: try JSONEncoder().encode(message), as: UTF8.self))
  }

  /// Sends a hello message and opens a session.
  func open(_ session: String) throws {
    try send(.hello(Hello(launch: "")))
    try send(.openSession(.named(session)))
  }
}

extension OpenedSession {
  static func named(_ identifier: String) -> OpenedSession {
    var configuration = TransferSession.Configuration.background(withIdentifier: identifier)
    configuration.sessionSendsLaunchEvents = false
    return OpenedSession(identifier: identifier, instance: 1, settings: BackgroundSettings(configuration))
  }
}

extension NewTask {
  /// Returns a download that is not resumed.
  static func suspended(_ number: Int, in session: String) -> NewTask {
    NewTask(
      uid: "\(TaskUID(high: 1, low: UInt64(number)))", session: session, number: UInt32(number), kind: .download,
      request: HTTPRequest(method: .get, urlText: "http://example.com/\(number)"))
  }
}
