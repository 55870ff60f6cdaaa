import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that cut the power while `xfer get` downloads, and check that all files reported as complete are on the disk.
@Suite(.serialized, .enabled(if: CuttableDisk.obstacle == nil, "no disk for power-cut tests: \(CuttableDisk.obstacle ?? "")"))
struct PowerCutTests {
  /// A file whose name encodes its size and its seed.
  private struct File {
    let name: String
    let size: Int
    let seed: UInt64

    var route: ServerScript.Route { .init("/\(name)", ScriptedResponse(body: .generated(size: size, seed: .value(seed)))) }
    var bytes: [UInt8] { ScriptBody.bytes(seed: seed, size: size) }
  }

  private static let files =
    (1...24).map { File(name: "small-\($0)", size: 4096, seed: UInt64($0)) }
    + (1...3).map { File(name: "large-\($0)", size: 8 << 20, seed: UInt64(100 + $0)) }

  private struct Outcome {
    var reported = 0
    /// Whether a transfer was in progress: after its first byte and before its report.
    var isBetween = false
    var wrong: [String] = []
  }

  @Test
  func `Every file that was reported as complete survives a power cut`() async throws {
    let disk = try CuttableDisk(megabytes: 128)
    let contents = Dictionary(uniqueKeysWithValues: Self.files.map { ($0.name, $0.bytes) })
    var (reported, between, failed) = (0, 0, 0)
    let seeds = seeds(9, campaign: 100)
    for seed in seeds {
      try await Bench.run(Self.files.map(\.route)) { bench in
        let outcome = try Self.cut(disk, seed, bench, contents)
        #expect(outcome.wrong == [], "seed \(seed)")
        reported += outcome.reported
        between += outcome.isBetween ? 1 : 0
        failed += outcome.wrong.isEmpty ? 0 : 1
      }
    }
    print("\(seeds.count) power cuts, \(between) in mid transfer: \(reported) files reported, damaged after \(failed) cuts")
    if seeds.count > 1 {
      #expect(reported > 0)
      #expect(between * 3 >= seeds.count * 2, "two thirds of the cuts occur between the first byte and the report")
    }
  }

  private static func cut(
    _ disk: CuttableDisk, _ seed: UInt64, _ bench: Bench, _ contents: [String: [UInt8]]
  ) throws -> Outcome {
    var random = SeededRandom(seed: seed)
    let files = files.shuffled(using: &random)
    let replaces = seed % 2 == 0
    let directory = "\(disk.path)/\(seed)"
    if replaces { try leaveOldFiles(files, in: directory) }
    // Two cuts of three happen after a number of sent bytes, and one after a number of reported files.
    let byBytes = seed % 3 != 2
    let bytes = Int.random(in: 1...files.reduce(0) { $0 + $1.size }, using: &random)
    let lines = Int.random(in: 1...files.count, using: &random)

    let report = bench.path("report")
    try Data().write(to: URL(fileURLWithPath: report))
    let process = ToolRun.process(
      "xfer",
      ["get", "-s", "--parallel-max", "4", "--output-dir", directory, "-w", "%{filename_effective}\n"]
        + files.map { bench.url("/\($0.name)") },
      environment: bench.environment)
    process.standardOutput = FileHandle(forWritingAtPath: report)
    process.standardError = FileHandle.nullDevice
    try process.run()
    func reportedLines() -> [String] {
      String(decoding: FileManager.default.contents(atPath: report) ?? Data(), as: UTF8.self).split(separator: "\n").map(
        String.init)
    }
    while process.isRunning {
      if byBytes, bench.server.requests.reduce(0, { $0 + $1.bodyBytesWritten }) >= bytes { break }
      if !byBytes, lines < files.count, reportedLines().count >= lines { break }
      usleep(200)
    }
    kill(process.processIdentifier, SIGSTOP)
    let reported = Set(reportedLines().map { String($0.split(separator: "/").last ?? "") })
    let found = try disk.cut()
    let sent = bench.server.requests.count { $0.bodyBytesWritten > 0 }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()

    var outcome = Outcome(reported: reported.count, isBetween: sent > reported.count)
    let place = "\(found.path)/\(seed)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    for name in reported.sorted() where !names.contains(name) { outcome.wrong.append("\(name) was reported and is missing") }
    for name in names.sorted() {
      guard let whole = contents[name] else { continue }
      let bytes = Array(FileManager.default.contents(atPath: "\(place)/\(name)") ?? Data())
      // A file has its final name only when it is complete, even if unreported. Until then the name refers to the old file.
      if bytes == whole || replaces && !reported.contains(name) && bytes == Self.old { continue }
      outcome.wrong.append("\(name) has \(bytes.count) bytes of \(whole.count), reported: \(reported.contains(name))")
    }
    found.unmount()
    try? FileManager.default.removeItem(atPath: directory)
    return outcome
  }

  private static let old = Array("the file that was there before".utf8)

  private static func leaveOldFiles(_ files: [File], in directory: String) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for file in files { try Data(old).write(to: URL(fileURLWithPath: "\(directory)/\(file.name)")) }
    sync()
  }
}
