import CXferPlatform
import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of a daemon that starts with a damaged, outdated or manipulated state directory.
@Suite(.serialized) struct StateDamageTests {
  @Test(.timeLimit(.minutes(120)))
  func `With damaged state, the daemon never crashes and never loses a task silently`() async throws {
    let template = try await StateTemplate.make()
    #expect(template.carried.count == 6 && template.ended.count == 3)
    var counts: [StateDamage: (trials: Int, said: Int, lost: Int)] = [:]
    var (traps, silent) = (0, 0)
    let seeds = seeds(40, campaign: 2000)
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let damage = StateDamage.allCases[Int(seed) % StateDamage.allCases.count]
      let trial: Comment = "seed \(seed), \(damage)"
      let aftermath = try await template.start(damage, &random)
      traps += aftermath.trapped ? 1 : 0
      #expect(!aftermath.trapped, "\(trial): the daemon ended with \(aftermath.status ?? 0)")
      let vanished = template.carried.subtracting(aftermath.recovered).subtracting(aftermath.forgotten)
      let isRefused = aftermath.status == 71 && aftermath.text.contains("the daemon cannot start")
      silent += vanished.isEmpty || isRefused ? 0 : 1
      #expect(vanished.isEmpty || isRefused, "\(trial): no message names the lost tasks \(vanished.sorted())\n\(aftermath.text)")
      #expect(aftermath.recovered.isDisjoint(with: template.ended), "\(trial): tasks that were done with came back")
      #expect(aftermath.forgotten.isDisjoint(with: aftermath.recovered), "\(trial): a task is lost and carried")
      let said = aftermath.text.contains("store") || isRefused
      if !damage.mayBeHarmless { #expect(said, "\(trial): nothing is said") }
      let old = counts[damage] ?? (0, 0, 0)
      counts[damage] = (old.trials + 1, old.said + (said ? 1 : 0), old.lost + (aftermath.forgotten.isEmpty ? 0 : 1))
    }
    print("\(seeds.count) damages of the state, seeds \(seeds[0])...: \(traps) traps, \(silent) silent losses")
    for (damage, count) in counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      print("  \(damage): \(count.trials) trials, \(count.said) reported, \(count.lost) with tasks lost by name")
    }
  }
}

/// A state directory and a log with tasks in every state, as left by a killed daemon.
private struct StateTemplate {
  let directory: TemporaryDirectory
  /// The uids of all tasks, and of those that have ended.
  let carried: Set<String>
  let ended: Set<String>

  private var current: String { directory.path("current") }
  private var older: String { directory.path("older") }

  /// - Note: The daemon is started twice, so that both the database and its write-ahead log contain rows.
  static func make() async throws -> StateTemplate {
    let directory = TemporaryDirectory()
    let hanging = ScriptedResponse(
      headers: ["ETag": "\"a\""], body: .generated(size: 3 << 20, seed: .value(1)), cut: .init(.afterBodyBytes(2 << 20), .hang))
    let routes: [ServerScript.Route] = [.init("/hang/{n}", hanging), .init("/a/{n}", .generated(1000))]
    return try await Device.run(routes) { device in
      func count(_ event: String) throws -> Int { try device.events(event).count }
      // Creates an ended task and a suspended task, and, after the older copy was made, a task with undelivered callbacks and
      // one in progress.
      _ = try await device.startListeningDaemon()
      #expect(try device.app("quiet=1", "sessions=done", "many=2", device.url("/a")).status == 0)
      #expect(try device.app("until=created", "quiet=1", "sessions=created", "many=2", device.url("/a")).status == 0)
      #expect(try device.app("quiet=1", "sessions=later", "until=created", "many=1", device.url("/a")).status == 0)
      try await device.until { try count("task.forgotten") == 2 }
      device.stopDaemon()
      try FileManager.default.copyItem(atPath: device.path("state/xferd"), toPath: directory.path("older"))
      _ = try await device.startListeningDaemon()
      #expect(try device.app("until=rest", "quiet=1", "sessions=later").status == 0)
      #expect(try device.app("until=resumed", "quiet=1", "sessions=waiting", "many=2", device.url("/a")).status == 0)
      #expect(try device.app("until=resumed", "quiet=1", "sessions=going", "many=2", device.url("/hang")).status == 0)
      try await device.until {
        try count("task.forgotten") == 3 && count("task.transferred") == 5
          && device.spooled.count(where: { $0.hasSuffix(".part") }) == 2
      }
      device.killDaemon()
      try FileManager.default.createDirectory(atPath: directory.path("current"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: device.path("state"), toPath: directory.path("current/state"))
      try FileManager.default.copyItem(atPath: device.log, toPath: directory.path("current/log.xlog"))
      let (made, done) = (Set(try device.uids("task.created")), Set(try device.uids("task.forgotten")))
      return StateTemplate(directory: directory, carried: made.subtracting(done), ended: done)
    }
  }

  struct Aftermath {
    /// The exit status. `nil` when the daemon served.
    var status: Int32?
    var recovered: Set<String> = []
    var forgotten: Set<String> = []
    /// The daemon's log messages.
    var text = ""

    var trapped: Bool { status.map { $0 >= 128 } ?? false }
  }

  func start(_ damage: StateDamage, _ random: inout SeededRandom) async throws -> Aftermath {
    let place = TemporaryDirectory()
    for name in ["state", "log.xlog"] {
      try FileManager.default.copyItem(atPath: "\(current)/\(name)", toPath: place.path(name))
    }
    try damage.apply(to: place.path("state/xferd"), older: older, &random)
    let environment = [
      "XFERLOG_DIR": place.path("log.xlog"), "XDG_STATE_HOME": place.path("state"), "XFERD_DIR": place.path("run"),
      "SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin", "HOME": place.path("home"),
    ]
    let daemon = try Running("\(ToolRun.directory)/xferd", [], environment)
    // The daemon has logged all problems before it answers.
    var socket: RawSocket?
    while socket == nil, daemon.isRunning {
      let descriptor = xp_local_connect(place.path("run/socket"))
      if descriptor >= 0 { socket = RawSocket(descriptor) } else { try await Task.sleep(for: .milliseconds(2)) }
    }
    socket?.send(Hello(launch: ""))
    _ = socket?.receive()
    if daemon.isRunning { kill(daemon.pid, SIGTERM) }
    let status = daemon.wait()
    var aftermath = Aftermath(status: daemon.status == 0 ? nil : daemon.status ?? status)
    let lines = try ToolRun("xferlog", ["show", "-o", "ndjson", place.path("log.xlog")]).lines
    let objects = try lines.compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
    let last = objects.last { ($0["role"] as? String) == "daemon" }?["launch"] as? String
    for object in objects where object["launch"] as? String == last {
      let fields = object["fields"] as? [String: Any] ?? [:]
      switch object["event"] as? String {
      case "daemon.recovered":
        aftermath.recovered = Set((fields["tasks"] as? [[String: Any]] ?? []).compactMap { $0["uid"] as? String })
      case "task.forgotten" where fields["forgotten"] as? String == "corrupt":
        aftermath.forgotten.insert((object["task"] as? [String: Any])?["uid"] as? String ?? "")
      case "message.error", "message.fault":
        aftermath.text += "\(fields["category"] ?? "") \(fields["eventMessage"] ?? "")\n"
      default: break
      }
    }
    return aftermath
  }
}
