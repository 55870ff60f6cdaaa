import Foundation
import LogTestSupport
import Synchronization
import Testing

/// Tests of `xfer get` with a server that sends responses generated from seeds.
@Suite(.serialized) struct HostileResponseTests {
  private static let batch = 20
  /// The tolerated number of additional descriptors, for idle connections and variations in timing.
  private static let slack = 16

  @Test
  func `No response makes the command crash, hang, leak, use much memory or lose bytes silently`() throws {
    let seeds = seeds(200, campaign: 10_000)
    let held = Mutex(true)
    let server = try RawServer { path in
      guard let seed = UInt64(path.dropFirst()) else {
        while held.withLock({ $0 }) { usleep(500) }
        return Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
      }
      return HostileResponse(seed: seed).bytes
    }
    defer { server.stop() }
    var codes: [Int32: Int] = [:]
    var descriptors: [Int] = []
    var memory = 0
    for start in stride(from: 0, to: seeds.count, by: Self.batch) {
      let part = Array(seeds[start..<min(start + Self.batch, seeds.count)])
      held.withLock { $0 = true }
      let run = try Self.run(part, server) { held.withLock { $0 = false } }
      descriptors.append(run.descriptors)
      memory = max(memory, run.memory)
      for (seed, code) in run.codes {
        codes[code, default: 0] += 1
        let response = HostileResponse(seed: seed)
        #expect(!(response.isTruncated && code == 0), "seed \(seed): a truncated body was accepted as complete")
        if let size = response.size, code == 0 { #expect(run.sizes[seed] == size, "seed \(seed)") }
        #expect(code != 28, "seed \(seed): the command timed out: \(run.errors)")
      }
      #expect(run.codes.count == part.count, "seeds \(part): \(run.errors)")
      #expect(run.status < 128, "seeds \(part): the command was killed by signal \(run.status - 128)")
    }
    let text = codes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    print(
      "\(seeds.count) hostile responses, seeds \(seeds.first!) to \(seeds.last!): codes \(text); at most \(memory) MiB and \(descriptors.max()!) descriptors"
    )
    #expect(1...256 ~= memory)
    #expect(descriptors.max()! <= descriptors.min()! + Self.slack, "\(descriptors)")
  }

  private struct Run {
    var status: Int32 = 0
    var codes: [UInt64: Int32] = [:]
    var sizes: [UInt64: Int] = [:]
    /// The number of open descriptors when all transfers but the last have ended.
    var descriptors = 0
    /// The peak memory when all transfers but the last have ended, in MiB.
    var memory = 0
    var errors = ""
  }

  private static func run(_ seeds: [UInt64], _ server: RawServer, release: () -> Void) throws -> Run {
    let directory = TemporaryDirectory()
    let (report, errors) = (try directory.write([], to: "report"), try directory.write([], to: "errors"))
    let urls = seeds.flatMap { [server.url("/\($0)"), "-o", directory.path("\($0)")] }
    let process = ToolRun.process(
      "xfer",
      ["get", "-s", "-R", "--compressed", "--no-location", "-m", "30", "-w", "%{exitcode} %{url} %{speed_download}\n"] + urls
        + [server.url("/held"), "-o", directory.path("held")],
      environment: ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")])
    process.standardOutput = FileHandle(forWritingAtPath: report)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    func lines() -> [Substring] {
      String(decoding: FileManager.default.contents(atPath: report) ?? Data(), as: UTF8.self).split(separator: "\n")
    }
    while process.isRunning, lines().count < seeds.count { usleep(1000) }
    var run = Run()
    run.descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd"))?.count ?? 0
    let status = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/status") ?? Data()
    let peak = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    run.memory = (Int(peak.filter(\.isNumber)) ?? 0) / 1024
    release()
    process.waitUntilExit()
    run.status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    for line in lines() {
      let words = line.split(separator: " ")
      guard words.count > 1, let code = Int32(words[0]), let seed = words[1].split(separator: "/").last.flatMap({ UInt64($0) })
      else { continue }
      run.codes[seed] = code
      run.sizes[seed] = FileManager.default.contents(atPath: directory.path("\(seed)"))?.count
    }
    run.errors = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
    return run
  }

  @Test
  func `A false HTTP/2 status line puts no request on a connection in use`() throws {
    let isHeld = Mutex(true)
    let server = try RawServer { path in
      if path == "/held" { while isHeld.withLock({ $0 }) { usleep(500) } }
      if path == "/after" { isHeld.withLock { $0 = false } }
      return Array("\(path == "/false" ? "HTTP/2" : "HTTP/1.1") 200 OK\r\nContent-Length: 4\r\n\r\nbody".utf8)
    }
    defer { server.stop() }
    let directory = TemporaryDirectory()
    let run = try ToolRun(
      "xfer",
      ["get", "-s", "--parallel-max", "2", "-m", "20", "-w", "%{exitcode} %{filename_effective}\n"]
        + ["held", "false", "after"].flatMap { [server.url("/\($0)"), "-o", $0] },
      environment: ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")], in: directory.path)
    let lines = String(decoding: run.standardOutput, as: UTF8.self).split(separator: "\n").sorted()
    #expect(lines.map { $0.prefix { $0 != " " } } == ["0", "0", "8"], "\(lines) \(run.standardError)")
  }

  /// Responses that crashed an earlier version.
  static let absurd = [
    "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nbody",
    "HTTP/1.1 200 OK\r\nUpload-Expires: Sat, 01 Jan 9999 00:00:00 GMT\r\nContent-Length: 4\r\n\r\nbody",
    "HTTP/1.1 503 X\r\nRetry-After: Sun, 06 Nov 2147483647 08:49:37 GMT\r\nContent-Length: 4\r\n\r\nbody",
    "HTTP/1.1 206 X\r\nContent-Range: bytes 0-9223372036854775806/9223372036854775807\r\n\r\nbody",
  ]

  @Test(arguments: absurd.indices, ["get", "put"])
  func `Numbers near the limits of 64 bits do not crash the command`(index: Int, verb: String) throws {
    let server = try RawServer { _ in Array(Self.absurd[index].utf8) }
    defer { server.stop() }
    let directory = TemporaryDirectory()
    let file = try directory.write(Array("to be sent".utf8), to: "file")
    let run = try ToolRun(
      "xfer", verb == "get" ? ["get", server.url("/got")] : ["put", file, server.url("/sent")],
      environment: ["XFERLOG_DIR": directory.path("log.xlog"), "XDG_STATE_HOME": directory.path("state")], in: directory.path)
    #expect(run.status == [18, 0, 22, 8][index], "\(run.status): \(run.standardError)")
  }
}
