import Foundation
import LogTestSupport
import Testing
import XferEvents

/// A replay depends only on the log. Hash seeds differ between processes, and the order of files between directories.
struct SameBytesTests {
  /// Returns a log of several writers.
  private static func write(in directory: TemporaryDirectory) throws -> String {
    _ = try CrowdedLog(in: directory, name: "run.xlog", tasks: 40, seed: 5)
    for life in 1...3 {
      let log = try RecordedLog(
        in: directory, seed: UInt64(100 + life), pid: Int32(4100 + life), role: .app, at: Int64(60_000 * life))
      let session = "com.example.life.\(life)"
      log.emit(
        at: Int64(60_000 * life + 10), SessionCreated(session: session, instance: CorrelationID(9), sessionKind: .background))
      log.emit(at: Int64(60_000 * life + 20), WakeDelivered(session: session, handler: HandlerID(UInt64(life))))
      log.emit(at: Int64(60_000 * life + 50_000), AppBeatExpected(name: "beat", interval: .seconds(5), enabled: true))
      log.close()
    }
    return directory.path("run.xlog")
  }

  @Test func `A replay writes the same bytes in every process and for every order of files`() throws {
    let directory = TemporaryDirectory()
    let path = try Self.write(in: directory)
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    #expect(names.filter { $0.hasSuffix(".seg") }.count >= 4)
    var random = SeededRandom(seed: 1)
    var first: [String: [UInt8]] = [:]
    for run in seeds(4, campaign: 100) {
      let copy = directory.path("copy-\(run)")
      try FileManager.default.createDirectory(atPath: copy + "/run.xlog", withIntermediateDirectories: true)
      for name in names.shuffled(using: &random) {
        try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(copy)/run.xlog/\(name)")
      }
      for form in ["json", "ndjson", "text"] {
        let replay = try ToolRun(ToolRun.tool, ["replay", "-o", form, "run.xlog"], in: copy)
        #expect(replay.status == 1, "\(replay.standardError)")
        #expect(replay.standardOutput == first[form] ?? replay.standardOutput, "\(form), run \(run)")
        first[form] = first[form] ?? replay.standardOutput
      }
      try FileManager.default.removeItem(atPath: copy)
    }
    print(first.mapValues(\.count).sorted { $0.key < $1.key })
  }
}
