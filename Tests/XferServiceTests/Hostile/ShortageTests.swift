import Foundation
import LogTestSupport
import Testing
import XferEngine
import XferScript

/// Tests of a daemon with few descriptors, threads or processes.
@Suite(.serialized) struct ShortageTests {
  @Test(.timeLimit(.minutes(5)), arguments: ["-n 64", "-n 256", "-n 1024"])
  func `Transfers finish while connections flood a daemon with few descriptors`(limits: String) async throws {
    try await flood(limits, user: 0)
  }

  @Test(.timeLimit(.minutes(5)), .enabled(if: getuid() == 0, "only root can act as a user with a process limit"))
  func `Transfers finish while connections flood a daemon with a low process limit`() async throws {
    try await flood("-u 60", user: 61_003)
  }

  private func flood(_ limits: String, user: uid_t) async throws {
    let count = 40
    let response = ScriptedResponse(body: .generated(size: 40_000, seed: .path), rate: 40_000)
    try await Device.run([.init("/f/{n}", response)]) { device throws in
      let programs = try ForeignPrograms(device, for: user)
      var environment = device.environment
      environment["XFERD"] = "/nonexistent"
      let daemon = try programs.start("xferd", limits: limits, environment)
      try await device.until { access(device.path("run/socket"), F_OK) == 0 || !daemon.isRunning }
      // The app runs without limits, because only the daemon is being tested.
      let app = try programs.start(
        "background-probe", ["files=\(programs.files)", "said=\(programs.said)", "many=\(count)", device.url("/f")],
        limits: "-c 0", environment)
      try await device.server.waitUntil { !$0.isEmpty }
      let flood = try programs.flood(device.path("run/socket"), environment)
      try await device.until(pause: .milliseconds(50)) { !app.isRunning || !daemon.isRunning }
      #expect(daemon.isRunning)
      #expect(app.wait() == 0)
      #expect(flood.isRunning)
      let said = try String(contentsOfFile: programs.said, encoding: .utf8).split(separator: "\n").map(String.init)
      #expect(said.filter { $0.hasPrefix("completed ") }.sorted() == (1...count).map { "completed \($0) 200" }.sorted())
      for number in 0..<count {
        let expected = ScriptBody.bytes(seed: ScriptBody.seed(forPath: "/f/\(number)"), size: 40_000)
        #expect(FileManager.default.contents(atPath: "\(programs.files)/\(number)").map(Array.init) == expected, "\(number)")
      }
    }
  }
}

extension ForeignPrograms {
  /// Starts a program that opens connections and keeps them open, some with a hello message and some without.
  fileprivate func flood(_ socket: String, _ environment: [String: String]) throws -> Running {
    let hello = String(decoding: try JSONEncoder().encode(AppMessage.hello(Hello(launch: ""))), as: UTF8.self)
    let script = """
      import os, socket, struct, time
      os.setgid(\(user)); os.setuid(\(user))
      hello = b'''\(hello)'''
      kept = []
      place = 0
      while True:
        place += 1
        peer = socket.socket(socket.AF_UNIX)
        peer.setblocking(False)
        try:
          peer.connect('\(socket)')
          if place % 2: peer.send(struct.pack('<I', len(hello)) + hello)
          if place % 3: kept.append(peer)
        except OSError:
          time.sleep(0.01)
        kept = kept[-400:]
      """
    return try Running("/usr/bin/python3", ["-c", script], environment)
  }
}
