import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests with the maximum number of tasks that an app may have.
@Suite(.serialized) struct CrowdTests {
  @Test(.timeLimit(.minutes(isCampaign ? 60 : 5)))
  func `Each of many tasks is delivered once with its own bytes, and the daemon's memory stays bounded`() async throws {
    let count = isCampaign ? 10_000 : 200
    let size = 500
    try await Device.run([.init("/f/{n}", ScriptedResponse(body: .generated(size: size, seed: .path)))]) { device throws in
      let (clock, start) = (ContinuousClock(), ContinuousClock().now)
      let app = try device.startApp("many=\(count)", device.url("/f"))
      try await device.until { device.daemon != nil }
      let daemon = try #require(device.daemon)
      var descriptors = 0
      try await device.until {
        descriptors = max(descriptors, device.descriptors(daemon))
        return !app.isRunning
      }
      #expect(app.wait() == 0)
      let memory = try #require(device.peakMemory(daemon))
      print("\(count) tasks: \(clock.now - start), daemon at most \(memory / 1024) KiB and \(descriptors) descriptors")
      #expect(memory <= 256 << 20)

      let said = device.said
      #expect(said.filter { $0.hasPrefix("file ") }.sorted() == (0..<count).map { "file \($0)" }.sorted())
      #expect(said.filter { $0.hasPrefix("completed ") }.sorted() == (1...count).map { "completed \($0) 200" }.sorted())
      for number in 0..<count {
        let bytes = device.file("\(number)")
        #expect(bytes == ScriptBody.bytes(seed: ScriptBody.seed(forPath: "/f/\(number)"), size: size), "\(number)")
      }
      #expect(device.server.requests.count == count)
      #expect(device.spooled == [])
      device.stopDaemon()
      let replay = try device.replay()
      #expect(replay.findings.map(\.rule) == [])
      #expect(replay.tasks.count == count && replay.tasks.allSatisfy { $0.outcome == "succeeded" })
    }
  }
}
