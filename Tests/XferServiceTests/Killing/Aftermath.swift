import Foundation
import LogTestSupport
import XferEngine
import XferScript

/// The result of a kill test: its violations, judged by the app's output, the server and the files, and compared with the log.
struct Aftermath {
  let deaths: [ObservedDeath]
  /// System calls that were made to fail by fault injection.
  let injected: [SystemCallTrace.Call]
  /// Descriptions of the violations.
  private(set) var violations: [String] = []
  /// The number of repeated callbacks. An app that is killed between a callback and its acknowledgement gets the callback
  /// again.
  let repeats: Int
  /// The number of body bytes that the server sent more than once.
  private(set) var fetchedAgain = 0
  /// The times from the start of each later daemon to its first attempt.
  private(set) var resumed: [Duration] = []
  /// The times from each daemon kill to the next request at the server.
  private(set) var requested: [Duration] = []
  /// All events in the log.
  let events: [LoggedEvent]
  let said: [String]

  init(
    _ survival: Survival, _ device: Device, _ deaths: [ObservedDeath], _ injected: [SystemCallTrace.Call]
  ) async throws {
    (self.deaths, self.injected) = (deaths, injected)
    said = device.said
    let story = Story(said)
    repeats = story.repeats
    events = try LoggedEvent.all(in: device.log)
    checkCallbacks(story, survival.work, device)
    checkBytes(story, survival.work, device)
    try await checkSpool(device)
    try checkLog(story, device)
    measure(device)
  }

  private mutating func expect(_ holds: Bool, _ problem: String) {
    if !holds { violations.append(problem) }
  }

  private mutating func checkCallbacks(_ story: Story, _ work: BackgroundWork, _ device: Device) {
    let completions = story.completions
    // If both app and daemon were killed, the task may not have been stored. A request is sent only after the task was stored.
    let mayBeNowhere = Set(deaths.map(\.victim)).count == 2 && device.server.requests.isEmpty
    expect(!completions.isEmpty || !story.hasBegun || mayBeNowhere, "the completion is lost")
    // Only a kill between a completion and its acknowledgement may repeat the completion.
    expect(completions.count <= 1 + deaths.count, "\(completions.count) completions with \(deaths.count) deaths")
    for life in story.lives {
      for words in [["completed"], ["file", "lost"], ["body"]] {
        let lines = words.flatMap(life.lines)
        expect(lines.count <= 1, "one app process received a callback twice: \(lines.map { $0.prefix(40) })")
      }
    }
    var good = work == .download ? ["completed 1 200", "completed 1 206"] : ["completed 1 201"]
    if hasFailedFile { good += ["completed 1 cannotWriteToFile", "completed 1 cannotCreateFile", "completed 1 cannotMoveFile"] }
    expect(completions.allSatisfy(good.contains), "wrong completion: \(completions)")
    expect(Set(completions).count <= 1, "the completion changed: \(completions)")
  }

  /// Whether a write to the spool failed by injection, so that the task may fail with a file error.
  private var hasFailedFile: Bool { injected.contains { [.spool, .place].contains(KillSite.Kind($0)) } }
  /// Whether the completion reports a file error.
  var hasFailed: Bool { Story(said).completions.contains { $0.contains(" cannot") } }

  private mutating func checkBytes(_ story: Story, _ work: BackgroundWork, _ device: Device) {
    let isComplete = !story.completions.isEmpty && !hasFailed
    switch work {
    case .download:
      let file = device.file("a")
      expect(file != nil || !isComplete, "completed without a file")
      expect(file == nil || file == BackgroundWork.bytes, "wrong bytes in the file")
      if isComplete { fetchedAgain = device.server.requests.reduce(0) { $0 + $1.bodyBytesWritten } - BackgroundWork.size }
    case .upload:
      let bodies = story.lives.flatMap { $0.lines("body") }
      expect(!bodies.isEmpty || !isComplete, "completed without the response's body")
      expect(bodies.allSatisfy { $0 == "body \(BackgroundWork.receipt)" }, "wrong bytes in the response: \(bodies.map(\.count))")
      for request in device.server.requests where request.requestBodyBytes >= BackgroundWork.size || request.ending == .complete {
        expect(
          request.requestBodyBytes == BackgroundWork.size && request.requestBodyCRC32 == Self.sum,
          "wrong bytes were sent: \(request.requestBodyBytes)")
      }
      expect(!isComplete || device.server.requests.contains { $0.requestBodyCRC32 == Self.sum }, "completed without being sent")
    }
  }

  private static let sum = CRC32(BackgroundWork.bytes).value

  /// Checks that a new daemon starts and leaves the spool empty.
  private mutating func checkSpool(_ device: Device) async throws {
    let daemon = try Running("xferd", [], device.environment)
    var socket: RawSocket?
    while socket == nil, daemon.isRunning { socket = try? device.connect() }
    socket?.send(Hello(launch: ""))
    expect(socket?.receive()?.contains("welcome") ?? false, "the daemon does not start again: exit status \(daemon.status ?? -1)")
    expect(device.spooled == [], "orphans in the spool: \(device.spooled)")
    device.stopDaemon()
  }

  private mutating func checkLog(_ story: Story, _ device: Device) throws {
    let verified = try ToolRun("xferlog", ["verify", "-o", "json", device.log])
    let verification = try JSONDecoder().decode(Verification.self, from: Data(verified.standardOutput))
    expect(["whole", "torn"].contains(verification.verdict), "the log is \(verification.verdict): \(verified.text.suffix(600))")
    let replay = try device.replay()
    for task in replay.tasks where task.state == "acknowledged" {
      expect(!story.completions.isEmpty, "the log contains an acknowledgement, but the app received no completion")
    }
    expect(replay.tasks.count <= 1, "the log contains \(replay.tasks.count) tasks instead of one")
    let claims = events.filter { $0.event == "file.claimed" && $0.fields["osError"] == nil }
    expect(claims.isEmpty || device.file("a") != nil, "the log contains a claim of the file, but the file is missing")
    for callback in ["didComplete", "didFinishDownloading", "didReceiveData"] {
      let ids = Set(
        events.filter { $0.event == "delivery.entered" && $0.fields["callback"] == callback }.compactMap { $0.fields["delivery"] }
      )
      let log = try ToolRun("xferlog", ["show", device.log]).text
      expect(ids.count <= 1, "\(callback) was delivered with several IDs \(ids.sorted()):\n\(log)")
    }
    let faults = events.filter { $0.event == "message.fault" }
    expect(faults.isEmpty || !injected.isEmpty, "unexpected fault: \(faults.map(\.fields))")
    // A failed checkpoint is repeated silently, but a failed commit must be logged.
    let hasFailedCommit = injected.contains { KillSite.Kind($0) == .commit && $0.text.contains("-wal") }
    expect(!faults.isEmpty || !hasFailedCommit, "a failed commit was not logged: \(injected.map(\.text))")
  }

  private struct Verification: Decodable { let verdict: String }

  private mutating func measure(_ device: Device) {
    for started in events where started.event == "daemon.started" && started.fields["generation"] != "1" {
      let attempt = events.first { $0.event == "attempt.started" && $0.launch == started.launch }
      if let attempt { resumed.append(.nanoseconds(attempt.mono - started.mono)) }
    }
    for death in deaths where death.victim == .daemon {
      guard let moment = death.moment else { continue }
      let next = device.server.requests.map(\.received).filter { $0 > moment }.min()
      if let next { requested.append(next - moment) }
    }
  }
}

/// One line of `xferlog show -o ndjson`.
struct LoggedEvent {
  let event: String
  let launch: String
  let role: String
  /// The monotonic time, in nanoseconds.
  let mono: Int64
  let lane: Int
  let sequence: Int
  let fields: [String: String]

  static func all(in log: String) throws -> [Self] {
    try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines.compactMap { line in
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let event = object["event"] as? String, let source = object["source"] as? [String: Any]
      else { return nil }
      return Self(
        event: event, launch: object["launch"] as? String ?? "", role: object["role"] as? String ?? "",
        mono: Int64(object["mono"] as? String ?? "") ?? 0, lane: source["lane"] as? Int ?? 0,
        sequence: source["seq"] as? Int ?? 0,
        fields: (object["fields"] as? [String: Any] ?? [:]).mapValues { "\($0)" })
    }
  }
}
