import Foundation
import LogTestSupport
import XferEngine
import XferScript

/// What a survival leaves, and what is wrong with it by anybody's account but the log's; and what the log claims beyond that.
struct Aftermath {
  let deaths: [ObservedDeath]
  /// Calls that failed because somebody wanted them to.
  let injected: [SystemCallTrace.Call]
  /// In words; none when all is as it must be.
  private(set) var violations: [String] = []
  /// Callbacks that came again in a later life: whoever died between a callback and its acknowledgement gets it once more.
  let repeats: Int
  /// Bytes of the download that the server sent more than once.
  private(set) var fetchedAgain = 0
  /// From a daemon's start to its first attempt, where it was not the first daemon.
  private(set) var resumed: [Duration] = []
  /// From a daemon's death to the next request at the server.
  private(set) var requested: [Duration] = []
  /// The log's events, for who wants to record places.
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
    // Where both have died nobody may have written the task down; a request is sent only after that.
    let mayBeNowhere = Set(deaths.map(\.victim)).count == 2 && device.server.requests.isEmpty
    expect(!completions.isEmpty || !story.hasBegun || mayBeNowhere, "the completion is lost")
    // Whoever was not killed has acknowledged what it was told.
    expect(completions.count <= 1 + deaths.count, "\(completions.count) completions with \(deaths.count) deaths")
    for life in story.lives {
      for words in [["completed"], ["file", "lost"], ["body"]] {
        let lines = words.flatMap(life.lines)
        expect(lines.count <= 1, "one life was told twice: \(lines.map { $0.prefix(40) })")
      }
    }
    var good = work == .download ? ["completed 1 200", "completed 1 206"] : ["completed 1 201"]
    if hasFailedFile { good += ["completed 1 cannotWriteToFile", "completed 1 cannotCreateFile", "completed 1 cannotMoveFile"] }
    expect(completions.allSatisfy(good.contains), "wrong completion: \(completions)")
    expect(Set(completions).count <= 1, "the completion changed: \(completions)")
  }

  /// Whether something of a body could not be put into the spool: then the task may fail, with what it was.
  private var hasFailedFile: Bool { injected.contains { [.spool, .place].contains(KillSite.Kind($0)) } }
  /// Whether the completion says that it failed.
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

  /// A daemon that begins anew removes what nobody waits for.
  private mutating func checkSpool(_ device: Device) async throws {
    let daemon = try Running("xferd", [], device.environment)
    var socket: RawSocket?
    while socket == nil, daemon.isRunning { socket = try? device.connect() }
    socket?.send(Hello(launch: ""))
    expect(socket?.receive()?.contains("welcome") ?? false, "the daemon does not come back: \(daemon.status ?? -1)")
    expect(device.spooled == [], "orphans in the spool: \(device.spooled)")
    device.stopDaemon()
  }

  private mutating func checkLog(_ story: Story, _ device: Device) throws {
    let verified = try ToolRun("xferlog", ["verify", "-o", "json", device.log])
    let verification = try JSONDecoder().decode(Verification.self, from: Data(verified.standardOutput))
    expect(["whole", "torn"].contains(verification.verdict), "the log is \(verification.verdict): \(verified.text.suffix(600))")
    let replay = try device.replay()
    for task in replay.tasks where task.state == "acknowledged" {
      expect(!story.completions.isEmpty, "the log says acknowledged, and nobody was told")
    }
    expect(replay.tasks.count <= 1, "the log knows \(replay.tasks.count) tasks")
    let claims = events.filter { $0.event == "file.claimed" && $0.fields["osError"] == nil }
    expect(claims.isEmpty || device.file("a") != nil, "the log says that the file was claimed, and it is not there")
    for callback in ["didComplete", "didFinishDownloading", "didReceiveData"] {
      let ids = Set(
        events.filter { $0.event == "delivery.entered" && $0.fields["callback"] == callback }.compactMap { $0.fields["delivery"] }
      )
      expect(ids.count <= 1, "\(callback) came under \(ids.sorted()):\n\(try ToolRun("xferlog", ["show", device.log]).text)")
    }
    let faults = events.filter { $0.event == "message.fault" }
    expect(faults.isEmpty || !injected.isEmpty, "fault: \(faults.map(\.fields))")
    // A checkpoint that fails is made another time; a commit that fails is said.
    let hasFailedCommit = injected.contains { KillSite.Kind($0) == .commit && $0.text.contains("-wal") }
    expect(!faults.isEmpty || !hasFailedCommit, "nothing is said of a commit that failed: \(injected.map(\.text))")
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
  /// Nanoseconds.
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
