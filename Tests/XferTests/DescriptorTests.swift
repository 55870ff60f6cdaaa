import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests of many transfers in a process with few file descriptors or threads.
struct DescriptorTests {
  private static let count = 150

  /// Routes for small files and a few larger ones that need a sidecar. All responses are slow enough to overlap.
  private static let routes = (1...count).map(route)

  private static func size(_ index: Int) -> Int { index % 10 == 0 ? 1_200_000 : 3000 }

  private static func route(_ index: Int) -> ServerScript.Route {
    let pieces = ScriptedResponse.Pieces(size: size(index) / 3, delay: .milliseconds(20))
    let body = ScriptBody.generated(size: size(index), seed: .value(UInt64(index)))
    return .init("/\(index)", ScriptedResponse(headers: ["ETag": "\"1\""], body: body, pieces: pieces, ranges: .honour))
  }

  @Test(arguments: [64, 256, 1024], [6, 1000])
  func `All transfers succeed within the file descriptor limit`(limit: Int, parallel: Int) async throws {
    try await Bench.run(Self.routes) { bench in
      let run = try Self.run(bench, "ulimit -n \(limit)", parallel)
      #expect(run.status == 0 && run.standardError == "", "\(run.standardError.prefix(500))")
      Self.check(bench)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "requires the superuser, who can switch to another user"))
  func `All transfers succeed within 60 processes and 64 descriptors`() async throws {
    try await Bench.run(Self.routes) { bench in
      // The process limit does not apply to the superuser, so another user runs a copy of the command in its own directory.
      try FileManager.default.copyItem(atPath: "\(ToolRun.directory)/xfer", toPath: bench.path("xfer"))
      for path in [bench.directory.path, bench.path("work")] { chown(path, 65534, 65534) }
      let run = try Self.run(
        bench, "ulimit -u 60; ulimit -n 64", 1000, program: bench.path("xfer"),
        as: ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"])
      #expect(run.status == 0 && run.standardError == "", "\(run.standardError.prefix(500))")
      Self.check(bench)
    }
  }

  private static func run(
    _ bench: Bench, _ limits: String, _ parallel: Int, program: String = "\(ToolRun.directory)/xfer", as user: [String] = []
  ) throws -> ToolRun {
    let list = (1...count).map { bench.url("/\($0)\n").replacingOccurrences(of: "127.0.0.1", with: "localhost") }.joined()
    let words = user + ["/bin/bash", "-c", "\(limits); exec \"$0\" get -4 -s --parallel-max \(parallel) -i -", program]
    return try ToolRun(
      words[0], Array(words.dropFirst()), input: Array(list.utf8), environment: bench.environment, in: bench.path("work"))
  }

  private static func check(_ bench: Bench) {
    #expect(bench.files.count == count)
    for index in [1, 10, 75, count] {
      let bytes = ScriptBody.bytes(seed: UInt64(index), size: size(index))
      #expect(bench.files["\(index)"] == bytes, "\(index)")
    }
  }
}
