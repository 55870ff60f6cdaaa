import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of the memory and descriptors that hostile bodies and many tasks use, measured in a separate process.
struct LimitTests {
  private static func figures(_ run: ToolRun) -> [String: String] {
    Dictionary(
      run.text.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { word in
        let parts = word.split(separator: "=", maxSplits: 1)
        return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
      }, uniquingKeysWith: { $1 })
  }

  @Test func `A decompression bomb fails the task before it fills memory`() async throws {
    let directory = TemporaryDirectory()
    let gibibytes = isCampaign ? 10 : 1
    let (bomb, zeros) = (Compressed.gzipBomb(gibibytes: gibibytes), [UInt8](repeating: 0, count: 16 << 20))
    let member = Compressed.gzip(zeros)
    let frame = Compressed.zstandard(zeros)
    let tower = (0..<8).reduce(member + member + member) { bytes, _ in Compressed.gzip(bytes) }
    let bodies: [(String, [UInt8])] = [
      ("gzip", bomb), ("gzip", Array(repeatElement(member, count: gibibytes * 64).joined())),
      ("zstd", Array(repeatElement(frame, count: gibibytes * 64).joined())), ("gzip, gzip", Compressed.gzip(bomb)),
      ("zstd, gzip", Compressed.gzip(Array(repeatElement(frame, count: gibibytes * 64).joined()))),
      (Array(repeating: "gzip", count: 10).joined(separator: ", "), tower),
      (Array(repeating: "gzip", count: 10_000).joined(separator: ","), member),
    ]
    let routes = bodies.enumerated().map { index, body in
      ServerScript.Route("/\(index)", ScriptedResponse(headers: ["Content-Encoding": body.0], body: .bytes(body.1)))
    }
    let small = ScriptedResponse(
      headers: ["Content-Encoding": "gzip"], body: .bytes(Compressed.gzip([UInt8](repeating: 7, count: 100_000))))
    try await ScriptedServer.serving(ServerScript(routes + [.init("/small", small)])) { server in
      for (index, body) in bodies.enumerated() {
        let run = try ToolRun("engine-probe", ["get", directory.path("log.xlog"), server.url("/small"), server.url("/\(index)")])
        let figures = Self.figures(run)
        let growth = figures["growthKiB"].flatMap { Int($0) } ?? .max
        print("bomb of \(body.1.count) bytes in \(body.0.prefix(20)): \(run.text.dropLast()) \(run.standardError)")
        #expect(["dataLengthExceedsMaximum", "cannotDecodeContentData"].contains(figures["code"] ?? ""), "\(body.0.prefix(20))")
        #expect(growth <= 32 * 1024, "\(body.0.prefix(20))")
      }
    }
  }

  /// Runs all tasks at the same time against 100 hosts with at most 6 connections each.
  @Test func `Thousands of tasks complete within limits on memory and descriptors`() throws {
    let directory = TemporaryDirectory()
    let (tasks, hosts, size) = (isCampaign ? 10_000 : 1_000, 100, 20_000)
    try FileManager.default.createDirectory(atPath: directory.path("root"), withIntermediateDirectories: true)
    for seed in 0..<10 {
      _ = try directory.write((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ seed) }, to: "root/f\(seed)")
    }
    let port = try LoopbackPort.free()
    let listeners = (1...hosts).map { "listen 127.0.1.\($0):\(port);" }.joined(separator: " ")
    let web = try WebServer(root: directory.path("root"), directives: listeners)
    // At most six connections per host. A download also has an open file per connection.
    for (kind, connections) in [("data", 128), ("data", 600), ("download", 128), ("download", 450)] {
      let log = directory.path("\(kind)\(connections).xlog")
      let run = try ToolRun(
        "engine-probe",
        [
          "many", log, "tasks=\(tasks)", "hosts=\(hosts)", "port=\(port)", "size=\(size)", "connections=\(connections)",
          "kind=\(kind)",
        ])
      print("\(tasks) \(kind) tasks, \(connections) connections: \(run.text.dropLast()) \(run.standardError)")
      let figures = Self.figures(run)
      #expect(figures["right"] == "\(tasks)" && figures["wrong"] == "0", "\(run.text) \(run.standardError)")
      #expect(figures["peakKiB"].flatMap { Int($0) } ?? .max <= 256 * 1024)
      #expect(figures["descriptors"].flatMap { Int($0) } ?? .max <= 1_024)
    }
    withExtendedLifetime(web) {}
  }
}
