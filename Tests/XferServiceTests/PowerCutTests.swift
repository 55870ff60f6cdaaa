import CXferPlatform
import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that cut the power during downloads. Only the disk contents survive for the next daemon and the relaunched app.
@Suite(.serialized, .enabled(if: CuttableDisk.obstacle == nil, "cannot simulate a power cut: \(CuttableDisk.obstacle ?? "")"))
struct PowerCutTests {
  private struct File {
    let name: String
    let size: Int
    let seed: UInt64

    var route: ServerScript.Route {
      .init(
        "/\(name)",
        ScriptedResponse(
          headers: ["ETag": "\"\(seed)\""], body: .generated(size: size, seed: .value(seed)),
          rate: size > 1 << 20 ? 40 << 20 : nil, ranges: .honour))
    }
    var bytes: [UInt8] { ScriptBody.bytes(seed: seed, size: size) }
  }

  private static let files =
    (1...10).map { File(name: "small-\($0)", size: 4096, seed: UInt64($0)) }
    + [File(name: "large-1", size: 4 << 20, seed: 101), File(name: "large-2", size: 8 << 20, seed: 102)]

  private struct Outcome {
    var delivered = 0
    /// Whether the cut came between the first byte of a body and the app's acknowledgement.
    var isBetween = false
    var wrong: [String] = []
  }

  @Test(.timeLimit(.minutes(60)))
  func `After a power cut, every delivered file is complete and all other files are downloaded again`() async throws {
    var (delivered, between, failed) = (0, 0, 0)
    let seeds = seeds(8, campaign: 200)
    for seed in seeds {
      let outcome = try await Device.run(Self.files.map(\.route)) { device in try await Self.cut(seed, device) }
      #expect(outcome.wrong == [], "seed \(seed)")
      if !outcome.wrong.isEmpty { print("seed \(seed): \(outcome.wrong)") }
      delivered += outcome.delivered
      between += outcome.isBetween ? 1 : 0
      failed += outcome.wrong.isEmpty ? 0 : 1
    }
    print(
      """
      \(seeds.count) power cuts of a daemon and its app, seeds \(seeds[0])..., \(between) in mid transfer: \(delivered) files \
      delivered before the cut, wrong after \(failed) cuts
      """)
    if seeds.count > 1 {
      #expect(delivered > 0)
      #expect(between * 3 >= seeds.count * 2, "too few cuts came between the first byte and the acknowledgement")
    }
  }

  private static func cut(_ seed: UInt64, _ base: Device) async throws -> Outcome {
    var random = SeededRandom(seed: seed)
    let files = files.shuffled(using: &random)
    let disk = try CuttableDisk(megabytes: 96)
    let place = disk.path
    var device = base
    device.moreEnvironment = ["XDG_STATE_HOME": "\(place)/state", "XFERLOG_DIR": "\(place)/log.xlog"]
    try FileManager.default.createDirectory(atPath: "\(place)/files", withIntermediateDirectories: true)
    // The log's mask key already exists and is durable, as on a machine that was used before.
    try FileManager.default.createDirectory(
      atPath: "\(place)/state/xferlog", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    _ = FileManager.default.createFile(
      atPath: "\(place)/state/xferlog/mask.key", contents: Data(1...16), attributes: [.posixPermissions: 0o600])
    sync()
    try device.boot()

    // Two of three cuts happen after a random number of body bytes, the others after a number of delivered files.
    let byBytes = seed % 3 != 2
    let bytes = Int.random(in: 1...files.reduce(0) { $0 + $1.size }, using: &random)
    let told = Int.random(in: 1..<files.count, using: &random)
    let app = try run(device, place, ["quiet=1"] + files.map { device.url("/\($0.name)") })
    while app.isRunning {
      if byBytes, device.server.requests.reduce(0, { $0 + $1.bodyBytesWritten }) >= bytes { break }
      if !byBytes, device.said.count(where: { $0.hasPrefix("file ") }) >= told { break }
      try await Task.sleep(for: .microseconds(200))
    }
    let daemon = device.daemon
    for pid in [app.pid, daemon].compactMap({ $0 }) { kill(pid, SIGSTOP) }
    let image = try disk.image()
    let requested = Set(device.server.requests.map { $0.target.split(separator: "/").last.map(String.init) ?? "" })
    let said = device.said
    let isBetween = device.server.requests.count { $0.bodyBytesWritten > 0 } > said.count { $0.hasPrefix("completed") }
    // The app is killed first, because a stopped parent would leave the daemon as a zombie.
    app.kill()
    if let daemon {
      kill(daemon, SIGKILL)
      while xp_process_exists(daemon) { try await Task.sleep(for: .milliseconds(1)) }
    }
    try disk.restart(from: image)
    try device.boot()

    var outcome = Outcome(delivered: said.count { $0.hasPrefix("file ") }, isBetween: isBetween)
    // Relaunches the app until a launch finds no remaining tasks.
    for life in 1... {
      let before = device.said.count { $0.hasPrefix("completed") }
      let app = try run(device, place, ["quiet=1", "until=rest"])
      let deadline = ContinuousClock.now + .seconds(60)
      while app.isRunning, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(2)) }
      if app.isRunning {
        outcome.wrong.append("launch \(life) does not exit: \(device.said.suffix(5))")
        app.kill()
      }
      if !outcome.wrong.isEmpty || device.said.count(where: { $0.hasPrefix("completed") }) == before { break }
      if life > 10 { outcome.wrong.append("the tasks do not end after 10 launches") }
    }
    // A task is durable before its request is sent. A task without a request may be lost.
    for file in files {
      let found = FileManager.default.contents(atPath: "\(place)/files/\(file.name)").map(Array.init)
      if found == file.bytes || found == nil && !requested.contains(file.name) { continue }
      outcome.wrong.append(
        "\(file.name) has \(found.map { "\($0.count)" } ?? "no") bytes of \(file.size), before the cut: "
          + (said.contains("file \(file.name)") ? "delivered" : "requested"))
    }
    let failed = device.said.filter { $0.hasPrefix("completed") && !$0.hasSuffix(" 200") && !$0.hasSuffix(" 206") }
    if !failed.isEmpty { outcome.wrong.append("failed: \(failed)") }
    let lost = device.said.dropFirst(said.count).filter { $0.hasPrefix("lost") }
    if !lost.isEmpty { outcome.wrong.append("missing files were offered: \(lost)") }
    let spooled = (try? FileManager.default.contentsOfDirectory(atPath: "\(place)/state/xferd/spool")) ?? []
    if !spooled.isEmpty { outcome.wrong.append("left in the spool: \(spooled)") }
    device.stopDaemon()
    return outcome
  }

  private static func run(_ device: Device, _ place: String, _ arguments: [String]) throws -> Running {
    try Running("background-probe", ["files=\(place)/files", "said=\(device.path("said"))"] + arguments, device.environment)
  }
}
