import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore
import XferScript

/// Tests of replaying the daemon's log after its oldest segments were removed.
struct InventoryTests {
  @Test(.timeLimit(.minutes(5)))
  func `A task created before the log's first segment is known from the daemon's task list`() async throws {
    let hanging = ScriptedResponse(body: .generated(size: 9000, seed: .value(1)), cut: .init(.afterBodyBytes(10), .hang))
    try await Device.run([.init("/long", hanging), .init("/f/{n}", .generated(10))]) { device throws in
      // The daemon starts a new segment for each chunk.
      let daemon = try await device.startListeningDaemon(["XFERLOG_TEST_SEGMENT_AGE": "0"])
      #expect(try device.app("until=resumed", device.url("/long")).status == 0)
      try await device.server.waitUntil { !$0.isEmpty }
      #expect(try device.app("sessions=other", "many=150", device.url("/f")).status == 0)
      device.stopDaemon()
      #expect(daemon.wait() == 0)

      let listings = try device.objects().filter { $0["event"] as? String == "daemon.tasksListed" }
      #expect(listings.count >= 2)
      let whole = try device.replay()
      #expect(whole.tasks.count == 151)
      // Removes old segments and records that, as retention does, including app segments that contain nothing later.
      let listed = try #require(listings.last.flatMap(Self.place)).moment
      var ends: [Int: Int64] = [:]
      for (segment, moment) in try device.objects().compactMap(Self.place) { ends[segment] = max(ends[segment] ?? 0, moment) }
      var removed: [Int] = []
      for name in try FileManager.default.contentsOfDirectory(atPath: device.log) {
        if let number = Int(name.prefix { $0.isNumber }), name.hasSuffix(".seg"), ends[number] ?? 0 < listed {
          unlink("\(device.log)/\(name)")
          removed.append(number)
        }
      }
      let key = try MaskKey.load(
        stateDirectory: LogDirectory.stateDirectory(environment: ["XDG_STATE_HOME": device.path("state")]))
      let configuration = LogConfiguration(role: .tool, privacy: PrivacyPolicy(key: key), maintains: false)
      let log = try EventLog(directory: device.log, configuration: configuration)
      log.emit(
        LogSegmentsRemoved(
          count: Int64(removed.count), until: WallTime(nanoseconds: configuration.clock.wall()),
          segment: Int64(removed.max() ?? 0)))
      log.close()
      let run = try ToolRun("xferlog", ["replay", "-o", "json", device.log])
      let replay = try ReplayResult(run)
      #expect(replay.complete, "\(run.text.prefix(2000))")
      #expect(replay.findings.map(\.rule) == [])
      let open = replay.tasks.filter { $0.outcome == "open" }
      #expect(open.map(\.session) == ["probe"] && open.map(\.number) == [1])
    }
  }

  private static func place(_ object: [String: Any]) -> (segment: Int, moment: Int64)? {
    guard let source = object["source"] as? [String: Any], let segment = source["segment"] as? Int,
      let moment = (object["mono"] as? String).flatMap({ Int64($0) })
    else { return nil }
    return (segment, moment)
  }
}
